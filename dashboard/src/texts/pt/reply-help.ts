import type { Partially, ReplyHelpTexts } from '../texts-type.ts'

export const replyHelp: Partially<ReplyHelpTexts> = {
  title: 'Sugestões',
  about: (question) => `para “${question}”`,
  none: 'Nada se ajusta a esta pergunta. A sua resposta pode ajudar na próxima vez.',
  confidence: (share) => `confiança: ${share}`,
  unsure: 'O bot não tem certeza disto',
  past: (name, question) => `${name} respondeu a “${question}”`,
  someone: 'Um agente',
  key: 'Inserir uma sugestão',
  model: 'Escrever com o modelo de linguagem',
  draft: 'Esboçar uma resposta',
  goOn: 'Continuar esta resposta',
  summarise: 'Resumir a conversa',
  summary: 'Resumo',
  closeSummary: 'Fechar o resumo',
  writing: 'Escrevendo…',
  styles: {
    friendlier: 'Tornar mais simpática',
    formal: 'Tornar mais formal',
    shorter: 'Encurtar',
    correct: 'Corrigir ortografia e gramática',
  },
  translateReply: (language) => `Traduzir para ${language}`,
  translate: 'Traduzir',
  translation: 'Tradução do modelo de linguagem',
  problems: {
    no_language_model: 'Este bot não tem um modelo de linguagem que possa ler mensagens.',
    daily_limit: 'As chamadas de hoje ao modelo de linguagem esgotaram-se.',
    unavailable: 'O modelo de linguagem não escreveu nada. Tente de novo.',
  },
}
