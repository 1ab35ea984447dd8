import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import type { Partially, TranslationTexts } from '../texts-type.ts'

export const translations: Partially<TranslationTexts> = {
  title: 'Altre lingue',
  about:
    'Messaggio di benvenuto, domande suggerite, messaggio di riserva e i pulsanti e le domande dei flussi, per i visitatori che usano un’altra lingua.',
  add: 'Aggiungi lingua',
  addPlaceholder: 'Scegli una lingua',
  remove: (language) => `Rimuovi: ${language}`,
  complete: 'Tutti i testi sono presenti',
  missing: (texts) => `Mancano: ${texts.join(', ')}`,
  parts: {
    greeting: 'messaggio di benvenuto',
    questions: 'domande',
    fallback: 'messaggio di riserva',
    buttons: 'pulsanti',
    handover: 'domande prima del passaggio',
  },
  button: (label) => `Pulsante «${label}»`,
  buttonAsks: (label) => `Che cosa chiede «${label}»`,
  handover: (label) => `Domanda prima del passaggio: ${label}`,
  choices: (label) => `Opzioni: ${label}`,
  choicesHint: (options) => `Una per riga, in quest’ordine: ${options.join(', ')}`,
  choicesCount: (count) =>
    count === 1 ? 'Scrivere 1 riga, una per opzione.' : `Scrivere ${count} righe, una per opzione.`,
  greetingInstead: (language) =>
    `Se vuoto, i visitatori vedono il messaggio di benvenuto qui sopra se è in ${language}, altrimenti quello integrato in questa lingua.`,
  questionsInstead: (language) =>
    `Una per riga, al massimo ${BUTTONS_PER_PLACE}. Se vuoto, i visitatori vedono le domande qui sopra se sono in ${language}, altrimenti nessuna.`,
  fallbackInstead: (language) =>
    `Se vuoto, i visitatori ricevono il messaggio delle impostazioni generali se è in ${language}, altrimenti quello integrato in questa lingua.`,
}
