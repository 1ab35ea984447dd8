import { first, type Queries } from '../database.ts'

export async function countKnowledge(database: Queries, botId: string) {
  const row = await first(
    database.query<{ documents: number; passages: number; products: number }>(
      `SELECT count(*) AS documents, coalesce(sum(passage_count), 0) AS passages,
         (SELECT count(*) FROM products WHERE bot_id = $1) AS products
       FROM documents WHERE bot_id = $1`,
      [botId],
    ),
  )
  return {
    documents: Number(row?.documents ?? 0),
    passages: Number(row?.passages ?? 0),
    products: Number(row?.products ?? 0),
  }
}
