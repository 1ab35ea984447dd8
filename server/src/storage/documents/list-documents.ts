// The documents of a bot in one of several orders, each with an index of its own.
import type { Queries, Value } from '../database.ts'
import { type DocumentRow, fromRow, summary } from './document-rows.ts'

export interface DocumentsWanted {
  text?: string | undefined
  sort?: keyof typeof documentOrders | undefined
}

export interface DocumentPlace {
  value: string | number
  id: string
}

const documentOrders = {
  id: { column: 'id', comparison: '>', order: 'ASC' },
  title: { column: 'title', comparison: '>', order: 'ASC' },
  '-updated_at': { column: 'updated_at', comparison: '<', order: 'DESC' },
} as const

/** After a place in the order, where one is given; an id is the last part of each place. */
export async function listDocuments(
  database: Queries,
  botId: string,
  after: DocumentPlace | null,
  limit: number,
  { text, sort = 'id' }: DocumentsWanted,
) {
  const { column, comparison, order } = documentOrders[sort]
  const values: Value[] = [botId, limit]
  const value = (given: Value) => `$${values.push(given)}`
  const where = ['bot_id = $1']
  if (text) {
    const pattern = value(`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
    where.push(`(lower(title) LIKE ${pattern} ESCAPE '\\' OR lower(coalesce(url, '')) LIKE ${pattern} ESCAPE '\\'
      OR lower(id) LIKE ${pattern} ESCAPE '\\')`)
  }
  if (after) where.push(`(${column}, id) ${comparison} (${value(after.value)}, ${value(after.id)})`)
  const rows = await database.query<DocumentRow>(
    `SELECT ${summary} FROM documents WHERE ${where.join(' AND ')} ORDER BY ${column} ${order}, id ${order} LIMIT $2`,
    values,
  )
  return rows.map(fromRow)
}
