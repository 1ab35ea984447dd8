import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import type { TranslationTexts } from '../texts-type.ts'

export const translations: TranslationTexts = {
  title: 'Weitere Sprachen',
  about:
    'Begrüßung, vorgeschlagene Fragen, Ausweichantwort sowie die Schaltflächen und Fragen Ihrer Abläufe für Besucher, die eine andere Sprache verwenden.',
  add: 'Sprache hinzufügen',
  addPlaceholder: 'Sprache wählen',
  remove: (language) => `${language} entfernen`,
  complete: 'Alle Texte vorhanden',
  missing: (texts) => `Es fehlt: ${texts.join(', ')}`,
  parts: {
    greeting: 'Begrüßung',
    questions: 'Fragen',
    fallback: 'Ausweichantwort',
    buttons: 'Schaltflächen',
    handover: 'Fragen vor der Übergabe',
  },
  button: (label) => `Schaltfläche „${label}“`,
  buttonAsks: (label) => `Was „${label}“ fragt`,
  handover: (label) => `Frage vor der Übergabe: ${label}`,
  choices: (label) => `Auswahl: ${label}`,
  choicesHint: (options) => `Eine pro Zeile, in dieser Reihenfolge: ${options.join(', ')}`,
  choicesCount: (count) => `Schreiben Sie ${count} Zeilen, eine für jede Möglichkeit.`,
  greetingInstead: (language) =>
    `Wenn leer, sehen Besucher die Begrüßung von oben, falls sie in dieser Sprache ist, sonst die eingebaute (${language}).`,
  questionsInstead: (language) =>
    `Eine pro Zeile, höchstens ${BUTTONS_PER_PLACE}. Wenn leer, sehen Besucher die Fragen von oben, falls sie auf ${language} sind, sonst keine.`,
  fallbackInstead: (language) =>
    `Wenn leer, erhalten Besucher die Ausweichantwort aus den allgemeinen Einstellungen, falls sie in dieser Sprache ist, sonst die eingebaute (${language}).`,
}
