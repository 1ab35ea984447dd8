import type { Role } from '@docent/contract'
import { type Database, first, type Row } from './database.ts'

export interface MemberRecord {
  workspaceId: string
  id: string
  email: string
  name: string
  role: Role
  createdAt: number
}

interface MemberRow extends Row {
  workspace_id: string
  id: string
  email: string
  name: string
  role: Role
  created_at: number
}

export type MembersTable = ReturnType<typeof membersTable>

export function membersTable(database: Database) {
  return {
    async insert(member: MemberRecord) {
      await database.write(
        'INSERT INTO members (workspace_id, id, email, name, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
        [member.workspaceId, member.id, member.email, member.name, member.role, member.createdAt],
      )
    },

    async find(workspaceId: string, id: string) {
      const row = await first(
        database.query<MemberRow>('SELECT * FROM members WHERE workspace_id = $1 AND id = $2', [workspaceId, id]),
      )
      return row && fromRow(row)
    },

    async list(workspaceId: string, after: string, limit: number) {
      const rows = await database.query<MemberRow>(
        'SELECT * FROM members WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3',
        [workspaceId, after, limit],
      )
      return rows.map(fromRow)
    },

    /** False when this would leave the workspace without an owner. */
    update: (member: MemberRecord) =>
      keepingAnOwner(database, member, 'UPDATE members SET name = $3, role = $4 WHERE workspace_id = $1 AND id = $2', [
        member.name,
        member.role,
      ]),

    /** False when this would leave the workspace without an owner. */
    remove: (member: MemberRecord) =>
      keepingAnOwner(database, member, 'DELETE FROM members WHERE workspace_id = $1 AND id = $2', []),
  }
}

async function keepingAnOwner(database: Database, member: MemberRecord, sql: string, values: string[]) {
  return database.transaction(async (tx) => {
    // Locks the workspace's row, so that two owners cannot step down at once.
    await tx.query('UPDATE workspaces SET name = name WHERE id = $1', [member.workspaceId])
    const owners = `SELECT id FROM members WHERE workspace_id = $1 AND role = 'owner'`
    const before = await tx.query<{ id: string }>(owners, [member.workspaceId])
    const staysOwner = values.includes('owner')
    if (!staysOwner && before.length === 1 && before[0]?.id === member.id) return false
    await tx.query(sql, [member.workspaceId, member.id, ...values])
    return true
  })
}

function fromRow(row: MemberRow): MemberRecord {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
  }
}
