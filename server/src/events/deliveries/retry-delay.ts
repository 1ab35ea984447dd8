// When a delivery that failed is tried again.
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const retryDelaysMs = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Spread over a fifth in both directions, so that what failed together does not come back together. */
const JITTER = 0.2
const LONGEST_ASKED_MS = 24 * HOUR

/** What a delivery waits at most after so many attempts, from none on, unless its endpoint asked for more. */
export const longestDelaysMs = [0, ...retryDelaysMs.map((delay) => delay * (1 + JITTER))]

/** After so many attempts; null when it was the last. An endpoint may ask for more time, not for less. */
export function retryDelayMs(attempts: number, askedMs: number | null, random: () => number): number | null {
  const delay = retryDelaysMs[attempts - 1]
  if (delay === undefined) return null
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)))
  return Math.max(spread, Math.min(askedMs ?? 0, LONGEST_ASKED_MS))
}
