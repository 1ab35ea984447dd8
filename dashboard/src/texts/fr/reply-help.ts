import type { Partially, ReplyHelpTexts } from '../texts-type.ts'

export const replyHelp: Partially<ReplyHelpTexts> = {
  title: 'Suggestions',
  about: (question) => `pour « ${question} »`,
  none: 'Rien ne correspond à cette question. Votre réponse aidera peut-être la prochaine fois.',
  confidence: (share) => `confiance : ${share}`,
  unsure: 'Le bot n’en est pas sûr',
  past: (name, question) => `${name} a répondu à « ${question} »`,
  someone: 'Un agent',
  key: 'Insérer une suggestion',
  model: 'Rédiger avec le modèle de langage',
  draft: 'Rédiger une réponse',
  goOn: 'Continuer cette réponse',
  summarise: 'Résumer la conversation',
  summary: 'Résumé',
  closeSummary: 'Fermer le résumé',
  writing: 'Rédaction…',
  styles: {
    friendlier: 'Rendre plus aimable',
    formal: 'Rendre plus formel',
    shorter: 'Raccourcir',
    correct: 'Corriger l’orthographe et la grammaire',
  },
  translateReply: (language) => `Traduire en ${language}`,
  translate: 'Traduire',
  translation: 'Traduction par le modèle de langage',
  problems: {
    no_language_model: 'Ce bot n’a pas de modèle de langage autorisé à lire les messages.',
    daily_limit: 'Les appels au modèle de langage sont épuisés pour aujourd’hui.',
    unavailable: 'Le modèle de langage n’a rien rédigé. Veuillez réessayer.',
  },
}
