// What visitors asked, by topic; and unanswered questions, without those that a curated answer covers by now.
import { hash } from 'node:crypto'
import type { AskedTopic } from '@docent/contract'
import type { Knowledge } from '../answers/types.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import { makeTtlCache } from '../caching.ts'
import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import { analyseQuestion, contentStems } from '../language/analyse.ts'
import { isFrameWord } from '../language/question-words.ts'
import { words } from '../language/words.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { QuestionPosition, QuestionRecord } from '../storage/questions.ts'
import type { AnalyticsRange } from './analytics.ts'
import { sumResolutions } from './resolution.ts'

// Covered questions are filtered out after reading, so read a few more.
const READ_BEYOND = 50

export interface OpenQuestion extends QuestionRecord {
  languages: string[]
}

export type ListUnanswered = (botId: string, after: QuestionPosition | null, limit: number) => Promise<OpenQuestion[]>

export function makeListUnanswered({ storage: { questions, curatedAnswers } }: Context): ListUnanswered {
  return async (botId, after, limit) => {
    const coveredKeys = new Set((await curatedAnswers.listPhrasings(botId)).map(questionKey))
    const open: QuestionRecord[] = []
    const most = limit + READ_BEYOND
    for (let cursor = after, some: QuestionRecord[] = []; open.length < limit; ) {
      some = await questions.listUnanswered(botId, cursor, most)
      open.push(...some.filter(({ key }) => !coveredKeys.has(key)))
      cursor = some.at(-1) ?? null
      if (some.length < most) break
    }
    const page = open.slice(0, limit)
    const languages = Map.groupBy(
      await questions.listLanguages(
        botId,
        page.map(({ key }) => key),
      ),
      ({ key }) => key,
    )
    return page.map((question) => ({
      ...question,
      languages: (languages.get(question.key) ?? []).map(({ language }) => language),
    }))
  }
}

export type ListAskedTopics = (bot: BotRecord, period: AnalyticsRange['whole'], top?: number) => Promise<AskedTopic[]>

/** Topics of everything asked in a period, and how their conversations ended. */
export function makeListAskedTopics({ storage, clock }: Context, embedQuestions: EmbedQuestions): ListAskedTopics {
  const { questions, resolutions } = storage
  return async (bot, period, limit = TOPICS) => {
    const top = await questions.listTop(bot.id, period.since, period.until, QUESTIONS)
    const keys = top.map(({ key }) => key)
    const resolutionsByKey = new Map(
      (await resolutions.listByQuestion(bot.id, keys, period, clock())).map(({ key, ...outcomes }) => [key, outcomes]),
    )
    const topicQuestions = top.map((question) => ({ ...question, languages: [bot.language], language: bot.language }))
    const vectors = await embedQuestions(topicQuestions)
    const groups = await groupQuestions(
      topicQuestions.map((question, index) => ({ ...question, vector: vectors[index] })),
    )
    const biggest = groups.toSorted((a, b) => total(b) - total(a)).slice(0, limit)
    return biggest.map((group) => ({
      question: group[0]?.text ?? '',
      subject: subjectOf(group).map(({ word }) => word),
      count: total(group),
      questions: group.length,
      resolution: sumResolutions(group.flatMap(({ key }) => resolutionsByKey.get(key) ?? [])),
    }))
  }
}

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

/** One vector per question, if there is a model for its language and it is known within the budget. */
export type EmbedQuestions = (
  questions: { text: string; language: string }[],
  budgetMs?: number,
) => Promise<(Float32Array | undefined)[]>

interface Neighbours {
  listUnanswered: ListUnanswered
  knowledgeOf: KnowledgeOf
  embedQuestions: EmbedQuestions
}

