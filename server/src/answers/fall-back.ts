// The reply when there is no answer, or no certain one.

import { languageData, languageOrEnglish } from '../language/languages.ts'
import { punctuationOf } from '../language/punctuation.ts'
import type { FallbackSentences } from '../language/schema.ts'
import { pageLink } from './find-contact.ts'
import type { Answer, BotVoice, Button, Passage } from './types.ts'

interface FallbackDetails {
  wantsPerson?: boolean
  /** The closest passage, if it is related. */
  closest?: Passage | undefined
  /** A way to get in touch, from the company's own pages. */
  contact?: string | undefined
  /** "How can I reach you?" is answered by the way to get in touch. */
  asksForContact?: boolean
  /** What a language model has already told the visitor. */
  generatedText?: string
}

// More would bury the one that helps. The button for a person or the contact form is one of them.
const MAX_STEPS = 2

export function fallBack(
  bot: BotVoice,
  language: string,
  confidence: number,
  { wantsPerson = false, closest, contact, asksForContact = false, generatedText }: FallbackDetails = {},
): Answer {
  const say = sentencesFor(bot, language)
  const ownMessage = bot.fallbackMessage(language)
  const hasPeople = bot.hasPeople !== false
  const reachUs = contact ? [reachUsSentence(say, contact)] : []
  const pages = closest ? [say.closestPage.replace('{page}', () => pageLink(closest, language))] : []
  const steps = [...pages, ...reachUs].slice(0, hasPeople || bot.hasContactForm ? MAX_STEPS - 1 : MAX_STEPS)
  const noAnswer = asksForContact && contact ? reachUs : [generatedText ?? say.noAnswer, ...steps]
  const sentences = wantsPerson
    ? [hasPeople ? say.offerPerson : nobodyAvailable(say), ...reachUs]
    : // A custom fallback message stands alone.
      ownMessage !== null && generatedText === undefined
      ? [ownMessage]
      : noAnswer
  return {
    text: joinSentences(sentences, language),
    sources: [],
    documentIds: [],
    confidence,
    answered: false,
    language,
    // Where nobody can take over, the widget offers its contact form instead, if there is one.
    buttons: [personButton(language)],
    decision: wantsPerson ? 'person' : 'fall_back',
    ...(contact ? { contact } : {}),
    ...(generatedText === undefined ? {} : { isGenerated: true }),
  }
}

export function reachUsSentence(say: FallbackSentences, contact: string): string {
  return say.reachUs.replace('{contact}', () => contact)
}

/** As the language sets sentences apart; empty ones are left out. */
export function joinSentences(sentences: readonly string[], language: string): string {
  return sentences.filter(Boolean).join(punctuationOf(language).space)
}

/** Without asking for contact details, for bots that take none: the first sentence of the one that does. */
export function nobodyAvailable({ leaveContact }: FallbackSentences): string {
  return /^.*?[.!。！؟](?=\s|\P{ASCII}|$)/u.exec(leaveContact)?.[0] ?? leaveContact
}

/** An answer that may be wrong begins by saying so. */
export function hedged(answer: Answer, bot: BotVoice): Answer {
  return { ...answer, text: `${sentencesFor(bot, answer.language).hedge}\n\n${answer.text}` }
}

/** For an uncertain answer: adds alternatives and a button to reach a person. */
export function withSuggestions(answer: Answer, questions: string[]): Answer {
  return { ...answer, buttons: [...replyButtons(questions), personButton(answer.language)] }
}

export function replyButtons(questions: string[]): Button[] {
  return questions.map((label, index) => ({ id: `topic-${index + 1}`, type: 'reply', label, value: label }))
}

export function personButton(language: string): Button {
  return { id: 'person', type: 'handover', label: buttonLabels(language).person }
}

export function buttonLabels(language: string) {
  return languageData[languageOrEnglish(language)].buttons
}

export function sentencesFor(bot: Pick<BotVoice, 'tone'>, language: string): FallbackSentences {
  return languageData[languageOrEnglish(language)].fallback[bot.tone]
}
