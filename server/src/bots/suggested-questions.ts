// Questions that a bot can show before anybody has asked: taken from its content, and asked to see that they are answered.
import { BUTTONS_PER_PLACE, type ProposedQuestions } from '@docent/contract'
import { measureDependence } from '../answers/understand/dependence.ts'
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
/** More questions of one pattern would only fill the list. */
const MAX_TOPICS = 2
/** With fewer, a question is about nothing in particular: "How can we help?" */
const FEWEST_WORDS = 2
const QUESTION_END = /[?？؟]\s*$/

interface ProposalDeps {
  passages: { listHeadings(botId: string, limit: number): Promise<Heading[]> }
  tryMessage: TryMessage
}

interface Candidate {
  question: string
  documentId: string
  /** Made of a heading that is no question. */
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
  let topics = 0
  for (const { question, documentId, isTopic } of candidates.slice(0, MAX_ASKED)) {
    if (signal.aborted || (isTopic && topics === MAX_TOPICS)) break
    const { answer } = await tryMessage(builtIn, question, [], { asVisitor: true })
    const isRight = answer.answered && answer.decision === 'answer' && answer.documentIds.includes(documentId)
    if (isRight && questions.every(({ response }) => response !== answer.text)) {
      questions.push({ question, response: answer.text, sources: answer.sources, confidence: answer.confidence })
      topics += Number(isTopic)
    }
    if (questions.length === BUTTONS_PER_PLACE) break
  }
  return { questions }
}

/** Questions that the content itself asks, then its topics; one of each page before a second. */
function candidatesOf(headings: readonly Heading[], language: string): Candidate[] {
  const questions = headings.flatMap(({ documentId, headings: path }) => {
    const question = collapseSpaces(path.at(-1) ?? '')
    const isQuestion = QUESTION_END.test(question) && question.length <= LONGEST_QUESTION
    return isQuestion && standsAlone(question, language) ? [{ question, documentId, isTopic: false }] : []
  })
  const template = topicQuestions[language as keyof typeof topicQuestions] ?? topicQuestions.en
  const byDocument = Map.groupBy(headings, ({ documentId }) => documentId)
  const topics = [...byDocument.values()].flatMap(([first]) => {
    const topic = first ? collapseSpaces(first.headings[0] ?? first.title) : ''
    const isUsable = topic !== '' && topic.length <= LONGEST_TOPIC && !QUESTION_END.test(topic)
    return first && isUsable
      ? [{ question: template.replace('{topic}', () => topic), documentId: first.documentId, isTopic: true }]
      : []
  })
  return uniqueQuestions([...inTurns(questions), ...topics])
}

/** Not for "How heavy may it be?", which only its page explains. */
function standsAlone(text: string, language: string): boolean {
  const analyze = (part: string) => contentStems(part, language)
  const terms = new Set(analyze(text))
  const parts = { text, language: languageOrEnglish(language), terms, earlierTerms: new Set<string>(), analyze }
  return terms.size >= FEWEST_WORDS && !measureDependence(parts).refers
}

function uniqueQuestions(candidates: readonly Candidate[]): Candidate[] {
  const byText = new Map(candidates.toReversed().map((one) => [one.question.toLowerCase(), one]))
  return candidates.filter((one) => byText.get(one.question.toLowerCase()) === one)
}

/** The first of every page, then the second, and so on. */
function inTurns(candidates: readonly Candidate[]): Candidate[] {
  const pages = [...Map.groupBy(candidates, ({ documentId }) => documentId).values()]
  const longest = Math.max(0, ...pages.map((page) => page.length))
  return Array.from({ length: longest }, (_, turn) => pages.flatMap((page) => page[turn] ?? [])).flat()
}
