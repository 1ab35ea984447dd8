// Days as they are counted everywhere: in UTC.

/** Clocks of nodes may differ by this much; one that goes back by more was set back. */
export const CLOCK_SKEW_MS = 10_000

export const DAY_MS = 86_400_000

/** Days since 1970. */
export function utcDay(now: number): number {
  return Math.floor(now / DAY_MS)
}
