// The indexes of one kind (passages, products or curated answers), one per bot: held in memory under the common budget,
// brought up to date when asked for, and saved a while after they changed.
import type { IndexKind, IndexMemory } from './index-memory.ts'

const SAVE_DELAY_MS = 30_000

export interface IndexCache<Entry> {
  get(botId: string): Entry | undefined
  all(): Iterable<Entry>
  /** Keeps it as the bot's index, used just now; those used longest ago make room. */
  keep(botId: string, entry: Entry): void
  /** The bot's index if it is current, else what catching up makes of it; who comes meanwhile waits for the same. */
  upToDate(
    botId: string,
    isCurrent: (entry: Entry) => boolean,
    catchUp: (known: Entry | undefined) => Promise<Entry>,
  ): Promise<Entry>
  saveSoon(botId: string): void
  /** Saves what is waiting to be saved. */
  close(): Promise<void>
}

interface Options<Entry> {
  kind: IndexKind
  memory: Pick<IndexMemory, 'used'>
  bytesOf: (entry: Entry) => number
  save?: (botId: string, entry: Entry, isClosing: boolean) => Promise<void>
  onError?: (error: unknown) => void
}

export function createIndexCache<Entry>({ kind, memory, bytesOf, save, onError }: Options<Entry>): IndexCache<Entry> {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry>>()
  const timers = new Map<string, NodeJS.Timeout>()
  let isClosing = false

  function keep(botId: string, entry: Entry) {
    entries.set(botId, entry)
    memory.used(kind, botId, bytesOf(entry), () => entries.get(botId) === entry && entries.delete(botId))
  }

  async function upToDate(
    botId: string,
    isCurrent: (entry: Entry) => boolean,
    catchUp: (known: Entry | undefined) => Promise<Entry>,
  ): Promise<Entry> {
    const known = entries.get(botId)
    if (known && isCurrent(known)) {
      keep(botId, known)
      return known
    }
    const underWay = loading.get(botId)
    if (underWay) {
      const loaded = await underWay
      return isCurrent(loaded) ? loaded : upToDate(botId, isCurrent, catchUp)
    }
    const coming = catchUp(known).finally(() => loading.delete(botId))
    loading.set(botId, coming)
    const loaded = await coming
    keep(botId, loaded)
    return loaded
  }

  async function saveNow(botId: string) {
    clearTimeout(timers.get(botId))
    timers.delete(botId)
    const entry = entries.get(botId)
    if (entry !== undefined) await save?.(botId, entry, isClosing)
  }

  return {
    get: (botId) => entries.get(botId),
    all: () => entries.values(),
    keep,
    upToDate,
    saveSoon(botId) {
      clearTimeout(timers.get(botId))
      if (!isClosing) timers.set(botId, setTimeout(() => saveNow(botId).catch(onError), SAVE_DELAY_MS).unref())
    },
    async close() {
      isClosing = true
      await Promise.allSettled([...timers.keys()].map(saveNow))
    },
  }
}
