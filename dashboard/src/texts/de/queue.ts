import type { QueueTexts } from '../texts-type.ts'

export const queue: QueueTexts = {
  waiting: 'Wartend',
  waitingFor: (time) => `Wartet seit ${time}`,
  overdueFor: (time) => `Überfällig, wartet ${time}`,
  dueAt: (time) => `Antwort fällig bis ${time}`,
  wasDueAt: (time) => `Antwort war fällig bis ${time}`,
  target: 'Zielzeit für die erste Antwort (Minuten)',
  targetHint:
    'Wer länger wartet, wird im Posteingang und auf der Startseite als überfällig markiert. Leer lassen für kein Ziel.',
  mentions: 'Erwähnungen',
  more: 'Mehr',
  unreadMentions: (count) => `${count} ungelesen`,
  mentioned: 'Eine Notiz erwähnt Sie',
  members: 'Mitglieder',
  availability: 'Verfügbarkeit',
  online: 'Online',
  away: 'Abwesend',
  awayWith: (load) => `abwesend · ${load}`,
  workingHours: 'Arbeitszeiten',
  workingHoursAbout:
    'Solange Sie abwesend sind oder außerhalb dieser Zeiten wird Ihnen kein Gespräch automatisch zugewiesen. Besuchern wird nur dann ein Mensch angeboten, wenn jemand verfügbar ist.',
  hasWorkingHours: 'Ich übernehme Gespräche nur zu bestimmten Zeiten',
  team: 'Team',
  teamAbout:
    'Wer die Gespräche dieses Bots übernimmt. Besuchern wird nur dann ein Mensch angeboten, wenn jemand davon verfügbar ist.',
  teamMembers: 'Mitglieder',
  teamHint: 'Leer lassen für alle, die mindestens die Rolle Agent haben.',
  everyone: 'Alle',
  autoAssign: 'Neue Anfragen automatisch zuweisen',
  autoAssignHint: 'An das verfügbare Mitglied mit den wenigsten offenen Gesprächen.',
  noteHint: 'Notiz schreiben. Mit @ ein Mitglied erwähnen.',
}
