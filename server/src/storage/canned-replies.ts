import { type Database, first, type Row } from './database.ts'
import { assignments } from './statements.ts'

export interface CannedReplyRecord {
  workspaceId: string
  id: string
  shortcut: string
  text: string
  updatedAt: number
}

type Change = Partial<Pick<CannedReplyRecord, 'shortcut' | 'text' | 'updatedAt'>>

interface CannedReplyRow extends Row {
  workspace_id: string
  id: string
  shortcut: string
  text: string
  updated_at: number
}

const changeColumns: Record<keyof Change, string> = { shortcut: 'shortcut', text: 'text', updatedAt: 'updated_at' }

export type CannedRepliesTable = ReturnType<typeof openCannedRepliesTable>

export function openCannedRepliesTable(database: Database) {
  return {
    async list(workspaceId: string, after: string, limit: number) {
      const rows = await database.query<CannedReplyRow>(
        'SELECT * FROM canned_replies WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3',
        [workspaceId, after, limit],
      )
      return rows.map(fromRow)
    },

    async find(workspaceId: string, id: string) {
      const row = await first(
        database.query<CannedReplyRow>('SELECT * FROM canned_replies WHERE workspace_id = $1 AND id = $2', [
          workspaceId,
          id,
        ]),
      )
      return row && fromRow(row)
    },

    async count(workspaceId: string): Promise<number> {
      const row = await first(
        database.query<{ count: number }>('SELECT count(*) AS count FROM canned_replies WHERE workspace_id = $1', [
          workspaceId,
        ]),
      )
      return Number(row?.count ?? 0)
    },

    async insert({ workspaceId, id, shortcut, text, updatedAt }: CannedReplyRecord) {
      await database.write(
        'INSERT INTO canned_replies (workspace_id, id, shortcut, text, updated_at) VALUES ($1, $2, $3, $4, $5)',
        [workspaceId, id, shortcut, text, updatedAt],
      )
    },

    async update({ workspaceId, id }: CannedReplyRecord, change: Change) {
      const key = { workspace_id: workspaceId, id }
      const statement = assignments('canned_replies', key, changeColumns, change)
      if (statement) await database.write(statement.sql, statement.values)
    },

    async remove({ workspaceId, id }: CannedReplyRecord) {
      await database.write('DELETE FROM canned_replies WHERE workspace_id = $1 AND id = $2', [workspaceId, id])
    },
  }
}

function fromRow(row: CannedReplyRow): CannedReplyRecord {
  const { workspace_id, updated_at, ...rest } = row
  return { ...rest, workspaceId: workspace_id, updatedAt: updated_at }
}
