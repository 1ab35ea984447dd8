// What is said when nothing fits, or when it is not sure that it does.
import type { NextQuestion } from './compose/next-questions.ts'
import type { Answer, BotVoice, Button } from './types.ts'
import { buttonLabels } from './understand/button-labels.ts'
import { type FallbackSentences, fallbackSentences } from './understand/fallback-sentences.ts'
import { languageOrEnglish } from './understand/languages.ts'

export function fallBack(
  bot: BotVoice,
  language: string,
  confidence: number,
  { wantsPerson = false }: { wantsPerson?: boolean } = {},
): Answer {
  const say = sentencesFor(bot, language)
  const text = wantsPerson ? say.offerPerson : (bot.fallbackMessage ?? say.noAnswer)
  const buttons = [personButton(language)]
  return { text, sources: [], documentIds: [], confidence, answered: false, language, buttons, wantsPerson }
}

/** An answer that may not be the right one: what else could have been meant, and a way to a person. */
export function withSuggestions(answer: Answer, topics: NextQuestion[]): Answer {
  return { ...answer, buttons: [...replyButtons(topics), personButton(answer.language)] }
}

export function replyButtons(topics: NextQuestion[]): Button[] {
  return topics.map(({ label, message }, index) => ({ id: `topic-${index + 1}`, type: 'reply', label, value: message }))
}

function personButton(language: string): Button {
  return { id: 'person', type: 'handover', label: buttonLabels[languageOrEnglish(language)].person }
}

export function sentencesFor(bot: Pick<BotVoice, 'tone'>, language: string): FallbackSentences {
  return fallbackSentences[languageOrEnglish(language)][bot.tone]
}
