// Unanswered questions by topic, each with the closest page and what it lacks.
import { hash } from 'node:crypto'
import type { Knowledge } from '../answers/types.ts'
import { createTtlCache } from '../caching.ts'
import { analyseQuestion, contentStems } from '../language/analyse.ts'
import { isFrameWord } from '../language/question/frame-words.ts'
import { words } from '../language/words.ts'
import type { BotRecord } from '../storage/bots.ts'
import { groupQuestions } from './group-questions.ts'
import type { ListUnanswered, OpenQuestion } from './list-unanswered.ts'

const QUESTIONS = 300
const TOPICS = 20
const SUBJECT_WORDS = 3
// Below these, a passage has little to do with the question.
const MIN_COVERAGE = 0.3
const MIN_VECTOR = 0.4
// The key covers questions and content, so this only limits how long an unused entry is kept.
const KEPT_MS = 10 * 60_000

export interface Topic {
  /** In the visitors' words. */
  subject: string[]
  /** Most frequent first. */
  questions: OpenQuestion[]
  closest: ClosestPassage | null
  /** Subject words that the closest passage lacks. */
  missing: string[]
}

interface ClosestPassage {
  documentId: string
  title: string
  url: string | null
  section: string | null
}

export type ListTopics = (bot: BotRecord) => Promise<Topic[]>

interface Deps {
  listUnanswered: ListUnanswered
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  /** One vector per question, if there is a model for its language. */
  embedQuestions: (questions: { text: string; language: string }[]) => Promise<(Float32Array | undefined)[]>
  clock: () => number
}

export function createListTopics({ listUnanswered, knowledgeOf, embedQuestions, clock }: Deps): ListTopics {
  const known = createTtlCache<Topic[]>({ ttlMs: KEPT_MS, maxEntries: 100, clock })

  async function topicsOf(bot: BotRecord, asked: TopicQuestion[]): Promise<Topic[]> {
    const groups = await groupQuestions(asked)
    const knowledge = await knowledgeOf(bot)
    const topics: Topic[] = []
    for (const questions of groups.sort((a, b) => total(b) - total(a)).slice(0, TOPICS)) {
      const subject = subjectOf(questions)
      topics.push({
        subject: subject.map(({ word }) => word),
        questions,
        ...(await closestOf(knowledge, questions[0] as TopicQuestion, subject)),
      })
      await new Promise(setImmediate)
    }
    return topics
  }

  return async (bot) => {
    const open = await listUnanswered(bot.id, null, QUESTIONS)
    const asked = open.map((question) => ({ ...question, language: question.languages[0] ?? bot.language }))
    const vectors = await embedQuestions(asked)
    // Everything a topic depends on.
    const state = [bot.knowledgeVersion, ...open.map((each, index) => [each, vectors[index] !== undefined])]
    const key = `${bot.id}.${hash('sha256', JSON.stringify(state))}`
    const withVectors = asked.map((question, index) => ({ ...question, vector: vectors[index] }))
    return (await known.read(key, () => topicsOf(bot, withVectors))) ?? []
  }
}

interface TopicQuestion extends OpenQuestion {
  language: string
  vector?: Float32Array | undefined
}

interface SubjectWord {
  word: string
  stem: string
}

function total(questions: TopicQuestion[]): number {
  return questions.reduce((sum, { count }) => sum + count, 0)
}

/** The words most questions share, spelled and ordered as in the most frequent one. */
function subjectOf(questions: TopicQuestion[]): SubjectWord[] {
  const found = new Map<string, SubjectWord & { weight: number; place: number }>()
  for (const { text, language, count } of questions) {
    const own = new Set<string>()
    for (const word of words(text, language)) {
      const [stem] = contentStems(word, language)
      if (stem === undefined || own.has(stem) || isFrameWord(word, language)) continue
      own.add(stem)
      const before = found.get(stem) ?? { word, stem, weight: 0, place: found.size }
      found.set(stem, { ...before, weight: before.weight + count })
    }
  }
  const best = [...found.values()].sort((a, b) => b.weight - a.weight || a.place - b.place)
  const most = best[0]?.weight ?? 0
  const shared = best.filter(({ weight }) => weight >= most / 2).slice(0, SUBJECT_WORDS)
  return shared.sort((a, b) => a.place - b.place).map(({ word, stem }) => ({ word, stem }))
}

async function closestOf(knowledge: Knowledge, { text, language, vector }: TopicQuestion, subject: SubjectWord[]) {
  const [best] = knowledge.find({ question: analyseQuestion(text, language), context: [], vector })
  const isNear = best && (best.signals.coverage >= MIN_COVERAGE || best.signals.vector >= MIN_VECTOR)
  const [hit] = isNear ? await knowledge.read([best]) : []
  if (!best || !hit) return { closest: null, missing: [] }
  const held = knowledge.stems(best)
  const { documentId, title, url, headings } = hit.passage
  return {
    closest: { documentId, title, url, section: headings.at(-1) ?? null },
    missing: subject.filter(({ stem }) => !held.has(knowledge.stemKey(stem))).map(({ word }) => word),
  }
}
