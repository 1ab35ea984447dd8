// Days are counted in UTC everywhere.

/** Nodes' clocks may differ by this much; a larger step back means the clock was set back. */
export const CLOCK_SKEW_MS = 10_000

export const DAY_MS = 86_400_000

/** Days since 1970. */
export function utcDay(now: number): number {
  return Math.floor(now / DAY_MS)
}

/** "2026-10-29", of a day since 1970. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
