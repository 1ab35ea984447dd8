// Lists that are searched, and sorted in one of several orders, page by page. A place in an order is a value with an id.
import type { Queries, Row, Value } from './database.ts'

export interface Place {
  value: string | number
  id: string
}

export interface Wanted {
  text?: string | undefined
  /** The name of an order; with a minus in front it goes down. */
  sort: string
  after: Place | null
  limit: number
}

interface ListSource {
  /** Up to its condition: SELECT … FROM …. */
  select: string
  where: string[]
  values: Value[]
  /** The text that is searched, in lower case. */
  searched: string
  /** What each order sorts by. */
  orders: Record<string, string>
}

export async function listOrdered<R extends Row>(database: Queries, source: ListSource, wanted: Wanted): Promise<R[]> {
  const { text, sort, after, limit } = wanted
  const values = [...source.values]
  const where = [...source.where]
  const value = (given: Value) => `$${values.push(given)}`
  const isDown = sort.startsWith('-')
  const column = source.orders[isDown ? sort.slice(1) : sort] ?? 'id'
  const direction = isDown ? 'DESC' : 'ASC'
  if (text) where.push(`${source.searched} LIKE ${value(containing(text))} ESCAPE '\\'`)
  const beyond = isDown ? '<' : '>'
  const isById = column === 'id'
  if (after && isById) where.push(`id ${beyond} ${value(after.id)}`)
  else if (after) where.push(`(${column}, id) ${beyond} (${value(after.value)}, ${value(after.id)})`)
  const order = isById ? `id ${direction}` : `${column} ${direction}, id ${direction}`
  return database.query<R>(
    `${source.select} WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ${value(limit)}`,
    values,
  )
}

/** The pattern of LIKE for a text somewhere in another, without regard to case; the escape is a backslash. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}
