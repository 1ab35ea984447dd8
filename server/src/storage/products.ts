import { type Database, first, type Queries, type Value } from './database.ts'
import { type ListQuery, likePattern } from './lists.ts'
import { type Removal, recordSightings, removeUnsent } from './product-syncs.ts'
import { queryMany, writeMany } from './statements.ts'

export interface ProductRecord {
  id: string
  version: number
  syncedAt: number
  body: string
}

const HIGHEST_PRICE = 1e12

/** The price in hundredths, plus one: cursors need whole numbers. 0: no price. */
function priceOrder(price: number | null): number {
  return price === null ? 0 : Math.round(Math.min(price, HIGHEST_PRICE) * 100) + 1
}

const COLUMNS = 'id, version, synced_at, body'

export interface ProductToStore {
  id: string
  hash: string
  title: string
  sku: string | null
  availability: string | null
  /** What a buyer pays. */
  price: number | null
  /** The product as JSON. */
  body: string
}

interface StoredCounts {
  created: number
  updated: number
  unchanged: number
}

const UPSERT = `INSERT INTO products
    (bot_id, id, hash, version, replacement_id, availability, price_order, search_text, synced_at, body)
  VALUES {rows}
  ON CONFLICT (bot_id, id) DO UPDATE SET hash = excluded.hash, version = excluded.version,
    replacement_id = excluded.replacement_id, availability = excluded.availability,
    price_order = excluded.price_order,
    search_text = excluded.search_text, synced_at = excluded.synced_at, body = excluded.body`
const SELECT_HASHES = 'SELECT id, hash FROM products WHERE bot_id = $1 AND id IN ({list})'
const SELECT_BY_ID = `SELECT ${COLUMNS} FROM products WHERE bot_id = $1 AND id IN ({list})`
const DELETE_BY_ID = 'DELETE FROM products WHERE bot_id = $1 AND id IN ({list}) RETURNING id'
const INSERT_REMOVALS = `INSERT INTO product_removals (bot_id, product_id, version) VALUES {rows}
  ON CONFLICT (bot_id, product_id) DO UPDATE SET version = excluded.version`

export type ProductsTable = ReturnType<typeof openProductsTable>

