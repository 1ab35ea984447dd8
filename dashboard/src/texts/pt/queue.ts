import type { Partially, QueueTexts } from '../texts-type.ts'

export const queue: Partially<QueueTexts> = {
  waiting: 'À espera',
  waitingFor: (time) => `À espera há ${time}`,
  overdueFor: (time) => `Em atraso, à espera há ${time}`,
  dueAt: (time) => `Resposta prevista até ${time}`,
  wasDueAt: (time) => `Resposta prevista até ${time}, em atraso`,
  target: 'Meta para a primeira resposta (minutos)',
  targetHint:
    'Os visitantes que esperam mais tempo são marcados como em atraso na caixa de entrada e no início. Deixe vazio para não definir uma meta.',
  mentions: 'Menções',
  more: 'Mais',
  unreadMentions: (count) => (count === 1 ? '1 não lida' : `${count} não lidas`),
  mentioned: 'Uma nota menciona-o',
  members: 'Membros',
  noteHint: 'Escreva uma nota. Use @ para mencionar um membro.',
  availability: 'Disponibilidade',
  online: 'Online',
  away: 'Ausente',
  awayWith: (load) => `ausente · ${load}`,
  workingHours: 'Horário de trabalho',
  workingHoursAbout:
    'Durante a sua ausência ou fora deste horário, nenhuma conversa lhe é atribuída automaticamente. Aos visitantes só é oferecida uma pessoa enquanto alguém estiver disponível.',
  hasWorkingHours: 'Atendo conversas apenas a certas horas',
  team: 'Equipa',
  teamAbout:
    'Quem atende as conversas deste bot. Aos visitantes só é oferecida uma pessoa enquanto alguém da equipa estiver disponível.',
  teamMembers: 'Membros',
  teamHint: 'Deixe vazio para incluir todos os que têm pelo menos a função Agente.',
  everyone: 'Todos',
  autoAssign: 'Atribuir automaticamente os novos pedidos',
  autoAssignHint: 'Ao membro disponível com menos conversas abertas.',
}
