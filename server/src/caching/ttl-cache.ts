// Entries expire after a short time, so that busy callers cost few lookups.

interface Options {
  ttlMs: number
  maxEntries: number
  clock: () => number
  /** Whether misses are cached too. */
  keepsMisses?: boolean
}

export function createTtlCache<Value>({ ttlMs, maxEntries, clock, keepsMisses = false }: Options) {
  const entries = new Map<string, { value: Value | undefined; expiresAt: number }>()
  let generation = 0

  return {
    async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
      const now = clock()
      const entry = entries.get(key)
      // Never longer than the TTL, even when the clock was set back.
      if (entry && entry.expiresAt > now && entry.expiresAt - now <= ttlMs) return entry.value
      const asked = generation
      const value = await load()
      // Do not cache what was loaded before an invalidation.
      if (asked === generation && (value !== undefined || keepsMisses)) {
        if (entries.size >= maxEntries) entries.clear()
        entries.set(key, { value, expiresAt: now + ttlMs })
      }
      return value
    },

    delete(key: string) {
      generation++
      entries.delete(key)
    },

    clear() {
      generation++
      entries.clear()
    },
  }
}
