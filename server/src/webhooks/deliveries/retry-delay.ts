// When a failed delivery is retried.
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

/** Plus or minus 20 %, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
const LONGEST_ASKED_MS = 24 * HOUR

/** Longest delay by number of attempts, starting at 0, unless the endpoint asked for more. */
export const longestDelaysMs = [0, ...retryDelaysMs.map((delay) => delay * (1 + JITTER))]

/** Null after the last attempt. An endpoint may ask for a longer delay, not a shorter one. */
export function retryDelayMs(attempts: number, askedMs: number | null, random: () => number): number | null {
  const delay = retryDelaysMs[attempts - 1]
  if (delay === undefined) return null
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)))
  return Math.max(spread, Math.min(askedMs ?? 0, LONGEST_ASKED_MS))
}
