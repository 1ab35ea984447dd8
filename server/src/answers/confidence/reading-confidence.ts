// How likely an answer is right where the reader has looked at the passages.
import type { Hit, Question } from '../types.ts'
import { probability } from './logistic.ts'
import model from './reading-confidence-model.json' with { type: 'json' }

export interface ReadingFeatures {
  /** Log-odds that the first passage answers, over ten. */
  relevance: number
  /** By how much it is ahead of the next one, and of the mean of the others; over ten. */
  lead: number
  ahead: number
  /** The highest of all, over ten. */
  best: number
  /** By how much the marked answer beats "nowhere", over ten. */
  span: number
  /** How much of the question the first passage holds, and how near it is in meaning. */
  coverage: number
  words: number
  vector: number
  /** 1 for a question that follows others. */
  follows: number
  /** Log-odds by words and vectors alone, over ten. */
  byWords: number
}

const LEAST = 0.01

export const readingFeatureNames = [
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
] as const satisfies (keyof ReadingFeatures)[]

export function readingFeatures(
  question: Question,
  hits: readonly Hit[],
  /** How likely the answer is right by words and vectors alone. */
  byWords: number,
): ReadingFeatures | undefined {
  const [first, ...others] = hits
  if (!first?.reading) return undefined
  const relevances = others.flatMap(({ reading }) => (reading ? [reading.relevance] : []))
  const mean = relevances.reduce((sum, one) => sum + one, 0) / Math.max(1, relevances.length)
  const { relevance, span } = first.reading
  return {
    relevance: relevance / 10,
    lead: (relevance - Math.max(-8, ...relevances)) / 10,
    ahead: (relevance - (relevances.length > 0 ? mean : -8)) / 10,
    best: Math.max(relevance, ...relevances) / 10,
    span: (span?.lead ?? -10) / 10,
    coverage: first.signals.coverage,
    words: first.signals.words,
    vector: first.signals.vector,
    byWords: Math.log(Math.max(LEAST, byWords) / Math.max(LEAST, 1 - byWords)) / 10,
    follows: question.leaning === undefined ? 0 : Number(question.leaning > 0),
  }
}

export function readingConfidence(features: ReadingFeatures): number {
  return probability(model, { ...features })
}
