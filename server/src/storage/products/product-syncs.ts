import type { Database, Row } from '../database.ts'

const KEPT = 100

export interface SyncRecord {
  id: string
  startedAt: number
  finishedAt: number
  /** The response, as JSON. */
  report: string
}

interface SyncRow extends Row {
  id: string
  started_at: number
  finished_at: number
  report: string
}

export type ProductSyncsTable = ReturnType<typeof createProductSyncsTable>

export function createProductSyncsTable(database: Database) {
  return {
    /** Keeps only the latest ones. From here on every question sees the synced products. */
    insert: (botId: string, sync: SyncRecord) =>
      database.transaction(async (tx) => {
        await tx.query('UPDATE bots SET product_ready_version = product_version WHERE id = $1', [botId])
        await tx.query(
          'INSERT INTO product_syncs (bot_id, id, started_at, finished_at, report) VALUES ($1, $2, $3, $4, $5)',
          [botId, sync.id, sync.startedAt, sync.finishedAt, sync.report],
        )
        await tx.query(
          `DELETE FROM product_syncs WHERE bot_id = $1 AND id <= (
             SELECT id FROM product_syncs WHERE bot_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT})`,
          [botId],
        )
      }),

    /** Newest first. */
    async list(botId: string, before: string, limit: number): Promise<SyncRecord[]> {
      const rows = await database.query<SyncRow>(
        `SELECT id, started_at, finished_at, report FROM product_syncs
         WHERE bot_id = $1 ${before === '' ? '' : 'AND id < $3'} ORDER BY id DESC LIMIT $2`,
        before === '' ? [botId, limit] : [botId, limit, before],
      )
      return rows.map((row) => ({
        id: row.id,
        startedAt: row.started_at,
        finishedAt: row.finished_at,
        report: row.report,
      }))
    },
  }
}
