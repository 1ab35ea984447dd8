// One memory budget for all indexes: passages, products and curated answers. The least recently used are evicted,
// whatever their kind; they can be rebuilt or loaded again.

// Counted even for an empty index, so that empty ones are evicted too.
const MIN_BYTES = 1024

export type IndexKind = 'passages' | 'products' | 'curated'

interface Entry {
  botId: string
  bytes: number
  evict: Evict
}

/** Drops the index. One with unsaved changes stays in memory until the promise resolves. */
type Evict = () => Promise<void> | undefined

export interface IndexMemory {
  /** Marks an index as used, and evicts the least recently used ones if it is new or larger and needs the room. */
  recordUse(kind: IndexKind, botId: string, bytes: number, evict: Evict): void
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
  /** Of evicted indexes that are still being saved. */
  let leavingBytes = 0

  function remove(key: string) {
    heldBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function leave({ bytes, evict }: Entry) {
    const saved = evict()
    if (!saved) return
    leavingBytes += bytes
    void saved.then(() => {
      leavingBytes -= bytes
    })
  }

  return {
    recordUse(kind, botId, sizeBytes, evict) {
      const bytes = Math.max(sizeBytes, MIN_BYTES)
      const own = `${kind} ${botId}`
      const isLarger = bytes > (entries.get(own)?.bytes ?? 0)
      remove(own)
      entries.set(own, { botId, bytes, evict })
      heldBytes += bytes
      if (!isLarger) return
      const room = limitBytes - leavingBytes
      for (const [key, entry] of entries) {
        if (heldBytes <= room || key === own) break
        remove(key)
        leave(entry)
      }
    },
    heldBytes: () => heldBytes + leavingBytes,
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
