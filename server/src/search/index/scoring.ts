import { findKey, type Segment } from './segment.ts'

// Constants of the lexical scores, chosen by hand on the evaluation sets.

export const wordScoring = { k1: 1.3, b: 0.75 }
export const gramScoring = { k1: 1.2, b: 0.75 }
export const sentenceScoring = { k1: 0.8, b: 0.4 }
export const fieldWeights = { title: 2, headings: 1.5, body: 1, questions: 1 }

/** BM25's saturating frequency, between 0 and 1. */
export const saturation = (frequency: number, k1 = wordScoring.k1): number => frequency / (frequency + k1)

/** BM25's inverse document frequency, never negative. */
export const inverseFrequency = (documents: number, holdingCount: number): number =>
  Math.log(1 + (documents - holdingCount + 0.5) / (holdingCount + 0.5))

/** How many passages contain a stem. */
export function documentsHolding(segments: readonly Segment[], stemKey: number): number {
  let holdingCount = 0
  for (const segment of segments) {
    const stem = findKey(segment.stemTable, segment.stemKeys, stemKey)
    if (stem >= 0) holdingCount += segment.postingStart[stem + 1]! - segment.postingStart[stem]!
  }
  return holdingCount
}
