// One memory budget for all indexes: passages, products and curated answers. The least recently used are evicted,
// whatever their kind; they can be rebuilt or loaded again.

// Counted even for an empty index, so that empty ones are evicted too.
const MIN_BYTES = 1024

export type IndexKind = 'passages' | 'products' | 'curated'

interface Entry {
  botId: string
  bytes: number
  evict: () => void
}

export interface IndexMemory {
  /** Marks an index as used, evicting the least recently used ones if needed. */
  recordUse(kind: IndexKind, botId: string, bytes: number, evict: () => void): void
  heldBytes(): number
  /** Whether at least half of the budget is free. */
  hasRoom(): boolean
  /** Drops all indexes of a deleted bot. */
  releaseBot(botId: string): void
  onRelease(forget: (botId: string) => void): void
}

export function createIndexMemory(limitBytes: number): IndexMemory {
  // In order of last use.
  const entries = new Map<string, Entry>()
  const forgets: ((botId: string) => void)[] = []
  let heldBytes = 0

  function remove(key: string) {
    heldBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    recordUse(kind, botId, sizeBytes, evict) {
      const bytes = Math.max(sizeBytes, MIN_BYTES)
      const own = `${kind} ${botId}`
      remove(own)
      entries.set(own, { botId, bytes, evict })
      heldBytes += bytes
      for (const [key, entry] of entries) {
        if (heldBytes <= limitBytes || key === own) break
        remove(key)
        entry.evict()
      }
    },
    heldBytes: () => heldBytes,
    hasRoom: () => heldBytes <= limitBytes / 2,
    releaseBot(botId) {
      for (const [key, entry] of entries) {
        if (entry.botId === botId) remove(key)
      }
      for (const forget of forgets) forget(botId)
    },
    onRelease: (forget) => forgets.push(forget),
  }
}
