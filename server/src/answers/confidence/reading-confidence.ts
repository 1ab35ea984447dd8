// How likely an answer is right, for passages with readings.
import type { Hit, Question } from '../types.ts'
import type { ConfidenceFeatures } from './confidence-features.ts'
import { LEAST, probability } from './logistic.ts'
import model from './reading-confidence-model.json' with { type: 'json' }

export interface ReadingFeatures {
  /** Log-odds that the first passage answers, divided by ten. */
  relevance: number
  /** Its lead over the next one, and over the mean of the others; divided by ten. */
  lead: number
  ahead: number
  /** The highest of all, divided by ten. */
  best: number
  /** The first and the highest without the earlier questions, divided by ten. */
  alone: number
  bestAlone: number
  /** By how much the marked answer outscores "no answer", divided by ten. */
  span: number
  /** How much of the question the first passage covers, and how close it is in meaning. */
  coverage: number
  words: number
  vector: number
  /** 1 for a follow-up question. */
  follows: number
  /** Log-odds by words and vectors alone, divided by ten. */
  byWords: number
  /** Shares of the question that no passage has, and that the first lacks; likewise for its names. */
  unknown: number
  rareMissing: number
  namesMissing: number
}

/** Typical relevance of a passage that does not answer. */
export const UNREAD = -8
// Used if no passage has a vector yet, which is no evidence against the answer.
const TYPICAL_VECTOR = 0.5

export const READING_FEATURE_NAMES = [
  'relevance',
  'lead',
  'ahead',
  'best',
  'span',
  'coverage',
  'words',
  'vector',
  'follows',
  'byWords',
  'alone',
  'bestAlone',
  'unknown',
  'rareMissing',
  'namesMissing',
] as const satisfies (keyof ReadingFeatures)[]

export function readingFeatures(
  question: Question,
  hits: readonly Hit[],
  /** How likely the answer is right by words and vectors alone, and why. */
  byWords: number,
  { unknown = 0, rareMissing = 0, namesMissing = 0 }: Partial<ConfidenceFeatures> = {},
): ReadingFeatures | undefined {
  const [first, ...others] = hits
  if (!first?.reading) return undefined
  const readings = others.flatMap(({ reading }) => reading ?? [])
  const relevances = readings.map(({ relevance }) => relevance)
  const mean = relevances.reduce((sum, one) => sum + one, 0) / Math.max(1, relevances.length)
  const { relevance, span } = first.reading
  const alone = [first.reading, ...readings].map((reading) => reading.alone ?? reading.relevance)
  return {
    relevance: relevance / 10,
    lead: (relevance - Math.max(UNREAD, ...relevances)) / 10,
    ahead: (relevance - (relevances.length > 0 ? mean : UNREAD)) / 10,
    best: Math.max(relevance, ...relevances) / 10,
    alone: (alone[0] ?? UNREAD) / 10,
    bestAlone: Math.max(...alone) / 10,
    span: (span?.lead ?? -10) / 10,
    coverage: first.signals.coverage,
    words: first.signals.words,
    vector: hits.some(({ signals }) => signals.vector > 0) ? first.signals.vector : TYPICAL_VECTOR,
    byWords: Math.log(Math.max(LEAST, byWords) / Math.max(LEAST, 1 - byWords)) / 10,
    follows: question.leaning === undefined ? 0 : Number(question.leaning > 0),
    unknown,
    rareMissing,
    namesMissing,
  }
}

export function readingConfidence(features: ReadingFeatures): number {
  return probability(model, { ...features })
}
