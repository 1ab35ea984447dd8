// One product index per bot, loaded from its snapshot and updated in small batches, so that nothing waits for it.
// Only a question asked after a sync has ended waits until all of it is in.
import { type IndexMemory, openIndexCache, type SaveTime } from '../../search/cache/index-cache.ts'
import type { ProductsTable } from '../../storage/products.ts'
import { makeSliceTimer } from '../background-lane.ts'
import type { Product } from '../product.ts'
import {
  addGroup,
  appendSlots,
  dropProduct,
  fieldOf,
  makeProductIndex,
  type ProductIndex,
  postingOf,
  productIndexBytes,
  putProduct,
  slotOf,
} from './product-index.ts'
import type { ProductSnapshots } from './product-snapshots.ts'

const PRODUCTS_AT_ONCE = 25
/** From this many products on, building the index takes noticeable time. */
const SAVED_FROM = 1000
/** With fewer changes, catching up is faster than saving everything. */
const SAVED_SHARE = 0.05

interface CachedIndex {
  index: ProductIndex
  version: number
  catchingUp: Promise<void> | null
  /** While it is being copied, nothing may be added. */
  copying: Promise<void> | null
  /** Number of products added since the last save. */
  unsaved: number
  /** Questions waiting for it to catch up, which then takes priority. */
  questions: number
  wasAsked: boolean
}

export interface ProductIndexes {
  /** The bot's index, at least at the ready version. */
  get(bot: ProductBot): Promise<ProductIndex>
  /** Catches up ahead of the next question. Resolves at once for a bot that was never asked. */
  catchUp(bot: Pick<ProductBot, 'id' | 'language'>): Promise<void>
  /** Ends running work and saves pending changes. */
  close(): Promise<void>
}

interface ProductBot {
  id: string
  language: string
  /** Increased by every change to the catalogue. */
  productVersion: number
  /** The version at the end of the last sync. */
  productReadyVersion: number
}

interface Deps {
  products: Pick<ProductsTable, 'version' | 'listChangedSince' | 'listRemovedSince'>
  snapshots: ProductSnapshots
  memory: Pick<IndexMemory, 'recordUse' | 'hasRoom' | 'onRelease'>
  /** Waits for the next slice of the event loop. */
  nextSlice: () => Promise<void>
  onError: (error: unknown) => void
}

export function openProductIndexes({ products, snapshots, memory, nextSlice, onError }: Deps): ProductIndexes {
  const cache = openIndexCache<CachedIndex>({
    kind: 'products',
    memory,
    bytesOf: ({ index }) => productIndexBytes(index),
    save,
    onError,
  })
  let isClosed = false

  function heldFor({ id, language }: Pick<ProductBot, 'id' | 'language'>): CachedIndex {
    const cachedEntry = cache.get(id)
    const usable = cachedEntry && cachedEntry.index.language === language ? cachedEntry : undefined
    const entry = usable ?? newEntry(language)
    cache.keep(id, entry)
    return entry
  }

  function catchUp(botId: string, entry: CachedIndex): Promise<void> {
    entry.catchingUp ??= (entry.copying ?? Promise.resolve())
      .then(() => advance(botId, entry))
      .finally(() => {
        entry.catchingUp = null
        if (cache.get(botId) === entry) cache.keep(botId, entry)
        compact(entry)
      })
    return entry.catchingUp
  }

  function compact(entry: CachedIndex) {
    if (entry.copying || !needsCompaction(entry.index)) return
    const copying = compactProducts(entry.index, () => pauseFor(entry)).then((index) => {
      entry.index = index
    })
    entry.copying = copying.catch(onError).finally(() => {
      entry.copying = null
    })
  }

  async function advance(botId: string, entry: CachedIndex) {
    // Without a snapshot it is built from the products.
    if (entry.version === 0) await restore(botId, entry).catch(onError)
    // Read first: changes made during the other reads are picked up the next time.
    const version = await products.version(botId)
    if (version <= entry.version) return
    const since = entry.version
    if (since > 0) for (const id of await products.listRemovedSince(botId, since)) dropProduct(entry.index, id)
    await putChanged(botId, entry, since)
    if (isClosed) return
    entry.version = version
    if (entry.unsaved >= SAVED_FROM && entry.unsaved >= entry.index.live * SAVED_SHARE) cache.saveSoon(botId)
  }

  async function restore(botId: string, entry: CachedIndex) {
    const snapshot = await snapshots.load(botId, entry.index.language, () => pauseFor(entry))
    if (!snapshot) return
    entry.index = snapshot.index
    entry.version = snapshot.version
  }

  async function save(botId: string, entry: CachedIndex, time: SaveTime) {
    if (time === 'later' && (entry.catchingUp || entry.copying)) {
      cache.saveSoon(botId)
      return
    }
    for (let busy = entry.catchingUp ?? entry.copying; busy; busy = entry.catchingUp ?? entry.copying)
      await busy.catch(noResult)
    const next = time === 'closing' ? yieldToLoop : nextSlice
    const { version, index, unsaved } = entry
    // Saving blocks additions, so it stops when a question needs them.
    const saving = snapshots.save(botId, { version, index }, () => entry.questions > 0, next)
    entry.copying = saving.then(noResult, onError).finally(() => {
      entry.copying = null
    })
    const { isWhole, saveId } = await saving
    if (isWhole) {
      entry.unsaved -= unsaved
      await snapshots.removeOthers(botId, saveId, next)
    } else cache.saveSoon(botId)
  }

  /** While a question waits, only one turn of the event loop. */
  function pauseFor(entry: CachedIndex): Promise<void> {
    return entry.questions > 0 ? yieldToLoop() : nextSlice()
  }

  async function putChanged(botId: string, entry: CachedIndex, since: number) {
    let after = { version: since, id: '' }
    const sliceEnds = makeSliceTimer(() => pauseFor(entry))
    while (!isClosed) {
      const rows = await products.listChangedSince(botId, after, PRODUCTS_AT_ONCE)
      for (const { body } of rows) {
        putProduct(entry.index, JSON.parse(body) as Product)
        entry.unsaved++
        const pause = sliceEnds()
        if (pause) await pause
      }
      const last = rows.at(-1)
      if (!last || rows.length < PRODUCTS_AT_ONCE) return
      after = { version: last.version, id: last.id }
    }
  }

  /** The first run may have started before the last change. */
  async function catchUpTwice(botId: string, entry: CachedIndex) {
    for (let time = 0; time < 2; time++) await catchUp(botId, entry).catch(onError)
  }

  /** A question is waiting for it. */
  async function catchUpFor(bot: ProductBot, entry: CachedIndex) {
    entry.questions++
    await catchUp(bot.id, entry).finally(() => {
      entry.questions--
    })
  }

  return {
    async get(bot) {
      const entry = heldFor(bot)
      entry.wasAsked = true
      // Twice, since the first run may have started before the sync ended.
      for (let time = 0; time < 2 && entry.version < bot.productReadyVersion; time++) await catchUpFor(bot, entry)
      // A sync is running: pick up its first products without waiting.
      if (entry.version < bot.productVersion) catchUp(bot.id, entry).catch(onError)
      return entry.index
    },
    async catchUp(bot) {
      // A new catalogue will probably be asked about soon, but must not evict indexes in use.
      if (!cache.get(bot.id) && !memory.hasRoom()) return
      const entry = heldFor(bot)
      const caughtUp = catchUpTwice(bot.id, entry)
      if (entry.wasAsked) await caughtUp
    },
    async close() {
      isClosed = true
      await Promise.allSettled([...cache.all()].map(({ catchingUp }) => catchingUp))
      await cache.close()
    },
  }
}

