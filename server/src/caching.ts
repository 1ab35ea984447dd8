/** Caches a result for a while. Concurrent callers share one call; failures are not cached. */
export function cacheResult<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    if (!answer || performance.now() - askedAt >= forMs) {
      askedAt = performance.now()
      answer = ask()
      answer.catch(() => {
        answer = undefined
      })
    }
    return answer
  }
}

// Entries expire after a short time, so that busy callers cost few lookups.

interface Options {
  ttlMs: number
  maxEntries: number
  clock: () => number
  /** Whether misses are cached too. */
  keepsMisses?: boolean
}

export function makeTtlCache<Value>({ ttlMs, maxEntries, clock, keepsMisses = false }: Options) {
  const entries = new Map<string, { value: Value | undefined; expiresAt: number }>()
  let generation = 0

  return {
    async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
      const now = clock()
      const entry = entries.get(key)
      // Never longer than the TTL, even when the clock was set back.
      if (entry && entry.expiresAt > now && entry.expiresAt - now <= ttlMs) return entry.value
      const generationAtStart = generation
      const value = await load()
      // Do not cache what was loaded before an invalidation.
      if (generationAtStart === generation && (value !== undefined || keepsMisses)) {
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

/** Keeps the most recently used values; a Map remembers insertion order, so the first key is the oldest. */
export class Lru<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#limit) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }
}
