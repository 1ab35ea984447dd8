// Training bots with curated answers: a set as it is, with few phrasings per answer, and with few answers, so that many
// questions have none.
import type { EvalEntry, EvalSet } from '../evaluation/eval-set.ts'
import { seededRandom, shuffled } from './random.ts'

export interface CuratedScenario {
  name: string
  set: string
  /** Weight of its questions. */
  counts: number
  corpus: EvalEntry[]
  /** With the right answer, if any. */
  asked: { _id: string; text: string; right: string | undefined }[]
}

const MOST_ASKED = 400
// Real customer questions about a whole set weigh most; the small bots only keep the model from trusting a lead
// over nothing.
const shapes = [
  { answers: Number.POSITIVE_INFINITY, phrasings: Number.POSITIVE_INFINITY, counts: 4 },
  { answers: Number.POSITIVE_INFINITY, phrasings: 10, counts: 0.5 },
  { answers: 20, phrasings: 5, counts: 0.5 },
  { answers: 4, phrasings: 5, counts: 0.5 },
  { answers: 1, phrasings: 3, counts: 1 },
  { answers: 1, phrasings: 1, counts: 1 },
]
// Share of a small bot's questions that have an answer.
const ANSWERED_SHARE = 0.5

export function curatedScenarios(set: EvalSet): CuratedScenario[] {
  return shapes
    .filter(({ answers }) => answers === Number.POSITIVE_INFINITY || answers <= set.corpus.length / 2)
    .map(({ answers, phrasings, counts }) => {
      const name = `${set.name}: ${Number.isFinite(answers) ? answers : 'all'} answers, ${Number.isFinite(phrasings) ? phrasings : 'all'} phrasings`
      const random = seededRandom(name)
      const corpus = shuffled(set.corpus, random)
        .slice(0, answers)
        .map((entry) => ({ ...entry, examples: entry.examples?.slice(0, phrasings) ?? [] }))
      const knownIds = new Set(corpus.map(({ _id }) => _id))
      const questions = shuffled(set.queries, random).map(({ _id, text, answerable }) => {
        const right = answerable === false ? undefined : rightOne(set, _id)
        return { _id, text, right: right !== undefined && knownIds.has(right) ? right : undefined }
      })
      if (!Number.isFinite(answers))
        return { name, set: set.name, counts, corpus, asked: questions.slice(0, MOST_ASKED) }
      const inside = questions.filter(({ right }) => right !== undefined).slice(0, MOST_ASKED * ANSWERED_SHARE)
      const outside = questions.filter(({ right }) => right === undefined)
      const share = Math.round((inside.length * (1 - ANSWERED_SHARE)) / ANSWERED_SHARE)
      return { name, set: set.name, counts, corpus, asked: [...inside, ...outside.slice(0, share)] }
    })
}

function rightOne(set: EvalSet, queryId: string): string | undefined {
  return [...(set.qrels.get(queryId) ?? [])].find(([, grade]) => grade > 0)?.[0]
}
