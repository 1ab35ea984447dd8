import type { Partially, QueueTexts } from '../texts-type.ts'

export const queue: Partially<QueueTexts> = {
  waiting: 'En attente',
  waitingFor: (time) => `En attente depuis ${time}`,
  overdueFor: (time) => `En retard, en attente depuis ${time}`,
  dueAt: (time) => `Réponse attendue avant ${time}`,
  wasDueAt: (time) => `Réponse attendue avant ${time}, en retard`,
  target: 'Délai visé pour la première réponse (minutes)',
  targetHint:
    'Les visiteurs qui attendent plus longtemps sont signalés en retard dans la boîte de réception et sur l’accueil. Laissez vide pour ne fixer aucun délai.',
  mentions: 'Mentions',
  more: 'Plus',
  unreadMentions: (count) => (count === 1 ? '1 non lue' : `${count} non lues`),
  mentioned: 'Une note vous mentionne',
  members: 'Membres',
  noteHint: 'Écrivez une note. Tapez @ pour mentionner un membre.',
  availability: 'Disponibilité',
  online: 'En ligne',
  away: 'Absent',
  awayWith: (load) => `absent · ${load}`,
  workingHours: 'Horaires de travail',
  workingHoursAbout:
    'Pendant votre absence ou en dehors de ces horaires, aucune conversation ne vous est attribuée automatiquement. Une personne n’est proposée aux visiteurs que si quelqu’un est disponible.',
  hasWorkingHours: 'Je prends des conversations à certaines heures seulement',
  team: 'Équipe',
  teamAbout:
    'Qui prend les conversations de ce bot. Une personne n’est proposée aux visiteurs que si l’un d’eux est disponible.',
  teamMembers: 'Membres',
  teamHint: 'Laissez vide pour inclure tous ceux qui ont au moins le rôle Agent.',
  everyone: 'Tout le monde',
  autoAssign: 'Attribuer automatiquement les nouvelles demandes',
  autoAssignHint: 'Au membre disponible qui a le moins de conversations ouvertes.',
}
