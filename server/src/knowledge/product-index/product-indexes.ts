// One product index per bot in memory. It comes from its snapshot, where there is one, and catches up with what changed
// since, a few products at a time so that nobody waits for it; only a question asked after a sync has ended waits until
// all of it is in.
import type { ProductsTable } from '../../storage/products/products.ts'
import { createSliceTimer } from '../background/background-lane.ts'
import { createIndexCache, type SaveTime } from '../index-cache/index-cache.ts'
import type { IndexMemory } from '../index-cache/index-memory.ts'
import type { Product } from '../products/product.ts'
import { compactProducts, needsCompaction } from './compact-products.ts'
import { createProductIndex, dropProduct, type ProductIndex, productIndexBytes, putProduct } from './product-index.ts'
import type { ProductSnapshots } from './product-snapshots.ts'

const PRODUCTS_AT_ONCE = 25
/** So many products that building their index is noticed. */
const SAVED_FROM = 1000
/** When fewer changed, catching up with them is quicker than saving all. */
const SAVED_SHARE = 0.05

interface Held {
  index: ProductIndex
  version: number
  catchingUp: Promise<void> | null
  /** While it is copied nothing is put into it. */
  copying: Promise<void> | null
  /** How many products were put since it was saved. */
  unsaved: number
  /** That wait for it to catch up: then it does not wait for others. */
  questions: number
  wasAsked: boolean
}

export interface ProductIndexes {
  /** The bot's index, with at least what the ready version holds. */
  get(bot: ProductBot): Promise<ProductIndex>
  /** Catches up, so that the next question need not wait for it. Nobody waits for that of a bot that nobody asked. */
  catchUp(bot: Pick<ProductBot, 'id' | 'language'>): Promise<void>
  /** Ends what is under way and saves what is waiting to be saved. */
  close(): Promise<void>
}

export interface ProductBot {
  id: string
  language: string
  /** Raised by every change of the catalogue. */
  productVersion: number
  /** The version when the last sync ended. */
  productReadyVersion: number
}

interface Deps {
  products: Pick<ProductsTable, 'version' | 'listChangedSince' | 'listRemovedSince'>
  snapshots: ProductSnapshots
  memory: Pick<IndexMemory, 'used' | 'hasRoom' | 'onRelease'>
  /** Waits for the next piece of time between other work. */
  turn: () => Promise<void>
  onError: (error: unknown) => void
}

