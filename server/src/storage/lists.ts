// Searchable lists in one of several sort orders, page by page. A position in an order is a value plus an id.
import type { Columns, Queries, Row, Value } from './database.ts'

export interface ListCursor {
  value: string | number
  id: string
}

export interface ListQuery {
  text?: string | undefined
  /** Name of an order; a leading minus means descending. */
  sort: string
  after: ListCursor | null
  limit: number
}

interface ListSource {
  /** Everything before WHERE. */
  select: string
  where: string[]
  values: Value[]
  /** Lower-case text to search. */
  searched: string
  /** SQL expression for each order. */
  orders: Record<string, string>
}

export async function listOrdered<R extends Columns<R> = Row>(
  database: Queries,
  source: ListSource,
  listQuery: ListQuery,
): Promise<R[]> {
  const { text, sort, after, limit } = listQuery
  const values = [...source.values]
  const where = [...source.where]
  const value = (parameter: Value) => `$${values.push(parameter)}`
  const isDown = sort.startsWith('-')
  const column = source.orders[isDown ? sort.slice(1) : sort] ?? 'id'
  const direction = isDown ? 'DESC' : 'ASC'
  if (text) where.push(`${source.searched} LIKE ${value(likePattern(text))} ESCAPE '\\'`)
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

/** A case-insensitive LIKE pattern for a substring; the escape character is a backslash. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}
