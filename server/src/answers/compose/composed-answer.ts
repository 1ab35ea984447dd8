import type { Hit, Source } from '../types.ts'
import type { ScoredUnit } from './units/score-units.ts'

export interface ComposedAnswer {
  text: string
  sources: Source[]
  /** Hits whose sentences the text holds, in order of use. */
  used: Hit[]
  /** The unit of the first hit that answers best, for the confidence; none where a reader marked the answer. */
  best: ScoredUnit | undefined
}
