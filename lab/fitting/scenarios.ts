// Training bots: a set as it is, and small bots with a few of its documents. Small bots are asked about those, about
// documents left out, and about other sets, partly in two or three keywords.

import { stopWords } from '../../server/src/language/languages.ts'
import { words } from '../../server/src/language/words.ts'
import { languageOf } from '../evaluation/eval-bot.ts'
import { type EvalEntry, type EvalQuery, type EvalSet, isListed } from '../evaluation/eval-set.ts'
import { seededRandom, shuffled } from './random.ts'

export interface Asked {
  query: EvalQuery
  grades: Map<string, number>
  /** Article or dialogue: never on both sides of a split. */
  group: string
  /** The bot's documents lack the answer, whatever the set says. */
  outside: boolean
}

export interface Scenario {
  name: string
  set: string
  corpus: EvalEntry[]
  asked: Asked[]
  /** Facts of one product are always searched on their own. */
  listed: boolean
}

// Most bots have ten to fifty pages.
const SMALL_SIZES = [8, 12, 20, 30, 40, 50, 80]
const most = { whole: 1500, inside: 36, near: 16, foreign: 8 }

/** Questions off topic for the set, in any language. */
export function offTopicQuestions(set: EvalSet, others: readonly EvalSet[]): EvalQuery[] {
  const articles = new Set(set.corpus.map(({ _id }) => articleOf(_id)))
  return others
    .filter(({ name }) => name !== set.name)
    .flatMap((other) =>
      shuffled(other.queries, seededRandom(other.name))
        .filter(({ _id, history }) => !history?.length && !articles.has(articleOf(rightOnes(other, _id)[0] ?? _id)))
        .slice(0, 300),
    )
}

const articleOf = (documentId: string) => documentId.replace(/#\d+$/, '')

export function scenariosOf(set: EvalSet, foreign: readonly EvalQuery[]): Scenario[] {
  const whole = {
    name: `${set.name}: whole`,
    set: set.name,
    corpus: set.corpus,
    asked: inside(set, set.corpus, most.whole),
    listed: isListed(set),
  }
  if (whole.listed) return [whole]
  const sizes = SMALL_SIZES.filter((size) => size <= set.corpus.length / 2)
  return [whole, ...sizes.map((size, number) => smallBot(set, size, number, foreign))]
}

function smallBot(set: EvalSet, size: number, number: number, foreign: readonly EvalQuery[]): Scenario {
  const random = seededRandom(`${set.name} ${size}`)
  // Every second bot covers one subject, the others many.
  const start = Math.floor(random() * (set.corpus.length - size))
  const corpus = number % 2 === 0 ? set.corpus.slice(start, start + size) : shuffled(set.corpus, random).slice(0, size)
  const knownIds = new Set(corpus.map(({ _id }) => _id))
  const near = shuffled(set.queries, random)
    .filter(({ _id, answerable }) => answerable !== false && rightOnes(set, _id).length > 0)
    .filter(({ _id }) => !rightOnes(set, _id).some((id) => knownIds.has(id)))
    .slice(0, most.near)
  const strangers = shuffled(foreign, random)
    .slice(0, most.foreign)
    .map(({ _id, text }) => ({ _id, text }))
  const outside = [...near, ...strangers].map((query) => ({
    query,
    grades: new Map<string, number>(),
    group: groupOf(set, query),
    outside: true,
  }))
  return {
    name: `${set.name}: ${size} documents`,
    set: set.name,
    corpus,
    asked: [...inside(set, corpus, most.inside, random), ...outside].flatMap((question, index) =>
      index % KEYWORDS_EVERY === 0 ? [question, inKeywords(set, question, random)] : [question],
    ),
    listed: false,
  }
}

// Visitors also type keywords, which no set contains.
const KEYWORDS_EVERY = 3

function inKeywords(set: EvalSet, question: Asked, random: () => number): Asked {
  const language = languageOf(set.name)
  const content = words(question.query.text, language).filter((word) => !stopWords(language).has(word))
  const from = Math.floor(random() * Math.max(1, content.length - 2))
  const keywords = content.slice(from, from + 2 + Math.round(random()))
  return {
    ...question,
    query: { ...question.query, text: keywords.join(language === 'zh' ? '' : ' ') || question.query.text },
  }
}

function inside(set: EvalSet, corpus: EvalEntry[], limit: number, random = seededRandom(set.name)): Asked[] {
  const knownIds = new Set(corpus.map(({ _id }) => _id))
  return shuffled(set.queries, random)
    .filter(({ _id, answerable }) => {
      const listedIds = [...(set.qrels.get(_id)?.keys() ?? [])]
      return answerable === false
        ? listedIds.every((id) => knownIds.has(id))
        : rightOnes(set, _id).some((id) => knownIds.has(id))
    })
    .slice(0, limit)
    .map((query) => ({
      query,
      grades: set.qrels.get(query._id) ?? new Map<string, number>(),
      group: groupOf(set, query),
      outside: false,
    }))
}

function rightOnes(set: EvalSet, queryId: string): string[] {
  return [...(set.qrels.get(queryId) ?? [])].filter(([, grade]) => grade > 0).map(([id]) => id)
}

function groupOf(set: EvalSet, { _id, history }: EvalQuery): string {
  // Questions of a dialogue share an id prefix: 106_6, 106_7.
  if (history) return _id.replace(/(_|<::>)\d+$/, '')
  return articleOf(rightOnes(set, _id)[0] ?? _id)
}
