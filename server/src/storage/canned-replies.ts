import { type Database, first } from './database.ts'
import { assignments } from './statements.ts'

export interface CannedReplyRecord {
  workspaceId: string
  id: string
  shortcut: string
  text: string
  updatedAt: number
}

type Change = Partial<Pick<CannedReplyRecord, 'shortcut' | 'text' | 'updatedAt'>>

const CHANGEABLE = ['shortcut', 'text', 'updatedAt'] as const

export type CannedRepliesTable = ReturnType<typeof openCannedRepliesTable>

export function openCannedRepliesTable(database: Database) {
  return {
    async list(workspaceId: string, after: string, limit: number) {
      return database.query<CannedReplyRecord>(
        'SELECT * FROM canned_replies WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3',
        [workspaceId, after, limit],
      )
    },

    async find(workspaceId: string, id: string) {
      return first(
        database.query<CannedReplyRecord>('SELECT * FROM canned_replies WHERE workspace_id = $1 AND id = $2', [
          workspaceId,
          id,
        ]),
      )
    },

    async count(workspaceId: string): Promise<number> {
      const row = await first(
        database.query<{ count: number }>('SELECT count(*) AS count FROM canned_replies WHERE workspace_id = $1', [
          workspaceId,
        ]),
      )
      return row?.count ?? 0
    },

    async insert({ workspaceId, id, shortcut, text, updatedAt }: CannedReplyRecord) {
      await database.write(
        'INSERT INTO canned_replies (workspace_id, id, shortcut, text, updated_at) VALUES ($1, $2, $3, $4, $5)',
        [workspaceId, id, shortcut, text, updatedAt],
      )
    },

    async update({ workspaceId, id }: CannedReplyRecord, change: Change) {
      const key = { workspaceId, id }
      const statement = assignments('canned_replies', key, CHANGEABLE, change)
      if (statement) await database.write(statement.sql, statement.values)
    },

    async remove({ workspaceId, id }: CannedReplyRecord) {
      await database.write('DELETE FROM canned_replies WHERE workspace_id = $1 AND id = $2', [workspaceId, id])
    },
  }
}
