/** Parses `Retry-After`, in seconds or as a date; null when it is absent or invalid. */
export function retryAfterMs(header: string | string[] | null | undefined, now: number): number | null {
  const text = [header].flat()[0]?.trim()
  if (!text) return null
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null
}
