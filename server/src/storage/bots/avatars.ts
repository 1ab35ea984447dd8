import type { AttachmentType } from '@docent/contract'
import { type Database, first } from '../database.ts'

// Those in use, plus recent uploads that were not saved.
const KEPT_PER_BOT = 8

export interface AvatarRecord {
  botId: string
  id: string
  type: AttachmentType
  createdAt: number
}

export type AvatarsTable = ReturnType<typeof createAvatarsTable>

export function createAvatarsTable(database: Database) {
  return {
    /** Also removes the oldest ones beyond the limit, except those in use. */
    insert: ({ botId, id, type, createdAt }: AvatarRecord, content: Uint8Array, used: readonly string[]) =>
      database.transaction(async (tx) => {
        await tx.query('INSERT INTO avatars (bot_id, id, type, content, created_at) VALUES ($1, $2, $3, $4, $5)', [
          ...[botId, id, type],
          content,
          createdAt,
        ])
        const rows = await tx.query<{ id: string }>(
          'SELECT id FROM avatars WHERE bot_id = $1 ORDER BY created_at DESC, id DESC',
          [botId],
        )
        const old = rows.slice(KEPT_PER_BOT).filter((row) => row.id !== id && !used.includes(row.id))
        for (const row of old) await tx.query('DELETE FROM avatars WHERE bot_id = $1 AND id = $2', [botId, row.id])
      }),

    read: (botId: string, id: string) =>
      first(
        database.query<{ type: AttachmentType; content: Uint8Array }>(
          'SELECT type, content FROM avatars WHERE bot_id = $1 AND id = $2',
          [botId, id],
        ),
      ),
  }
}
