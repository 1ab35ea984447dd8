// Embedding a question takes milliseconds; skip it when the words alone leave no doubt.
import type { Signals } from '../types.ts'

export interface LexicalHit {
  score: number
  signals: Signals
}

// The first passage must cover most of the question, with a clear lead in both scores. Chosen by hand; `npm run eval`
// with and without `--every-vector` measures the cost of skipping.
export const certainty = { coverage: 0.6, words: 0.3, wordsLead: 0.15, gramsLead: 0.1 }

/** Whether hits found without vectors, best first, are certain. */
export function canSkipVectors(hits: readonly LexicalHit[]): boolean {
  const [first, ...others] = hits
  if (!first) return false
  const lead = (name: 'words' | 'grams') => first.signals[name] - Math.max(0, ...others.map((hit) => hit.signals[name]))
  const { coverage, words } = first.signals
  return (
    coverage >= certainty.coverage &&
    words >= certainty.words &&
    lead('words') >= certainty.wordsLead &&
    lead('grams') >= certainty.gramsLead
  )
}
