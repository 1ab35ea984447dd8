// What the pages say: composed from what was found, with its confidence, and worded as a reply.
import { answerParts } from './answer-parts.ts'
import { type ComposedAnswer, citedPassages, composeAnswer } from './compose/compose-answer.ts'
import { coverage, textWords } from './compose/question-terms.ts'
import { didYouMean, nextQuestions } from './compose/suggestions.ts'
import { roundConfidence } from './confidence/logistic.ts'
import { confidenceOf, replyConfidence } from './confidence/page-confidence.ts'
import { fallBack, replyButtons, withSuggestions } from './fall-back.ts'
import { asksForContact, findContact } from './find-contact.ts'
import type { SearchResult } from './find-hits.ts'
import { introduce } from './introduce.ts'
import { closestPage } from './page-or-product.ts'
import { decide, policy } from './policy.ts'
import type { Answer, BotVoice, Hit, Knowledge, Question, Turn } from './types.ts'

interface Asked {
  /** Without a greeting. */
  question: string
  language: string
  history: Turn[]
  bot: BotVoice
  knowledge: Knowledge
}

interface PagesAnswer {
  composed: ComposedAnswer
  confidence: number
  /** What is compared with the catalogue's confidence: without the adjustments of `replyConfidence`. */
  likelihood: number
}

export async function composeFromPages(
  { question, language, history, bot, knowledge }: Asked,
  searchResult: SearchResult,
): Promise<PagesAnswer> {
  const compose = (isUnsure: boolean) => composeAnswer(searchResult.question, searchResult.hits, bot.siteUrl, isUnsure)
  const alone = compose(false)
  // Without readings, the composer has already handled each part.
  const parts = searchResult.hits[0]?.reading ? await answerParts(question, language, history, bot, knowledge) : null
  const likelihood = parts?.confidence ?? confidenceOf(searchResult.question, searchResult.hits, alone, knowledge.scope)
  const confidence = parts
    ? roundConfidence(likelihood)
    : replyConfidence(likelihood, searchResult.question, alone, bot.thresholds)
  const composed = parts?.composed ?? (confidence < bot.thresholds.answer ? compose(true) : alone)
  return { composed, confidence, likelihood }
}

export async function answerFromPages(
  { history, bot, knowledge }: Asked,
  searchResult: SearchResult,
  { composed, confidence }: PagesAnswer,
): Promise<Answer> {
  const { question, hits } = searchResult
  const likely = composed.text === '' ? 'fall_back' : decide(confidence, bot.thresholds)
  const decisionByConfidence =
    likely === 'suggest' && (wasSaid(composed.text, question, history) || isForeign(question, hits))
      ? 'fall_back'
      : likely
  const decision = decisionByConfidence === 'fall_back' && composed.isComparison ? 'suggest' : decisionByConfidence
  if (decision === 'fall_back') {
    const contact = await findContact(knowledge, question.language, bot.siteUrl)
    const closest = closestPage(hits, confidence, bot)
    return fallBack(bot, question.language, confidence, { closest, contact, asksForContact: asksForContact(question) })
  }
  const answer: Answer = {
    // One introduction is enough: a hedge comes before it in doubt.
    text: decision === 'suggest' ? composed.text : introduced(composed, question.language, bot),
    sources: composed.sources,
    ...citedPassages(composed.used),
    confidence,
    answered: true,
    language: question.language,
    buttons: [],
    decision,
  }
  if (decision === 'suggest') return withSuggestions(answer, didYouMean(composed.used, hits))
  const earlierQuestions = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  return {
    ...answer,
    buttons: replyButtons(nextQuestions({ question, used: composed.used, hits, asked: earlierQuestions })),
  }
}

/**
 * With a hedge, a question whose words are mostly unknown to the content would get something about the rest of it,
 * unless the reader finds it answered in other words.
 */
function isForeign({ own, terms, knows }: Question, [first]: readonly Hit[]): boolean {
  if (first?.reading && first.reading.relevance > 0) return false
  const contentTerms = own?.terms ?? terms
  const unknownTerms = contentTerms.filter(({ stem }) => knows && !knows(stem))
  return unknownTerms.length >= policy.foreignWords && unknownTerms.length >= contentTerms.length * policy.sharedContent
}

/** The answer to an earlier question must not be repeated with a hedge. */
function wasSaid(text: string, question: Question, history: readonly Turn[]): boolean {
  const terms = question.own?.terms ?? question.terms
  return history.some((turn, at) => {
    const earlierQuestion = history.slice(0, at).findLast(({ role }) => role === 'user')?.text ?? ''
    const isSameQuestion = coverage(terms, textWords(earlierQuestion, question.language)) > policy.sharedContent
    return turn.role === 'assistant' && turn.text.includes(text) && !isSameQuestion
  })
}

function introduced({ text, used: [first], opening }: ComposedAnswer, language: string, bot: BotVoice): string {
  if (!first) return text
  return introduce({ text, language: first.passage.language, around: first.passage.text, opening }, language, bot)
}