export function createProductIndexes({ products, snapshots, memory, turn, onError }: Deps): ProductIndexes {
  const cache = createIndexCache<Held>({
    kind: 'products',
    memory,
    bytesOf: ({ index }) => productIndexBytes(index),
    save,
    onError,
  })
  let closed = false

  function heldFor({ id, language }: Pick<ProductBot, 'id' | 'language'>): Held {
    const known = cache.get(id)
    const usable = known && known.index.language === language ? known : undefined
    const entry = usable ?? newEntry(language)
    cache.keep(id, entry)
    return entry
  }

  function catchUp(botId: string, entry: Held): Promise<void> {
    entry.catchingUp ??= (entry.copying ?? Promise.resolve())
      .then(() => advance(botId, entry))
      .finally(() => {
        entry.catchingUp = null
        if (cache.get(botId) === entry) cache.keep(botId, entry)
        compact(entry)
      })
    return entry.catchingUp
  }

  function compact(entry: Held) {
    if (entry.copying || !needsCompaction(entry.index)) return
    const copied = compactProducts(entry.index, () => nextSlice(entry)).then((index) => {
      entry.index = index
    })
    entry.copying = copied.catch(onError).finally(() => {
      entry.copying = null
    })
  }

  async function advance(botId: string, entry: Held) {
    // Without its snapshot it is built from the products.
    if (entry.version === 0) await restore(botId, entry).catch(onError)
    // Read first: what changes while the rest is read comes again the next time.
    const version = await products.version(botId)
    if (version <= entry.version) return
    const since = entry.version
    if (since > 0) for (const id of await products.listRemovedSince(botId, since)) dropProduct(entry.index, id)
    await putChanged(botId, entry, since)
    if (closed) return
    entry.version = version
    if (entry.unsaved >= SAVED_FROM && entry.unsaved >= entry.index.live * SAVED_SHARE) cache.saveSoon(botId)
  }

  async function restore(botId: string, entry: Held) {
    const kept = await snapshots.load(botId, entry.index.language, () => nextSlice(entry))
    if (!kept) return
    entry.index = kept.index
    entry.version = kept.version
  }

  async function save(botId: string, entry: Held, time: SaveTime) {
    if (time === 'later' && (entry.catchingUp || entry.copying)) {
      cache.saveSoon(botId)
      return
    }
    for (let busy = entry.catchingUp ?? entry.copying; busy; busy = entry.catchingUp ?? entry.copying)
      await busy.catch(noResult)
    const next = time === 'closing' ? nextTurnOfLoop : turn
    const { version, index, unsaved } = entry
    // Nothing is put into it meanwhile, so a question that needs that goes first.
    const saved = snapshots.save(botId, { version, index }, () => entry.questions > 0, next)
    entry.copying = saved.then(noResult, onError).finally(() => {
      entry.copying = null
    })
    const { isWhole, saveId } = await saved
    if (isWhole) {
      entry.unsaved -= unsaved
      await snapshots.removeOthers(botId, saveId, next)
    } else cache.saveSoon(botId)
  }

  /** For a question, the next turn of the event loop will do. */
  function nextSlice(entry: Held): Promise<void> {
    return entry.questions > 0 ? nextTurnOfLoop() : turn()
  }

  async function putChanged(botId: string, entry: Held, since: number) {
    let after = { version: since, id: '' }
    const sliceEnds = createSliceTimer(() => nextSlice(entry))
    while (!closed) {
      const rows = await products.listChangedSince(botId, after, PRODUCTS_AT_ONCE)
      for (const { body } of rows) {
        putProduct(entry.index, JSON.parse(body) as Product)
        entry.unsaved++
        const ended = sliceEnds()
        if (ended) await ended
      }
      const last = rows.at(-1)
      if (!last || rows.length < PRODUCTS_AT_ONCE) return
      after = { version: last.version, id: last.id }
    }
  }

  /** The first time may have been under way before the last change. */
  async function catchUpTwice(botId: string, entry: Held) {
    for (let time = 0; time < 2; time++) await catchUp(botId, entry).catch(onError)
  }

  /** For a question that cannot be answered without. */
  async function catchUpFor(bot: ProductBot, entry: Held) {
    entry.questions++
    await catchUp(bot.id, entry).finally(() => {
      entry.questions--
    })
  }

  return {
    async get(bot) {
      const entry = heldFor(bot)
      entry.wasAsked = true
      // Twice, since the first may have been under way before the sync ended.
      for (let time = 0; time < 2 && entry.version < bot.productReadyVersion; time++) await catchUpFor(bot, entry)
      // A sync under way: its first products follow, and nobody waits for them.
      if (entry.version < bot.productVersion) catchUp(bot.id, entry).catch(onError)
      return entry.index
    },
    async catchUp(bot) {
      // A catalogue that is new is asked about soon, but must not push out what is asked about now.
      if (!cache.get(bot.id) && !memory.hasRoom()) return
      const entry = heldFor(bot)
      const caughtUp = catchUpTwice(bot.id, entry)
      if (entry.wasAsked) await caughtUp
    },
    async close() {
      closed = true
      await Promise.allSettled([...cache.all()].map(({ catchingUp }) => catchingUp))
      await cache.close()
    },
  }
}

const noResult = () => {}

function newEntry(language: string): Held {
  const counts = { version: 0, unsaved: 0, questions: 0 }
  return { index: createProductIndex(language), ...counts, catchingUp: null, copying: null, wasAsked: false }
}

function nextTurnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
