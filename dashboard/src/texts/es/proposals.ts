import type { Partially, ProposalTexts } from '../texts-type.ts'

export const proposals: Partially<ProposalTexts> = {
  add: 'Añadir al conocimiento',
  added: 'Propuesta',
  addedDone: 'Propuesta. Un editor decide sobre ella en Conocimiento, Respuestas personalizadas.',
  title: (count) => (count === '1' ? 'Hay 1 respuesta propuesta' : `Hay ${count} respuestas propuestas`),
  about: 'De las respuestas de su equipo. El bot las usa cuando usted las aprueba.',
  by: (name) => `de ${name}`,
  conversation: 'Conversación',
  noQuestion: 'Falta la pregunta',
  review: 'Revisar',
  reject: 'Rechazar',
  rejected: 'Rechazada.',
  approve: 'Aprobar respuesta',
  approved: 'Aprobada. El bot la usa a partir de ahora.',
  approvedShort: 'Aprobada',
  approveTitle: 'Aprobar esta respuesta',
}
