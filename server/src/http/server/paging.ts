import { Fault, type PageOf } from '@docent/contract'
import type { ListCursor, ListQuery } from '../../storage/lists.ts'

interface PageRequest {
  limit?: number
  cursor?: string
}

/** Reads one row more than asked, to know whether a next page exists. */
export async function page<Record extends { id: string }, Item>(
  { limit = 50, cursor }: PageRequest,
  list: (after: string, limit: number) => Promise<Record[]>,
  shape: (record: Record) => Item | Promise<Item>,
): Promise<PageOf<Item>> {
  const records = await list(cursor === undefined ? '' : decodeCursor(cursor), limit + 1)
  const pageRecords = records.slice(0, limit)
  const last = pageRecords.at(-1)
  return {
    items: await Promise.all(pageRecords.map(shape)),
    next_cursor: records.length > limit && last ? Buffer.from(last.id).toString('base64url') : null,
  }
}

interface ListRequest extends PageRequest {
  q?: string
}

/** A list sorted by `sort`. The cursor names the order: a position in one is meaningless in another. */
export async function sortedPage<Record extends { id: string }, Item>(
  query: ListRequest,
  sort: string,
  sortedBy: (record: Record, column: string) => string | number,
  list: (listQuery: ListQuery) => Promise<Record[]>,
  shape: (record: Record) => Item | Promise<Item>,
): Promise<PageOf<Item>> {
  const column = sort.replace(/^-/, '')
  return page(
    query,
    async (cursor, limit) => {
      const after = cursor === '' ? null : parseListCursor(sort, cursor)
      const records = await list({ text: query.q?.trim(), sort, after, limit })
      return records.map((record) => ({ id: JSON.stringify([sort, sortedBy(record, column), record.id]), record }))
    },
    ({ record }) => shape(record),
  )
}

const LIST_CURSOR = /^\["([^"]*)",("(?:[^"\\]|\\.)*"|\d+),("(?:[^"\\]|\\.)*")\]$/

/** Orders by a time, size or price; the others sort by text. */
const NUMERIC = /(?:_at|_bytes|price)$/

function parseListCursor(sort: string, cursor: string): ListCursor {
  const [, order, value = '', id = ''] = parseCursor(cursor, LIST_CURSOR) ?? []
  if (order !== sort) throw noCursor()
  try {
    const position = { value: JSON.parse(value), id: JSON.parse(id) }
    const isNumber = Number.isSafeInteger(position.value)
    if (isNumber !== NUMERIC.test(sort) || (!isNumber && typeof position.value !== 'string')) throw noCursor()
    return position
  } catch {
    throw noCursor()
  }
}

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (id && Buffer.from(id).toString('base64url') === cursor) return id
  throw noCursor()
}

/** Parses the cursor of a list that is not sorted by id alone; null for the first page. */
export function parseCursor(cursor: string, pattern: RegExp): RegExpExecArray | null {
  const match = pattern.exec(cursor)
  if (cursor !== '' && !match) throw noCursor()
  return match
}

function noCursor(): Fault {
  return new Fault('validation_failed', {
    details: [{ path: 'cursor', message: 'This cursor does not belong to this list.' }],
  })
}
