import { Fault, type PageOf } from '@docent/contract'

interface PageRequest {
  limit?: number
  cursor?: string
}

/** Lists are read one row further than asked, to know whether a next page exists. */
export async function page<Record extends { id: string }, Item>(
  { limit = 50, cursor }: PageRequest,
  list: (after: string, limit: number) => Promise<Record[]>,
  shape: (record: Record) => Item | Promise<Item>,
): Promise<PageOf<Item>> {
  const records = await list(cursor === undefined ? '' : decodeCursor(cursor), limit + 1)
  const shown = records.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await Promise.all(shown.map(shape)),
    next_cursor: records.length > limit && last ? Buffer.from(last.id).toString('base64url') : null,
  }
}

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (id && Buffer.from(id).toString('base64url') === cursor) return id
  throw noCursor()
}

/** Parses the cursor of a list that is not sorted by id alone; null for the first page. */
export function parsePlace(place: string, parts: RegExp): RegExpExecArray | null {
  const match = parts.exec(place)
  if (place !== '' && !match) throw noCursor()
  return match
}

function noCursor(): Fault {
  return new Fault('validation_failed', {
    details: [{ path: 'cursor', message: 'This cursor does not belong to this list.' }],
  })
}
