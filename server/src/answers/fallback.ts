const sentences: Record<string, string> = {
  en: 'I found no answer to that in my sources. Could you put it another way?',
  de: 'Dazu habe ich in meinen Quellen keine Antwort gefunden. Können Sie es anders formulieren?',
  fr: 'Je n’ai pas trouvé de réponse à cela dans mes sources. Pouvez-vous le formuler autrement ?',
  es: 'No he encontrado una respuesta a eso en mis fuentes. ¿Puede expresarlo de otra manera?',
  it: 'Non ho trovato una risposta nelle mie fonti. Può formulare la domanda in altro modo?',
  nl: 'Ik vond daar geen antwoord op in mijn bronnen. Kunt u het anders verwoorden?',
  pt: 'Não encontrei uma resposta para isso nas minhas fontes. Pode perguntar de outra forma?',
}

const inEnglish = sentences.en as string

/** Said plainly when nothing fits, in the bot's language. */
export function fallbackSentence(language: string): string {
  return sentences[language] ?? inEnglish
}
