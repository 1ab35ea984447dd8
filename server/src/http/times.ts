import { Fault } from '@docent/contract'

// Later ones would be written with a longer year, which is no RFC 3339 any more.
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms)
}

/** Undefined when the caller said nothing, null for "never". */
function parseTimestamp(text: string | null | undefined): number | null | undefined {
  return typeof text === 'string' ? Date.parse(text) : text
}

/** As above, for ends: one that has passed is refused, and one that could not be told again. */
export function parseExpiry(text: string | null | undefined, now: number): number | null | undefined {
  const time = parseTimestamp(text)
  if (typeof time !== 'number' || (time > now && time <= LAST)) return time
  const message = time > LAST ? 'Use a time before the year 10000.' : 'Use a time in the future.'
  throw new Fault('validation_failed', { details: [{ path: 'expires_at', message }] })
}
