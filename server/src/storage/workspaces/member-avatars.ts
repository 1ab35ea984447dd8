// The picture of a member, shown beside what they write.
import type { AttachmentType } from '@docent/contract'
import { type Database, first } from '../database.ts'

interface MemberIds {
  workspaceId: string
  memberId: string
}

interface MemberAvatar {
  id: string
  type: AttachmentType
  content: Uint8Array
}

export type MemberAvatarsTable = ReturnType<typeof createMemberAvatarsTable>

export function createMemberAvatarsTable(database: Database) {
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
