import type { Partially, ReplyHelpTexts } from '../texts-type.ts'

export const replyHelp: Partially<ReplyHelpTexts> = {
  title: 'Sugerencias',
  about: (question) => `para “${question}”`,
  none: 'Nada encaja con esta pregunta. Su respuesta puede ayudar la próxima vez.',
  confidence: (share) => `${share} de confianza`,
  unsure: 'El bot no está seguro de esto',
  past: (name, question) => `${name} respondió a “${question}”`,
  someone: 'Un agente',
  key: 'Insertar una sugerencia',
  model: 'Escribir con el modelo de lenguaje',
  draft: 'Redactar una respuesta',
  goOn: 'Continuar esta respuesta',
  summarise: 'Resumir la conversación',
  summary: 'Resumen',
  closeSummary: 'Cerrar el resumen',
  writing: 'Escribiendo…',
  styles: {
    friendlier: 'Hacerla más amable',
    formal: 'Hacerla más formal',
    shorter: 'Hacerla más breve',
    correct: 'Corregir ortografía y gramática',
  },
  translateReply: (language) => `Traducir al ${language}`,
  translate: 'Traducir',
  translation: 'Traducción del modelo de lenguaje',
  problems: {
    no_language_model: 'Este bot no tiene un modelo de lenguaje que pueda leer mensajes.',
    daily_limit: 'Se han agotado las llamadas de hoy al modelo de lenguaje.',
    unavailable: 'El modelo de lenguaje no escribió nada. Inténtelo de nuevo.',
  },
}
