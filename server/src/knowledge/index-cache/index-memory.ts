// One budget of bytes for all indexes in memory: of passages, products and curated answers. Those used longest ago are
// dropped, whatever they hold; they can be built or loaded again.

// What even an empty index takes, so that those are dropped, too.
const LEAST_BYTES = 1024

export type IndexKind = 'passages' | 'products' | 'curated'

interface Entry {
  botId: string
  bytes: number
  evict: () => void
}

export interface IndexMemory {
  /** An index was used just now: those used longest ago make room for it. */
  used(kind: IndexKind, botId: string, bytes: number, evict: () => void): void
  heldBytes(): number
  /** Whether at least half of the budget is left. */
  hasRoom(): boolean
  /** Drops everything of a bot that was removed. */
  releaseBot(botId: string): void
  onRelease(forget: (botId: string) => void): void
}

export function createIndexMemory(limitBytes: number): IndexMemory {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  const forgets: ((botId: string) => void)[] = []
  let heldBytes = 0

  function remove(key: string) {
    heldBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    used(kind, botId, sizeBytes, evict) {
      const bytes = Math.max(sizeBytes, LEAST_BYTES)
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
