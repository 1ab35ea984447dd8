// What to do with an answer of a given confidence. Bots may set their own thresholds; these are the defaults.
import { DEFAULT_ANSWER_THRESHOLD, DEFAULT_SUGGEST_THRESHOLD } from '@docent/contract'

export interface Thresholds {
  /** From here on, the answer is given as is. */
  answer: number
  /** From here on, it is given with "did you mean" and buttons; below, the bot falls back. */
  suggest: number
}

export type Decision = 'answer' | 'suggest' | 'fall_back'

export const defaultThresholds: Thresholds = { answer: DEFAULT_ANSWER_THRESHOLD, suggest: DEFAULT_SUGGEST_THRESHOLD }

export function decide(confidence: number, thresholds: Thresholds): Decision {
  if (confidence >= thresholds.answer) return 'answer'
  return confidence >= thresholds.suggest ? 'suggest' : 'fall_back'
}
