// The reply when there is no answer, or no certain one.

import { languageData, languageOrEnglish } from '../language/languages.ts'
import type { FallbackSentences } from '../language/schema/language-data.ts'
import type { NextQuestion } from './compose/suggestions/next-questions.ts'
import { pageLink } from './page-link.ts'
import type { Answer, BotVoice, Button, Passage } from './types.ts'

export interface FallbackDetails {
  wantsPerson?: boolean
  /** The closest passage, if it is related. */
  closest?: Passage | undefined
  /** An email address or phone number from the company's own pages. */
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
  // A custom fallback message stands alone.
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

/** For an uncertain answer: adds alternatives and a button to reach a person. */
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
