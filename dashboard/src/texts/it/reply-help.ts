import type { Partially, ReplyHelpTexts } from '../texts-type.ts'

export const replyHelp: Partially<ReplyHelpTexts> = {
  title: 'Suggerimenti',
  about: (question) => `per «${question}»`,
  none: 'Nulla corrisponde a questa domanda. La risposta data ora potrà servire la prossima volta.',
  confidence: (share) => `affidabilità: ${share}`,
  unsure: 'Il bot non ne è sicuro',
  past: (name, question) => `${name} ha risposto a «${question}»`,
  someone: 'Un operatore',
  key: 'Inserisci un suggerimento',
  model: 'Scrivi con il modello linguistico',
  draft: 'Scrivi una bozza',
  goOn: 'Continua questa risposta',
  summarise: 'Riassumi la conversazione',
  summary: 'Riassunto',
  closeSummary: 'Chiudi il riassunto',
  writing: 'Scrittura…',
  styles: {
    friendlier: 'Rendi più cordiale',
    formal: 'Rendi più formale',
    shorter: 'Accorcia',
    correct: 'Correggi ortografia e grammatica',
  },
  translateReply: (language) => `Traduci in ${language}`,
  translate: 'Traduci',
  translation: 'Traduzione del modello linguistico',
  problems: {
    no_language_model: 'Questo bot non ha un modello linguistico autorizzato a leggere i messaggi.',
    daily_limit: 'Le chiamate al modello linguistico per oggi sono esaurite.',
    unavailable: 'Il modello linguistico non ha scritto nulla. Riprovare.',
  },
}
