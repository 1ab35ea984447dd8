import type { Signals } from '../../answers/types.ts'
import { SIGNAL_NAMES } from '../index/passage.ts'

// Each signal is scaled to 0..1 over a question's candidates, then weighted and added. The scale spans at least the
// signal's floor: where even the best candidate matches weakly, its small lead must not count in full.
// Weights and floors were chosen by leave-one-out validation across the evaluation sets
// (lab/fitting/fusion.ts, lab/reports/quality-details.md).

export interface Fusion {
  weight: number
  floor: number
}
export type FusionWeights = Partial<Record<keyof Signals, Fusion>>

/** Used without vectors: another language than English, no model, or the vector was late. */
export const lexicalWeights: FusionWeights = {
  words: { weight: 0.7, floor: 0 },
  grams: { weight: 3, floor: 0 },
  sentence: { weight: 0.7, floor: 0 },
  title: { weight: 0.3, floor: 0 },
  coverage: { weight: 0.3, floor: 0 },
  pairs: { weight: 0.4, floor: 0 },
  answerType: { weight: 0.15, floor: 0 },
}

export const vectorWeights: FusionWeights = {
  words: { weight: 0.1, floor: 0.4 },
  grams: { weight: 0.3, floor: 0.5 },
  sentence: { weight: 0.3, floor: 0.2 },
  vector: { weight: 1.3, floor: 0.5 },
  title: { weight: 0.05, floor: 0 },
  coverage: { weight: 0.2, floor: 0.2 },
  pairs: { weight: 0.15, floor: 0.2 },
  answerType: { weight: 0.1, floor: 0 },
}

/** One score per candidate, 0 to 1, to sort by. */
export function fuse(rows: Signals[], weights: FusionWeights): Float32Array {
  const scores = new Float32Array(rows.length)
  let sum = 0
  for (const name of SIGNAL_NAMES) {
    const { weight, floor } = weights[name] ?? none
    if (weight === 0) continue
    sum += weight
    // A single candidate is compared with zero.
    let low = rows.length === 1 ? 0 : Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const row of rows) {
      low = Math.min(low, row[name])
      high = Math.max(high, row[name])
    }
    if (high <= low) continue
    const factor = weight / Math.max(high - low, floor)
    for (let i = 0; i < rows.length; i++) scores[i]! += factor * (rows[i]![name] - low)
  }
  if (sum > 0) for (let i = 0; i < scores.length; i++) scores[i]! /= sum
  return scores
}

const none: Fusion = { weight: 0, floor: 0 }
