import type { Hit, Source } from '../types.ts'
import type { ScoredUnit } from './units/score-units.ts'

export interface ComposedAnswer {
  text: string
  sources: Source[]
  /** Hits quoted in the text, in order of use. */
  used: Hit[]
  /** The best-scoring unit of the first hit, for the confidence; undefined if a reader marked the answer. */
  best: ScoredUnit | undefined
}
