import { Fault } from '@docent/contract'

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

/** As above, for ends: one that has passed is refused. */
export function parseExpiry(text: string | null | undefined, now: number): number | null | undefined {
  const time = parseTimestamp(text)
  if (typeof time !== 'number' || time > now) return time
  throw new Fault('validation_failed', { details: [{ path: 'expires_at', message: 'must lie in the future' }] })
}
