// Caches the indexes of one kind (passages, products, curated answers or actions), one per bot, within the shared memory
// budget. They are updated on demand and saved some time after a change.
import { StorageError } from '../../storage/database.ts'

const SAVE_DELAY_MS = 30_000

interface IndexCache<Entry> {
  get(botId: string): Entry | undefined
  all(): Iterable<Entry>
  /** Stores the bot's index as most recently used, evicting others if needed. */
  keep(botId: string, entry: Entry): void
  /** The bot's index, updated first if outdated; concurrent callers share one update. */
  upToDate(
    botId: string,
    isCurrent: (entry: Entry) => boolean,
    catchUp: (entry: Entry | undefined) => Promise<Entry>,
  ): Promise<Entry>
  saveSoon(botId: string): void
  /** Saves pending changes and waits for running saves. */
  close(): Promise<void>
}

/** Some time after a change, on eviction, or at shutdown. */
export type SaveTime = 'later' | 'evicted' | 'closing'

interface Options<Entry> {
  kind: IndexKind
  memory: Pick<IndexMemory, 'recordUse' | 'onRelease'>
  bytesOf: (entry: Entry) => number
  save?: (botId: string, entry: Entry, time: SaveTime) => Promise<void>
  onError?: (error: unknown) => void
}

export function openIndexCache<Entry>({ kind, memory, bytesOf, save, onError }: Options<Entry>): IndexCache<Entry> {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, { coming: Promise<Entry>; isWanted: boolean }>()
  const timers = new Map<string, NodeJS.Timeout>()
  const saving = new Map<Promise<void>, Entry>()
  let isClosing = false
  memory.onRelease(forget)

  function keep(botId: string, entry: Entry) {
    entries.set(botId, entry)
    memory.recordUse(kind, botId, bytesOf(entry), () => evict(botId, entry))
  }

  /** Unsaved changes are saved now, or the index would have to be rebuilt. */
  function evict(botId: string, entry: Entry): Promise<void> | undefined {
    if (entries.get(botId) !== entry) return undefined
    entries.delete(botId)
    if (stopTimer(botId)) return saveNow(botId, entry, 'evicted')
    return [...saving].find(([, savedEntry]) => savedEntry === entry)?.[0]
  }

  /** The bot was deleted: an index that is still loading is not kept. */
  function forget(botId: string) {
    entries.delete(botId)
    stopTimer(botId)
    const load = loading.get(botId)
    if (load) load.isWanted = false
  }

  async function upToDate(
    botId: string,
    isCurrent: (entry: Entry) => boolean,
    catchUp: (entry: Entry | undefined) => Promise<Entry>,
  ): Promise<Entry> {
    const entry = entries.get(botId)
    if (entry && isCurrent(entry)) {
      keep(botId, entry)
      return entry
    }
    const underWay = loading.get(botId)
    if (underWay) {
      const loadedEntry = await underWay.coming
      return isCurrent(loadedEntry) ? loadedEntry : upToDate(botId, isCurrent, catchUp)
    }
    const load = { coming: catchUp(entry), isWanted: true }
    loading.set(botId, load)
    try {
      const loadedEntry = await load.coming
      if (load.isWanted) keep(botId, loadedEntry)
      return loadedEntry
    } finally {
      loading.delete(botId)
    }
  }

  /** Returns whether a timer was set. */
  function stopTimer(botId: string): boolean {
    clearTimeout(timers.get(botId))
    return timers.delete(botId)
  }

  function saveKept(botId: string, time: SaveTime) {
    stopTimer(botId)
    const entry = entries.get(botId)
    if (entry !== undefined) void saveNow(botId, entry, time)
  }

  async function saveNow(botId: string, entry: Entry, time: SaveTime) {
    const saveDone = save?.(botId, entry, time).catch((error: unknown) => {
      // The bot was deleted meanwhile, perhaps on another node.
      if (!(error instanceof StorageError && error.kind === 'foreign_key')) onError?.(error)
    })
    if (!saveDone) return
    saving.set(saveDone, entry)
    await saveDone
    saving.delete(saveDone)
  }

  return {
    get: (botId) => entries.get(botId),
    all: () => entries.values(),
    keep,
    upToDate,
    saveSoon(botId) {
      stopTimer(botId)
      if (!isClosing) timers.set(botId, setTimeout(saveKept, SAVE_DELAY_MS, botId, 'later').unref())
    },
    async close() {
      isClosing = true
      for (const botId of [...timers.keys()]) saveKept(botId, 'closing')
      await Promise.all(saving.keys())
    },
  }
}

// One memory budget for all indexes: passages, products and curated answers. The least recently used are evicted,
// whatever their kind; they can be rebuilt or loaded again.

// Counted even for an empty index, so that empty ones are evicted too.
const MIN_BYTES = 1024

type IndexKind = 'passages' | 'products' | 'curated' | 'actions'

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

export function openIndexMemory(limitBytes: number): IndexMemory {
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
    const saveDone = evict()
    if (!saveDone) return
    leavingBytes += bytes
    void saveDone.then(() => {
      leavingBytes -= bytes
    })
  }

  return {
    recordUse(kind, botId, sizeBytes, evict) {
      const bytes = Math.max(sizeBytes, MIN_BYTES)
      const ownKey = `${kind} ${botId}`
      const isLarger = bytes > (entries.get(ownKey)?.bytes ?? 0)
      remove(ownKey)
      entries.set(ownKey, { botId, bytes, evict })
      heldBytes += bytes
      if (!isLarger) return
      const room = limitBytes - leavingBytes
      for (const [key, entry] of entries) {
        if (heldBytes <= room || key === ownKey) break
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
