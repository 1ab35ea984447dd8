// What to do with an answer of a given confidence. Bots may set their own thresholds; these are the defaults.

export interface Thresholds {
  /** From here on, the answer is given as is. */
  answer: number
  /** From here on, it is given with "did you mean" and buttons; below, the bot falls back. */
  suggest: number
}

export type Decision = 'answer' | 'suggest' | 'fall_back'

// Chosen by hand; `npm run eval` reports how many of the given, suggested and withheld answers are right.
export const defaultThresholds: Thresholds = { answer: 0.5, suggest: 0.2 }

export function decide(confidence: number, thresholds: Thresholds): Decision {
  if (confidence >= thresholds.answer) return 'answer'
  return confidence >= thresholds.suggest ? 'suggest' : 'fall_back'
}
