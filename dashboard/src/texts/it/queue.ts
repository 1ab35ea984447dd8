import type { Partially, QueueTexts } from '../texts-type.ts'

export const queue: Partially<QueueTexts> = {
  waiting: 'In attesa',
  waitingFor: (time) => `In attesa da ${time}`,
  overdueFor: (time) => `In ritardo, in attesa da ${time}`,
  dueAt: (time) => `Risposta prevista entro: ${time}`,
  wasDueAt: (time) => `Risposta prevista entro: ${time}, in ritardo`,
  target: 'Obiettivo per la prima risposta (minuti)',
  targetHint:
    'I visitatori che attendono più a lungo sono indicati in ritardo nella posta in arrivo e nella Home. Lasciare vuoto per nessun obiettivo.',
  mentions: 'Menzioni',
  more: 'Altro',
  unreadMentions: (count) => (count === 1 ? '1 non letta' : `${count} non lette`),
  mentioned: 'Una nota la menziona',
  members: 'Membri',
  noteHint: 'Scriva una nota. Digiti @ per menzionare un membro.',
  availability: 'Disponibilità',
  online: 'Online',
  away: 'Assente',
  awayWith: (load) => `assente · ${load}`,
  workingHours: 'Orario di lavoro',
  workingHoursAbout:
    'Durante la sua assenza o al di fuori di questo orario, nessuna conversazione le viene assegnata automaticamente. Ai visitatori viene proposta una persona solo se qualcuno è disponibile.',
  hasWorkingHours: 'Gestisco conversazioni solo in determinate ore',
  team: 'Team',
  teamAbout:
    'Chi gestisce le conversazioni di questo bot. Ai visitatori viene proposta una persona solo se qualcuno del team è disponibile.',
  teamMembers: 'Membri',
  teamHint: 'Lasci vuoto per includere tutti coloro che hanno almeno il ruolo Agente.',
  everyone: 'Tutti',
  autoAssign: 'Assegna automaticamente le nuove richieste',
  autoAssignHint: 'Al membro disponibile con meno conversazioni aperte.',
}
