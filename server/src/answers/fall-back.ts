// What is said when nothing fits, or when it is not sure that it does.

import { languageData, languageOrEnglish } from '../language/languages.ts'
import type { FallbackSentences } from '../language/schema/language-data.ts'
import type { NextQuestion } from './compose/suggestions/next-questions.ts'
import { pageLink } from './page-link.ts'
import type { Answer, BotVoice, Button, Passage } from './types.ts'

export interface FallbackDetails {
  wantsPerson?: boolean
  /** The passage that comes nearest, where one is about the same. */
  closest?: Passage | undefined
  /** An address or a number from the company's own pages. */
  contact?: string | undefined
}

export function fallBack(
  bot: BotVoice,
  language: string,
  confidence: number,
  { wantsPerson = false, closest, contact }: FallbackDetails = {},
): Answer {
  const say = sentencesFor(bot, language)
  const opening = wantsPerson ? say.offerPerson : (bot.fallbackMessage ?? say.noAnswer)
  // Who wrote a message of their own has said what is to be said.
  const further = bot.fallbackMessage !== null && !wantsPerson ? [] : furtherSentences(say, closest, contact)
  const buttons = [personButton(language)]
  const text = [opening, ...further].join(' ')
  const decision = wantsPerson ? 'person' : 'fall_back'
  return { text, sources: [], documentIds: [], confidence, answered: false, language, buttons, decision }
}

function furtherSentences(say: FallbackSentences, closest: Passage | undefined, contact: string | undefined): string[] {
  return [
    ...(closest ? [say.closestPage.replace('{page}', () => pageLink(closest))] : []),
    ...(contact ? [say.reachUs.replace('{contact}', () => contact)] : []),
  ]
}

/** An answer that may not be the right one: what else could have been meant, and a way to a person. */
export function withSuggestions(answer: Answer, topics: NextQuestion[]): Answer {
  return { ...answer, buttons: [...replyButtons(topics), personButton(answer.language)] }
}

export function replyButtons(topics: NextQuestion[]): Button[] {
  return topics.map(({ label, message }, index) => ({ id: `topic-${index + 1}`, type: 'reply', label, value: message }))
}

function personButton(language: string): Button {
  return { id: 'person', type: 'handover', label: buttonLabels(language).person }
}

export function buttonLabels(language: string) {
  return languageData[languageOrEnglish(language)].buttons
}

export function sentencesFor(bot: Pick<BotVoice, 'tone'>, language: string): FallbackSentences {
  return languageData[languageOrEnglish(language)].fallback[bot.tone]
}
