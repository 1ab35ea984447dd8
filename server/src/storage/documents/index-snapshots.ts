import type { Database } from '../database.ts'

// Keeps rows at a size both engines handle well.
const PART_BYTES = 8 * 1024 * 1024

export type IndexSnapshotsTable = ReturnType<typeof createIndexSnapshotsTable>

/** Serialized indexes: a cache that saves rebuilding, never the source of truth. */
export function createIndexSnapshotsTable(database: Database) {
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
