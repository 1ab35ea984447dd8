import { Fault } from '@docent/contract'

// RFC 3339 has four-digit years.
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Undefined: not given. Null: never expires. Refuses a past expiry, or one that RFC 3339 cannot express. */
export function parseExpiry(text: string | null | undefined, now: number): number | null | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : text
  if (typeof time !== 'number' || (time > now && time <= LAST)) return time
  const message = time > LAST ? 'Use a time before the year 10000.' : 'Use a time in the future.'
  throw new Fault('validation_failed', { details: [{ path: 'expires_at', message }] })
}
