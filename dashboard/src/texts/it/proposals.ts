import type { Partially, ProposalTexts } from '../texts-type.ts'

export const proposals: Partially<ProposalTexts> = {
  add: 'Aggiungi alle conoscenze',
  added: 'Proposta',
  addedDone: 'Risposta proposta. Un editor decide in Conoscenze, Risposte curate.',
  title: (count) => (count === '1' ? '1 risposta proposta' : `${count} risposte proposte`),
  about: 'Dalle risposte del team. Il bot le utilizza dopo l’approvazione.',
  by: (name) => `di ${name}`,
  conversation: 'Conversazione',
  noQuestion: 'Manca ancora la domanda',
  review: 'Esamina',
  reject: 'Rifiuta',
  rejected: 'Risposta rifiutata.',
  approve: 'Approva risposta',
  approved: 'Risposta approvata. Da ora il bot la utilizza.',
  approvedShort: 'Approvata',
  approveTitle: 'Approva questa risposta',
}
