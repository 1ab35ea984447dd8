// How likely a language model's reply is right. What it says of itself counts most; a little depends on how well the
// content fits.
import type { ModelAnswer } from '../language-model/types.ts'
import { policy } from '../policy.ts'
import { roundConfidence } from './logistic.ts'

export function modelConfidence(
  { outcome, isReported, finish }: Pick<ModelAnswer, 'outcome' | 'isReported' | 'finish'>,
  /** The composer's, in the best passage. */
  pageConfidence: number,
): number {
  if (outcome === 'not_found') return Math.min(pageConfidence, policy.modelNotFound)
  const isWhole = isReported && finish !== 'length'
  const base = outcome === 'partly' ? policy.modelPartly : isWhole ? policy.modelAnswered : policy.modelUnreported
  return roundConfidence(base + policy.modelAdds * pageConfidence)
}
