// Days as they are counted everywhere: in UTC.

export const DAY_MS = 86_400_000

/** Days since 1970. */
export function utcDay(now: number): number {
  return Math.floor(now / DAY_MS)
}
