import type { ReplyHelpTexts } from '../texts-type.ts'

export const replyHelp: ReplyHelpTexts = {
  title: 'Vorschläge',
  about: (question) => `zu „${question}“`,
  none: 'Zu dieser Frage passt nichts. Ihre Antwort hilft vielleicht beim nächsten Mal.',
  confidence: (share) => `${share} sicher`,
  unsure: 'Hier ist sich der Bot nicht sicher',
  past: (name, question) => `${name} antwortete auf „${question}“`,
  someone: 'Jemand aus dem Team',
  key: 'Vorschlag einfügen',
  model: 'Mit dem Sprachmodell schreiben',
  draft: 'Antwort entwerfen',
  goOn: 'Diese Antwort fortsetzen',
  summarise: 'Gespräch zusammenfassen',
  summary: 'Zusammenfassung',
  closeSummary: 'Zusammenfassung schließen',
  writing: 'Schreibt …',
  styles: {
    friendlier: 'Freundlicher formulieren',
    formal: 'Förmlicher formulieren',
    shorter: 'Kürzer formulieren',
    correct: 'Rechtschreibung und Grammatik korrigieren',
  },
  translateReply: (language) => `Auf ${language} übersetzen`,
  translate: 'Übersetzen',
  translation: 'Übersetzung des Sprachmodells',
  problems: {
    no_language_model: 'Dieser Bot hat kein Sprachmodell, das Nachrichten lesen darf.',
    daily_limit: 'Die Aufrufe des Sprachmodells sind für heute verbraucht.',
    unavailable: 'Das Sprachmodell hat nichts geschrieben. Bitte versuchen Sie es noch einmal.',
  },
}
