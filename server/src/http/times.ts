export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms)
}

/** Undefined when the caller said nothing, null for "never". */
export function parseTimestamp(text: string | null | undefined): number | null | undefined {
  return typeof text === 'string' ? Date.parse(text) : text
}
