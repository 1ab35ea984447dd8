import type { Queries } from '../database.ts'
import { type ListQuery, listOrdered } from '../ordered-list.ts'
import { type DocumentRow, fromRow, summary } from './document-rows.ts'

/** Each sort order has its own index. */
export async function listDocuments(database: Queries, botId: string, listQuery: ListQuery) {
  const source = {
    select: `SELECT ${summary} FROM documents`,
    where: ['bot_id = $1'],
    values: [botId],
    searched: `lower(title || ' ' || coalesce(url, '') || ' ' || id)`,
    orders: { id: 'id', title: 'title', updated_at: 'updated_at' },
  }
  return (await listOrdered<DocumentRow>(database, source, listQuery)).map(fromRow)
}
