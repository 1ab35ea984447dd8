import { type Database, first } from './database.ts'

// Keeps rows at a size both engines handle well.
const PART_BYTES = 8 * 1024 * 1024

export type IndexSnapshotsTable = ReturnType<typeof openIndexSnapshotsTable>

/** Serialized indexes: a cache that saves rebuilding, never the source of truth. */
export function openIndexSnapshotsTable(database: Database) {
  return {
    async save(botId: string, version: number, format: string, data: Uint8Array) {
      await database.transaction(async (tx) => {
        await tx.query('DELETE FROM index_snapshots WHERE bot_id = $1', [botId])
        for (let part = 0; part * PART_BYTES < data.length; part++) {
          // Two nodes may save at once: a mix of both is not loaded.
          await tx.query(
            `INSERT INTO index_snapshots (bot_id, part, version, format, data) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (bot_id, part) DO UPDATE SET version = $3, format = $4, data = $5`,
            [botId, part, version, format, data.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)],
          )
        }
      })
    },

    async load(botId: string, format: string): Promise<{ version: number; data: Uint8Array } | null> {
      const rows = await database.query<{ version: number; data: Uint8Array }>(
        'SELECT version, data FROM index_snapshots WHERE bot_id = $1 AND format = $2 ORDER BY part',
        [botId, format],
      )
      const [head] = rows
      if (!head || rows.some((row) => row.version !== head.version)) return null
      const data = rows.length === 1 ? head.data : Buffer.concat(rows.map((row) => row.data))
      return { version: head.version, data }
    },
  }
}

const REMOVED_AT_ONCE = 16

export type ProductSnapshotsTable = ReturnType<typeof openProductSnapshotsTable>

/** Catalogue indexes: a cache that saves rebuilding, never the source of truth. A save is valid once it has its head. */
export function openProductSnapshotsTable(database: Database) {
  return {
    async savePart(botId: string, saveId: string, part: number, data: Uint8Array) {
      await database.write('INSERT INTO product_snapshots (bot_id, save_id, part, data) VALUES ($1, $2, $3, $4)', [
        botId,
        saveId,
        part,
        data,
      ])
    },

    /** Removes one batch; returns whether there may be more. */
    async removeOthers(botId: string, saveId: string): Promise<boolean> {
      const removedParts = await database.write(
        `DELETE FROM product_snapshots WHERE bot_id = $1 AND (save_id, part) IN (
           SELECT save_id, part FROM product_snapshots WHERE bot_id = $1 AND save_id <> $2
           ORDER BY save_id, part LIMIT ${REMOVED_AT_ONCE})
         RETURNING part`,
        [botId, saveId],
      )
      return removedParts.length === REMOVED_AT_ONCE
    },

    /** Usually one; several when nodes saved at the same time. */
    listHeads: (botId: string) =>
      database.query<{ saveId: string; data: Uint8Array }>(
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