export function openProductsTable(database: Database) {
  return {
    /** Best batch size. On SQLite all writers wait for one, so use small batches while others are waiting. */
    rowsAtOnce: (isBusy: boolean) => (isBusy && database.engine === 'sqlite' ? 24 : 400),

    /** Hashes of those that exist. */
    hashes: (botId: string, ids: string[]) => hashes(database, botId, ids),

    /**
     * Stores products, replacing those with the same ids; unchanged ones are left alone. Ids must be unique. A step of a
     * sync, durable with the sync's own record.
     */
    store: (botId: string, products: ProductToStore[], seenIds: string[], replacementId: string | null, now: number) =>
      database.transaction(
        async (tx): Promise<StoredCounts> => {
          // Lock the bot's row first, as everywhere, so that the second transaction sees what the first did.
          const version = await incrementProductVersion(tx, botId)
          const ids = products.map(({ id }) => id)
          const storedHashes = await hashes(tx, botId, ids)
          const changedProducts = products.filter(({ id, hash }) => storedHashes.get(id) !== hash)
          const rows = changedProducts.map((product) => [
            botId,
            product.id,
            product.hash,
            version,
            replacementId,
            product.availability,
            priceOrder(product.price),
            searchText(product),
            now,
            product.body,
          ])
          await writeMany(tx, UPSERT, rows)
          if (replacementId) await recordSightings(tx, botId, replacementId, [...new Set([...ids, ...seenIds])])
          const updatedCount = changedProducts.filter(({ id }) => storedHashes.has(id)).length
          return {
            created: changedProducts.length - updatedCount,
            updated: updatedCount,
            unchanged: products.length - changedProducts.length,
          }
        },
        { durable: false },
      ),

    /** Removes products by id and returns how many existed. */
    remove: (botId: string, ids: string[]) =>
      database.transaction(async (tx) => {
        const version = await incrementProductVersion(tx, botId)
        const removedProducts = await queryMany<{ id: string }>(tx, DELETE_BY_ID, [botId], ids)
        await recordRemovals(tx, botId, version, removedProducts)
        return removedProducts.length
      }),

    /** Outside a sync: answers see the removal at once. Returns whether the product existed. */
    removeOne: (botId: string, id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const version = await incrementProductVersion(tx, botId)
        const removedProducts = await queryMany<{ id: string }>(tx, DELETE_BY_ID, [botId], [id])
        await recordRemovals(tx, botId, version, removedProducts)
        // Not in the middle of a sync, whose end does it.
        await tx.query(
          'UPDATE bots SET product_ready_version = product_version WHERE id = $1 AND product_ready_version = $2',
          [botId, version - 1],
        )
        return removedProducts.length > 0
      }),

    /** Ends a replace and removes what was not sent, all at once. Null when another request has already ended it. */
    removeUnsent: (removal: Removal) =>
      database.transaction(async (tx) => {
        const version = await incrementProductVersion(tx, removal.botId)
        return removeUnsent(tx, removal, (removedProducts) =>
          recordRemovals(tx, removal.botId, version, removedProducts),
        )
      }),

    find: (botId: string, id: string) =>
      first(
        database.query<ProductRecord>(`SELECT ${COLUMNS} FROM products WHERE bot_id = $1 AND id = $2`, [botId, id]),
      ),

    findMany: (botId: string, ids: string[]) => queryMany<ProductRecord>(database, SELECT_BY_ID, [botId], ids),

    list: makeListProducts(database),

    async count(botId: string): Promise<number> {
      const row = await first(
        database.query<{ n: number }>('SELECT count(*) AS n FROM products WHERE bot_id = $1', [botId]),
      )
      return row?.n ?? 0
    },

    async version(botId: string): Promise<number> {
      const row = await first(
        database.query<{ productVersion: number }>('SELECT product_version FROM bots WHERE id = $1', [botId]),
      )
      return row?.productVersion ?? 0
    },

    /** Products after a position in the order of changes; start with `{ version, id: '' }` and continue from the last. */
    listChangedSince: (botId: string, after: { version: number; id: string }, limit: number) =>
      database.query<ProductRecord>(
        `SELECT ${COLUMNS} FROM products WHERE bot_id = $1 AND (version, id) > ($2, $3) ORDER BY version, id LIMIT $4`,
        // An empty id would return products of that version again.
        [botId, after.id === '' ? after.version + 1 : after.version, after.id, limit],
      ),

    /** Ids removed after a version and not added again. */
    async listRemovedSince(botId: string, version: number): Promise<string[]> {
      const rows = await database.query<{ productId: string }>(
        `SELECT product_id FROM product_removals r WHERE bot_id = $1 AND version > $2
           AND NOT EXISTS (SELECT 1 FROM products p WHERE p.bot_id = r.bot_id AND p.id = r.product_id)`,
        [botId, version],
      )
      return rows.map((row) => row.productId)
    },
  }
}

