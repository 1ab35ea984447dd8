// What is done with an answer of a given confidence. Both thresholds are the bot's own; these are the defaults.

export interface Thresholds {
  /** From here on the answer is given as it is. */
  answer: number
  /** From here on it is given with "did you mean" and buttons; below, the bot falls back. */
  suggest: number
}

export type Decision = 'answer' | 'suggest' | 'fall_back'

// Chosen by hand; `npm run eval` tells how many of the answers given, suggested and withheld at them are right.
export const defaultThresholds: Thresholds = { answer: 0.5, suggest: 0.2 }

export function decide(confidence: number, thresholds: Thresholds = defaultThresholds): Decision {
  if (confidence >= thresholds.answer) return 'answer'
  return confidence >= thresholds.suggest ? 'suggest' : 'fall_back'
}
