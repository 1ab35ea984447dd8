// A bot's products in one of several orders. By id and by price there is an index; searching, filtering or any other
// order scans every product, in batches, so that others run in between.
import type { Database, Value } from '../database.ts'
import { type ListQuery, likePattern } from '../ordered-list.ts'
import { columns, fromRow, type ProductRecord, type ProductRow } from './product-rows.ts'

interface ProductFilter {
  availability: string | null
}

/** A product with its sort value. */
export interface ListedProduct extends ProductRecord {
  sortValue: string | number
}

interface ListedProductRow extends ProductRow {
  sort_value: string | number
}

/** Ids after `from`, up to and including `to`. */
interface IdRange {
  from: string | null
  to: string | null
}

const BATCH_SIZE = 5000

export function createProductList(database: Database) {
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
    const value = (given: Value) => `$${values.push(given)}`
    const isIdDown = isDown && !order
    if (from !== null) where.push(`id ${isIdDown ? '<' : '>'} ${value(from)}`)
    if (to !== null) where.push(`id ${isIdDown ? '>=' : '<='} ${value(to)}`)
    if (text) where.push(`search_text LIKE ${value(likePattern(text))} ESCAPE '\\'`)
    if (availability !== null) where.push(`availability = ${value(availability)}`)
    if (order && after)
      where.push(`(${order}, id ${binary}) ${beyond} (${value(after.value)}, ${value(after.id)} ${binary})`)
    const sorting = order ? `${order} ${direction}, id ${binary} ${direction}` : `id ${direction}`
    return database.query<ListedProductRow>(
      `SELECT ${columns}, ${order ?? 'id'} AS sort_value FROM products WHERE ${where.join(' AND ')}
       ORDER BY ${sorting} LIMIT ${value(limit)}`,
      values,
    )
  }

  async function find(botId: string, filter: ProductFilter, listQuery: ListQuery): Promise<ListedProductRow[]> {
    const { text, sort, after, limit } = listQuery
    const isDown = sort.startsWith('-')
    const isById = !orders[sort.replace('-', '')]
    const start = isById && after ? after.id : null
    const isIndexed = isById || sort.endsWith('price')
    if (isIndexed && !text && filter.availability === null)
      return queryBatch(botId, filter, listQuery, { from: start, to: null })
    let found: ListedProductRow[] = []
    for (let from = start; ; await new Promise(setImmediate)) {
      const to = await findBatchEnd(botId, from, isById && isDown)
      if (to === null) return found
      found.push(...(await queryBatch(botId, filter, listQuery, { from, to })))
      if (!isById) found = found.sort((a, b) => (isDown ? compare(b, a) : compare(a, b)))
      found = found.slice(0, limit)
      if (isById && found.length === limit) return found
      from = to
    }
  }

  return async (botId: string, filter: ProductFilter, listQuery: ListQuery): Promise<ListedProduct[]> =>
    (await find(botId, filter, listQuery)).map((row) => ({ ...fromRow(row), sortValue: row.sort_value }))
}

function compare(a: ListedProductRow, b: ListedProductRow): number {
  if (typeof a.sort_value === 'number' && typeof b.sort_value === 'number' && a.sort_value !== b.sort_value)
    return a.sort_value - b.sort_value
  return compareBytes(String(a.sort_value), String(b.sort_value)) || compareBytes(a.id, b.id)
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
