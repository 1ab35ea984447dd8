import type { Hit } from './types.ts'

/** How much of the question the best passage covers: rare words weigh more than common ones. */
export function confidenceOf(hits: Hit[]): number {
  const coverage = hits[0]?.coverage ?? 0
  return Math.round(Math.min(0.95, coverage) * 100) / 100
}
