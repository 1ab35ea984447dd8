import type { Partially, QueueTexts } from '../texts-type.ts'

export const queue: Partially<QueueTexts> = {
  waiting: 'En espera',
  waitingFor: (time) => `En espera desde hace ${time}`,
  overdueFor: (time) => `Con retraso, en espera desde hace ${time}`,
  dueAt: (time) => `Hay que responder antes de: ${time}`,
  wasDueAt: (time) => `Había que responder antes de: ${time}`,
  target: 'Objetivo para la primera respuesta (minutos)',
  targetHint:
    'Los visitantes que esperan más tiempo se marcan con retraso en la bandeja de entrada y en Inicio. Déjelo vacío para no fijar un objetivo.',
  mentions: 'Menciones',
  more: 'Más',
  unreadMentions: (count) => `${count} sin leer`,
  mentioned: 'Una nota le menciona',
  members: 'Miembros',
  noteHint: 'Escriba una nota. Use @ para mencionar a un miembro.',
  availability: 'Disponibilidad',
  online: 'En línea',
  away: 'Ausente',
  awayWith: (load) => `ausente · ${load}`,
  workingHours: 'Horario de trabajo',
  workingHoursAbout:
    'Mientras esté ausente o fuera de este horario, no se le asigna ninguna conversación automáticamente. A los visitantes solo se les ofrece una persona mientras haya alguien disponible.',
  hasWorkingHours: 'Atiendo conversaciones solo a ciertas horas',
  team: 'Equipo',
  teamAbout:
    'Quién atiende las conversaciones de este bot. A los visitantes solo se les ofrece una persona mientras haya alguien del equipo disponible.',
  teamMembers: 'Miembros',
  teamHint: 'Déjelo vacío para incluir a todos los que tengan al menos el rol Agente.',
  everyone: 'Todos',
  autoAssign: 'Asignar las nuevas solicitudes automáticamente',
  autoAssignHint: 'Al miembro disponible con menos conversaciones abiertas.',
}