async function hashes(queries: Queries, botId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await queryMany<{ id: string; hash: string }>(queries, SELECT_HASHES, [botId], ids)
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

async function recordRemovals(tx: Queries, botId: string, version: number, removedProducts: { id: string }[]) {
  await writeMany(
    tx,
    INSERT_REMOVALS,
    removedProducts.map(({ id }) => [botId, id, version]),
  )
}

async function incrementProductVersion(tx: Queries, botId: string): Promise<number> {
  const [row] = await tx.query<{ productVersion: number }>(
    'UPDATE bots SET product_version = product_version + 1 WHERE id = $1 RETURNING product_version',
    [botId],
  )
  return row?.productVersion ?? 0
}

function searchText({ id, title, sku }: ProductToStore): string {
  return [title, sku, id]
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()
}

// A bot's products in one of several orders. By id and by price there is an index; searching, filtering or any other
// order scans every product, in batches, so that others run in between.

interface ProductFilter {
  availability: string | null
}

/** A product with its sort value. */
interface ListedProduct extends ProductRecord {
  sortValue: string | number
}

/** Ids after `from`, up to and including `to`. */
interface IdRange {
  from: string | null
  to: string | null
}

const BATCH_SIZE = 5000

function makeListProducts(database: Database) {
  // Batches are merged here, so text must compare as in JavaScript.
  const binary = database.engine === 'postgres' ? 'COLLATE "C"' : ''
  // The search text starts with the title, and its beginning is enough to sort by.
  const orders: Record<string, string> = {
    title: `substr(search_text, 1, 100) ${binary}`,
    price: 'price_order',
    availability: `coalesce(availability, '') ${binary}`,
    synced_at: 'synced_at',
  }

  async function findBatchEnd(botId: string, from: string | null, isDown: boolean): Promise<string | null> {
    const beyond = from === null ? '' : `AND id ${isDown ? '<' : '>'} $2`
    const [end] = await database.query<{ last: string | null }>(
      `SELECT ${isDown ? 'min' : 'max'}(id) AS last FROM (
         SELECT id FROM products WHERE bot_id = $1 ${beyond} ORDER BY id ${isDown ? 'DESC' : 'ASC'}
         LIMIT ${BATCH_SIZE}) AS next_rows`,
      from === null ? [botId] : [botId, from],
    )
    return end?.last ?? null
  }

  function queryBatch(botId: string, { availability }: ProductFilter, listQuery: ListQuery, { from, to }: IdRange) {
    const { text, sort, after, limit } = listQuery
    const isDown = sort.startsWith('-')
    const [beyond, direction] = isDown ? ['<', 'DESC'] : ['>', 'ASC']
    const order = orders[sort.replace('-', '')]
    const values: Value[] = [botId]
    const where = ['bot_id = $1']
    const value = (parameter: Value) => `$${values.push(parameter)}`
    const isIdDown = isDown && !order
    if (from !== null) where.push(`id ${isIdDown ? '<' : '>'} ${value(from)}`)
    if (to !== null) where.push(`id ${isIdDown ? '>=' : '<='} ${value(to)}`)
    if (text) where.push(`search_text LIKE ${value(likePattern(text))} ESCAPE '\\'`)
    if (availability !== null) where.push(`availability = ${value(availability)}`)
    if (order && after)
      where.push(`(${order}, id ${binary}) ${beyond} (${value(after.value)}, ${value(after.id)} ${binary})`)
    const sorting = order ? `${order} ${direction}, id ${binary} ${direction}` : `id ${direction}`
    return database.query<ListedProduct>(
      `SELECT ${COLUMNS}, ${order ?? 'id'} AS sort_value FROM products WHERE ${where.join(' AND ')}
       ORDER BY ${sorting} LIMIT ${value(limit)}`,
      values,
    )
  }

  async function find(botId: string, filter: ProductFilter, listQuery: ListQuery): Promise<ListedProduct[]> {
    const { text, sort, after, limit } = listQuery
    const isDown = sort.startsWith('-')
    const isById = !orders[sort.replace('-', '')]
    const start = isById && after ? after.id : null
    const isIndexed = isById || sort.endsWith('price')
    if (isIndexed && !text && filter.availability === null)
      return queryBatch(botId, filter, listQuery, { from: start, to: null })
    let listedProducts: ListedProduct[] = []
    for (let from = start; ; await new Promise(setImmediate)) {
      const to = await findBatchEnd(botId, from, isById && isDown)
      if (to === null) return listedProducts
      listedProducts.push(...(await queryBatch(botId, filter, listQuery, { from, to })))
      if (!isById) listedProducts = listedProducts.sort((a, b) => (isDown ? compare(b, a) : compare(a, b)))
      listedProducts = listedProducts.slice(0, limit)
      if (isById && listedProducts.length === limit) return listedProducts
      from = to
    }
  }

  return find
}

function compare(a: ListedProduct, b: ListedProduct): number {
  if (typeof a.sortValue === 'number' && typeof b.sortValue === 'number' && a.sortValue !== b.sortValue)
    return a.sortValue - b.sortValue
  return compareBytes(String(a.sortValue), String(b.sortValue)) || compareBytes(a.id, b.id)
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
