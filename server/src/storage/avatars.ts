import type { AttachmentType } from '@docent/contract'
import { type Database, first } from './database.ts'

// Those in use, plus recent uploads that were not saved.
const KEPT_PER_BOT = 8

interface AvatarRecord {
  botId: string
  id: string
  type: AttachmentType
  createdAt: number
}

export type AvatarsTable = ReturnType<typeof openAvatarsTable>

export function openAvatarsTable(database: Database) {
  return {
    /** Also removes the oldest ones beyond the limit, except those in use. */
    insert: ({ botId, id, type, createdAt }: AvatarRecord, content: Uint8Array, usedIds: readonly string[]) =>
      database.transaction(async (tx) => {
        await tx.query('INSERT INTO avatars (bot_id, id, type, content, created_at) VALUES ($1, $2, $3, $4, $5)', [
          botId,
          id,
          type,
          content,
          createdAt,
        ])
        const rows = await tx.query<{ id: string }>(
          'SELECT id FROM avatars WHERE bot_id = $1 ORDER BY created_at DESC, id DESC',
          [botId],
        )
        const old = rows.slice(KEPT_PER_BOT).filter((row) => row.id !== id && !usedIds.includes(row.id))
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

// The picture of a member, shown beside what they write.

interface MemberIds {
  workspaceId: string
  memberId: string
}

interface MemberAvatar {
  id: string
  type: AttachmentType
  content: Uint8Array
}

export function openMemberAvatarsTable(database: Database) {
  return {
    /** In place of the one before. */
    async save({ workspaceId, memberId }: MemberIds, { id, type, content }: MemberAvatar, now: number) {
      await database.write(
        `INSERT INTO member_avatars (workspace_id, member_id, id, type, content, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace_id, member_id)
         DO UPDATE SET id = excluded.id, type = excluded.type, content = excluded.content, created_at = excluded.created_at`,
        [workspaceId, memberId, id, type, content, now],
      )
    },

    /** Returns whether there was one. */
    async remove({ workspaceId, memberId }: MemberIds): Promise<boolean> {
      const rows = await database.write(
        'DELETE FROM member_avatars WHERE workspace_id = $1 AND member_id = $2 RETURNING id',
        [workspaceId, memberId],
      )
      return rows.length > 0
    },

    read: (workspaceId: string, id: string) =>
      first(
        database.query<{ type: AttachmentType; content: Uint8Array }>(
          'SELECT type, content FROM member_avatars WHERE workspace_id = $1 AND id = $2',
          [workspaceId, id],
        ),
      ),
  }
}