export function makeListTopics({ clock }: Context, neighbours: Neighbours): ListTopics {
  const { listUnanswered, knowledgeOf, embedQuestions } = neighbours
  const topicsCache = makeTtlCache<Topic[]>({ ttlMs: KEPT_MS, maxEntries: 100, clock })

  async function topicsOf(bot: BotRecord, questions: TopicQuestion[]): Promise<Topic[]> {
    const groups = await groupQuestions(questions)
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
    const questions = open.map((question) => ({ ...question, language: question.languages[0] ?? bot.language }))
    const vectors = await embedQuestions(questions)
    // Everything a topic depends on.
    const state = [bot.knowledgeVersion, ...open.map((each, index) => [each, vectors[index] !== undefined])]
    const key = `${bot.id}.${hash('sha256', JSON.stringify(state))}`
    const withVectors = questions.map((question, index) => ({ ...question, vector: vectors[index] }))
    return (await topicsCache.read(key, () => topicsOf(bot, withVectors))) ?? []
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
  const wordsByStem = new Map<string, SubjectWord & { weight: number; place: number }>()
  for (const { text, language, count } of questions) {
    const ownStems = new Set<string>()
    for (const word of words(text, language)) {
      const [stem] = contentStems(word, language)
      if (stem === undefined || ownStems.has(stem) || isFrameWord(word, language)) continue
      ownStems.add(stem)
      const before = wordsByStem.get(stem) ?? { word, stem, weight: 0, place: wordsByStem.size }
      wordsByStem.set(stem, { ...before, weight: before.weight + count })
    }
  }
  const best = [...wordsByStem.values()].sort((a, b) => b.weight - a.weight || a.place - b.place)
  const most = best[0]?.weight ?? 0
  const subjectWords = best.filter(({ weight }) => weight >= most / 2).slice(0, SUBJECT_WORDS)
  return subjectWords.sort((a, b) => a.place - b.place).map(({ word, stem }) => ({ word, stem }))
}

async function closestOf(knowledge: Knowledge, { text, language, vector }: TopicQuestion, subject: SubjectWord[]) {
  const [best] = knowledge.find({ question: analyseQuestion(text, language), context: [], vector })
  const isNear = best && (best.signals.coverage >= MIN_COVERAGE || best.signals.vector >= MIN_VECTOR)
  const [hit] = isNear ? await knowledge.load([best]) : []
  if (!best || !hit) return { closest: null, missing: [] }
  const { documentId, title, url, headings } = hit.passage
  const passageStems = knowledge.stems(best)
  // The section is named as the closest, and a table makes a passage of its own.
  const around = (await knowledge.loadAround(hit.passage)).filter(
    (passage) => passage.headings.join('\n') === headings.join('\n'),
  )
  const texts = [title, ...headings, ...around.map(({ text }) => text)]
  const textStems = new Set(texts.flatMap((text) => contentStems(text, language)))
  const isMentioned = ({ stem }: SubjectWord) => textStems.has(stem) || passageStems.has(knowledge.stemKey(stem))
  return {
    closest: { documentId, title, url, section: headings.at(-1) ?? null },
    missing: subject.filter((each) => !isMentioned(each)).map(({ word }) => word),
  }
}

// Minimum cosine similarity to a group's mean, measured on support questions.
const CLOSE_IN_MEANING = 0.5
// Minimum share of common words, weighted by rarity.
const CLOSE_IN_WORDS = 0.4
const COMPARED_AT_ONCE = 50

interface GroupedQuestion {
  text: string
  count: number
  language: string
  vector?: Float32Array | undefined
}

interface Group<Q> {
  questions: Q[]
  mean: Float32Array | null
  stems: Map<string, number>
}

/** Expects the most frequent first; each joins its closest group. Yields to the event loop in between. */
export async function groupQuestions<Q extends GroupedQuestion>(questions: Q[]): Promise<Q[][]> {
  const stemsOf = questions.map(({ text, language }) => new Set(contentStems(text, language)))
  const weight = weightOf(stemsOf)
  const groups: Group<Q>[] = []
  for (const [index, question] of questions.entries()) {
    if (index % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await new Promise(setImmediate)
    const stems = stemsOf[index] ?? new Set()
    let best: { group: Group<Q>; closeness: number } | null = null
    for (const group of groups) {
      const closeness = Math.max(inMeaning(question, group) / CLOSE_IN_MEANING, inWords(stems, group) / CLOSE_IN_WORDS)
      if (closeness >= 1 && closeness > (best?.closeness ?? 0)) best = { group, closeness }
    }
    if (best) join(best.group, question, stems)
    else groups.push(join({ questions: [], mean: null, stems: new Map() }, question, stems))
  }
  return groups.map((group) => typicalFirst(group))

  /** Of the most frequent, the one closest to all of them: it can stand for the topic. */
  function typicalFirst(group: Group<Q>): Q[] {
    const [most] = group.questions
    const closeness = (question: Q) =>
      inMeaning(question, group) + inWords(stemsOf[questions.indexOf(question)] ?? new Set(), group)
    const [typical] = group.questions
      .filter(({ count }) => count === most?.count)
      .map((question) => ({ question, closeness: closeness(question) }))
      .sort((a, b) => b.closeness - a.closeness)
    if (!typical) return group.questions
    return [typical.question, ...group.questions.filter((each) => each !== typical.question)]
  }

  function inWords(stems: Set<string>, group: Group<Q>): number {
    let [sharedWeight, ownWeight] = [0, 0]
    for (const stem of stems) {
      ownWeight += weight(stem)
      sharedWeight += weight(stem) * ((group.stems.get(stem) ?? 0) / group.questions.length)
    }
    let all = 0
    for (const [stem, holders] of group.stems) all += weight(stem) * (holders / group.questions.length)
    return ownWeight + all === 0 ? 0 : (2 * sharedWeight) / (ownWeight + all)
  }
}

function join<Q extends GroupedQuestion>(group: Group<Q>, question: Q, stems: Set<string>): Group<Q> {
  group.questions.push(question)
  for (const stem of stems) group.stems.set(stem, (group.stems.get(stem) ?? 0) + 1)
  const { vector } = question
  if (vector) {
    group.mean ??= new Float32Array(vector.length)
    for (let at = 0; at < vector.length; at++) group.mean[at] = (group.mean[at] ?? 0) + (vector[at] ?? 0)
  }
  return group
}

function inMeaning({ vector }: GroupedQuestion, { mean }: Group<GroupedQuestion>): number {
  if (!vector || mean?.length !== vector.length) return 0
  let [product, square] = [0, 0]
  for (let at = 0; at < vector.length; at++) {
    product += (vector[at] ?? 0) * (mean[at] ?? 0)
    square += (mean[at] ?? 0) ** 2
  }
  return square === 0 ? 0 : product / Math.sqrt(square)
}

/** Words in many questions say little about any one: "buy" in a shop. */
function weightOf(stemsOf: Set<string>[]): (stem: string) => number {
  const holders = new Map<string, number>()
  for (const stems of stemsOf) for (const stem of stems) holders.set(stem, (holders.get(stem) ?? 0) + 1)
  return (stem) => 1 + Math.log(stemsOf.length / (holders.get(stem) ?? 1))
}
