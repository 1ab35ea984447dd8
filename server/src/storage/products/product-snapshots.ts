import { type Database, first } from '../database.ts'

const REMOVED_AT_ONCE = 16

export type ProductSnapshotsTable = ReturnType<typeof createProductSnapshotsTable>

/** Catalogue indexes: a cache that saves rebuilding, never the source of truth. A save is valid once it has its head. */
export function createProductSnapshotsTable(database: Database) {
  return {
    async savePart(botId: string, saveId: string, part: number, data: Uint8Array) {
      await database.write('INSERT INTO product_snapshots (bot_id, save_id, part, data) VALUES ($1, $2, $3, $4)', [
        ...[botId, saveId, part],
        data,
      ])
    },

    /** Removes one batch; returns whether there may be more. */
    async removeOthers(botId: string, saveId: string): Promise<boolean> {
      const gone = await database.write(
        `DELETE FROM product_snapshots WHERE bot_id = $1 AND (save_id, part) IN (
           SELECT save_id, part FROM product_snapshots WHERE bot_id = $1 AND save_id <> $2
           ORDER BY save_id, part LIMIT ${REMOVED_AT_ONCE})
         RETURNING part`,
        [botId, saveId],
      )
      return gone.length === REMOVED_AT_ONCE
    },

    /** Usually one; several when nodes saved at the same time. */
    listHeads: (botId: string) =>
      database.query<{ save_id: string; data: Uint8Array }>(
        'SELECT save_id, data FROM product_snapshots WHERE bot_id = $1 AND part = 0',
        [botId],
      ),

    async loadPart(botId: string, saveId: string, part: number): Promise<Uint8Array | undefined> {
      const row = await first(
        database.query<{ data: Uint8Array }>(
          'SELECT data FROM product_snapshots WHERE bot_id = $1 AND save_id = $2 AND part = $3',
          [botId, saveId, part],
        ),
      )
      return row?.data
    },
  }
}
