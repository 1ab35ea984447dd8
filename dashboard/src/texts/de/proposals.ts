import type { ProposalTexts } from '../texts-type.ts'

export const proposals: ProposalTexts = {
  add: 'Zum Wissen hinzufügen',
  added: 'Vorgeschlagen',
  addedDone: 'Vorgeschlagen. Unter Wissen, Kuratierte Antworten wird darüber entschieden.',
  title: (count) => (count === '1' ? '1 Antwort ist vorgeschlagen' : `${count} Antworten sind vorgeschlagen`),
  about: 'Aus Antworten Ihres Teams. Der Bot verwendet sie, sobald Sie sie annehmen.',
  by: (name) => `von ${name}`,
  conversation: 'Gespräch',
  noQuestion: 'Frage fehlt noch',
  review: 'Prüfen',
  reject: 'Ablehnen',
  rejected: 'Abgelehnt.',
  approve: 'Antwort annehmen',
  approved: 'Angenommen. Der Bot verwendet sie ab jetzt.',
  approvedShort: 'Angenommen',
  approveTitle: 'Diese Antwort annehmen',
}