const noResult = () => {}

function newEntry(language: string): CachedIndex {
  const counts = { version: 0, unsaved: 0, questions: 0 }
  return { index: makeProductIndex(language), ...counts, catchingUp: null, copying: null, wasAsked: false }
}

function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

// Copies an index without the slots of deleted products, in small steps, while the old one still answers.
const ROWS_AT_ONCE = 2000

/** Whether enough slots belong to deleted products that copying pays off. */
function needsCompaction({ ids, live }: ProductIndex): boolean {
  return ids.length > 1000 && ids.length > live * 1.5
}

async function compactProducts(index: ProductIndex, pause: () => Promise<void>): Promise<ProductIndex> {
  const newIndex = makeProductIndex(index.language)
  for (const name of index.groupNumbers.keys()) if ((addGroup(newIndex, name) + 1) % ROWS_AT_ONCE === 0) await pause()
  const newSlots = new Int32Array(index.ids.length).fill(-1)
  for (let start = 0; start < index.ids.length; start += ROWS_AT_ONCE) {
    moveSlots(index, newIndex, start, newSlots)
    await pause()
  }
  newIndex.spellings = index.spellings
  newIndex.kinds = index.kinds
  let since = 0
  for (const [term, list] of index.postings) {
    const movedPostings = movePostings(list, newSlots)
    newIndex.postings.set(term, movedPostings)
    newIndex.postingCount += movedPostings.length
    since += list.length + 20
    if (since < 30_000) continue
    since = 0
    await pause()
  }
  return newIndex
}

function moveSlots(index: ProductIndex, newIndex: ProductIndex, start: number, newSlots: Int32Array) {
  const liveSlots: number[] = []
  for (let slot = start; slot < Math.min(start + ROWS_AT_ONCE, index.ids.length); slot++) {
    if (index.ids[slot] === undefined) continue
    newSlots[slot] = newIndex.ids.length + liveSlots.length
    liveSlots.push(slot)
  }
  appendSlots(newIndex, {
    ids: liveSlots.map((slot) => index.ids[slot]),
    titles: liveSlots.map((slot) => index.titles[slot] ?? []),
    measures: liveSlots.map((slot) => index.measures[slot] ?? []),
    termSums: Float64Array.from(liveSlots, (slot) => index.termSums[slot] ?? 0),
    groups: Int32Array.from(liveSlots, (slot) => index.groups[slot] ?? 0),
    prices: Float64Array.from(liveSlots, (slot) => index.prices[slot] ?? 0),
    ratings: Float32Array.from(liveSlots, (slot) => index.ratings[slot] ?? 0),
    updated: Float64Array.from(liveSlots, (slot) => index.updated[slot] ?? 0),
    availability: Uint8Array.from(liveSlots, (slot) => index.availability[slot] ?? 0),
  })
}

function movePostings(list: readonly number[], newSlots: Int32Array): number[] {
  const movedPostings: number[] = []
  for (const posting of list) {
    const slot = newSlots[slotOf(posting)] ?? -1
    if (slot >= 0) movedPostings.push(postingOf(slot, fieldOf(posting)))
  }
  return movedPostings
}
