// Questions that a bot can show before anybody has asked: taken from its content, and asked to see that they are answered.
import { BUTTONS_PER_PLACE, type ProposedQuestions } from '@docent/contract'
import { isSelfContained } from '../answers/understand/dependence.ts'
import type { TryMessage } from '../conversations/answer-message.ts'
import { contentStems } from '../language/analyse.ts'
import { collapseSpaces } from '../language/fold.ts'
import { languageOrEnglish } from '../language/languages.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Heading } from '../storage/passages.ts'
import topicQuestions from './topic-questions.json' with { type: 'json' }

const HEADINGS_READ = 1000
/** Each takes a few tenths of a second. */
const MAX_ASKED = 18
const LONGEST_QUESTION = 120
const LONGEST_TOPIC = 60
const MAX_TOPICS = 5
/** More questions of one pattern would only fill the list. */
const MAX_OF_PATTERN = 2
/** With fewer, a question is about nothing in particular: "How can we help?" */
const FEWEST_WORDS = 2
const QUESTION_END = /[?？؟]\s*$/

interface ProposalDeps {
  passages: { listHeadings(botId: string, limit: number): Promise<Heading[]> }
  tryMessage: TryMessage
}

interface Candidate {
  /** A question, or a heading to ask about. */
  text: string
  documentId: string
  isTopic: boolean
}

export async function proposeQuestions(
  { passages, tryMessage }: ProposalDeps,
  bot: BotRecord,
  signal: AbortSignal,
): Promise<ProposedQuestions> {
  const questions: ProposedQuestions['questions'] = []
  const headings = await passages.listHeadings(bot.id, HEADINGS_READ)
  // Of a site in several languages, the visitors of this bot read one.
  const ownHeadings = headings.filter(({ language }) => language === bot.language)
  const candidates = candidatesOf(ownHeadings.length > 0 ? ownHeadings : headings, bot.language)
  // Its language model would cost time and money for each.
  const builtIn = { ...bot, languageModel: null }
  const patterns = topicQuestions[languageOrEnglish(bot.language)].map((text) => ({ text, used: 0 }))
  let topics = 0
  let askedTopics = 0
  for (const { text, documentId, isTopic } of candidates.slice(0, MAX_ASKED)) {
    if (signal.aborted || (isTopic && topics === MAX_TOPICS)) break
    const openPatterns = patterns.filter(({ used }) => used < MAX_OF_PATTERN)
    const pattern = isTopic ? openPatterns[askedTopics++ % openPatterns.length] : undefined
    const question = pattern?.text.replace('{topic}', () => text) ?? text
    const { answer } = await tryMessage(builtIn, question, [], { asVisitor: true })
    const isRight = answer.answered && answer.decision === 'answer' && answer.documentIds.includes(documentId)
    if (isRight && questions.every(({ response }) => response !== answer.text)) {
      questions.push({ question, response: answer.text, sources: answer.sources, confidence: answer.confidence })
      topics += Number(isTopic)
      if (pattern) pattern.used += 1
    }
    if (questions.length === BUTTONS_PER_PLACE) break
  }
  return { questions }
}

/** Questions that the content itself asks, then its titles, then its other headings; one of each page before a second. */
function candidatesOf(headings: readonly Heading[], language: string): Candidate[] {
  const lastOf = headings.map(({ documentId, headings: path }) => ({
    text: collapseSpaces(path.at(-1) ?? ''),
    documentId,
    isInner: path.length > 1,
  }))
  const questions = lastOf.filter(
    ({ text }) =>
      QUESTION_END.test(text) && text.length <= LONGEST_QUESTION && isSelfContained(text, language, FEWEST_WORDS),
  )
  const byDocument = Map.groupBy(headings, ({ documentId }) => documentId)
  const titles = [...byDocument].map(([documentId, [first]]) => ({
    text: collapseSpaces(first?.headings[0] ?? first?.title ?? ''),
    documentId,
  }))
  const innerHeadings = lastOf.filter(({ text, isInner }) => isInner && isSelfContained(text, language, FEWEST_WORDS))
  const topics = [...titles, ...inTurns(innerHeadings)].filter(
    ({ text }) => text !== '' && text.length <= LONGEST_TOPIC && !QUESTION_END.test(text) && isTopic(text, language),
  )
  return uniqueCandidates([
    ...inTurns(questions).map(({ text, documentId }) => ({ text, documentId, isTopic: false })),
    ...topics.map(({ text, documentId }) => ({ text, documentId, isTopic: true })),
  ])
}

/** Not for "About us", "How we work" or "2. Fit the shade", which read badly within a question. */
function isTopic(text: string, language: string): boolean {
  const [firstWord = ''] = text.split(' ')
  return !/^[§#\d]/.test(text) && contentStems(firstWord, language).length > 0
}

function uniqueCandidates(candidates: readonly Candidate[]): Candidate[] {
  const byText = new Map(candidates.toReversed().map((one) => [one.text.toLowerCase(), one]))
  return candidates.filter((one) => byText.get(one.text.toLowerCase()) === one)
}

/** The first of every page, then the second, and so on. */
function inTurns<One extends { documentId: string }>(candidates: readonly One[]): One[] {
  const pages = [...Map.groupBy(candidates, ({ documentId }) => documentId).values()]
  const longest = Math.max(0, ...pages.map((page) => page.length))
  return Array.from({ length: longest }, (_, turn) => pages.flatMap((page) => page[turn] ?? [])).flat()
}
