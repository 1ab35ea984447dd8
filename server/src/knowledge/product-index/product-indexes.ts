// One product index per bot in memory. It catches up with what changed since it was last asked, a few products at a
// time so that nobody waits for it; only a question asked after a sync has ended waits until all of it is in.
import type { ProductsTable } from '../../storage/products.ts'
import { pieceTimer } from '../background-lane.ts'
import type { Product } from '../products/product.ts'
import { compactProducts, isWorn } from './compact-products.ts'
import { createProductIndex, dropProduct, type ProductIndex, productIndexBytes, putProduct } from './product-index.ts'

const PRODUCTS_AT_ONCE = 25

interface Held {
  index: ProductIndex
  version: number
  catchingUp: Promise<void> | null
  /** While it is copied nothing is put into it. */
  compacting: Promise<void> | null
  /** That wait for it to catch up: then it does not wait for others. */
  questions: number
}

export interface ProductIndexes {
  /** The bot's index, with at least what the ready version holds. */
  get(bot: ProductBot): Promise<ProductIndex>
  /** Catches up, so that the next question need not wait for it. A bot that nobody asks is left alone. */
  catchUp(botId: string): Promise<void>
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
  memoryBytes: number
  /** Waits for the next piece of time between other work. */
  turn: () => Promise<void>
  onError: (error: unknown) => void
}

export function productIndexes({ products, memoryBytes, turn, onError }: Deps): ProductIndexes {
  const held = new Map<string, Held>()

  function heldFor({ id, language }: Pick<ProductBot, 'id' | 'language'>): Held {
    const known = held.get(id)
    const usable = known && known.index.language === language ? known : undefined
    const entry = usable ?? newEntry(language)
    held.delete(id)
    held.set(id, entry)
    return entry
  }

  function catchUp(botId: string, entry: Held): Promise<void> {
    entry.catchingUp ??= (entry.compacting ?? Promise.resolve())
      .then(() => advance(botId, entry))
      .finally(() => {
        entry.catchingUp = null
        dropOldest(botId)
        compact(entry)
      })
    return entry.catchingUp
  }

  function compact(entry: Held) {
    if (entry.compacting || !isWorn(entry.index)) return
    const copied = compactProducts(entry.index, turn).then((index) => {
      entry.index = index
    })
    entry.compacting = copied.catch(onError).finally(() => {
      entry.compacting = null
    })
  }

  async function advance(botId: string, entry: Held) {
    // Read first: what changes while the rest is read comes again the next time.
    const version = await products.version(botId)
    if (version <= entry.version) return
    const since = entry.version
    if (since > 0) for (const id of await products.listRemovedSince(botId, since)) dropProduct(entry.index, id)
    await putChanged(botId, entry, since)
    entry.version = version
  }

  async function putChanged(botId: string, entry: Held, since: number) {
    let after = { version: since, id: '' }
    const pieceEnds = pieceTimer(() => (entry.questions > 0 ? nextTurnOfLoop() : turn()))
    for (;;) {
      const rows = await products.listChangedSince(botId, after, PRODUCTS_AT_ONCE)
      for (const { body } of rows) {
        putProduct(entry.index, JSON.parse(body) as Product)
        const ended = pieceEnds()
        if (ended) await ended
      }
      const last = rows.at(-1)
      if (!last || rows.length < PRODUCTS_AT_ONCE) return
      after = { version: last.version, id: last.id }
    }
  }

  /** For a question that cannot be answered without. */
  async function catchUpFor(bot: ProductBot, entry: Held) {
    entry.questions++
    await catchUp(bot.id, entry).finally(() => {
      entry.questions--
    })
  }

  function dropOldest(keptId: string) {
    let sum = [...held.values()].reduce((bytes, { index }) => bytes + productIndexBytes(index), 0)
    for (const [oldest, { index }] of held) {
      if (sum <= memoryBytes || oldest === keptId) break
      held.delete(oldest)
      sum -= productIndexBytes(index)
    }
  }

  return {
    async get(bot) {
      const entry = heldFor(bot)
      // Twice, since the first may have been under way before the sync ended.
      for (let time = 0; time < 2 && entry.version < bot.productReadyVersion; time++) await catchUpFor(bot, entry)
      // A sync under way: its first products follow, and nobody waits for them.
      if (entry.version < bot.productVersion) catchUp(bot.id, entry).catch(onError)
      return entry.index
    },
    async catchUp(botId) {
      const entry = held.get(botId)
      // Twice, since the first may have been under way before the last change.
      for (let time = 0; time < 2 && entry; time++) await catchUp(botId, entry).catch(onError)
    },
  }
}

function newEntry(language: string): Held {
  return { index: createProductIndex(language), version: 0, catchingUp: null, compacting: null, questions: 0 }
}

function nextTurnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
