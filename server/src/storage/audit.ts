import type { AuditAction } from '@docent/contract'
import type { Database } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'

export interface AuditRecord {
  id: string
  at: number
  actor: string
  action: AuditAction
  target: string | null
  ip: string | null
}

export function openAuditEntriesTable(database: Database) {
  return {
    async insert(workspaceId: string, { id, at, actor, action, target, ip }: AuditRecord) {
      await database.write(
        `INSERT INTO audit_entries (workspace_id, id, at, actor, action, target, ip)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [workspaceId, id, at, actor, action, target, ip],
      )
    },

    /** An account's actions appear in every workspace it belongs to. */
    async insertForAccount(accountId: string, { id, at, actor, action, target, ip }: AuditRecord) {
      await database.write(
        `INSERT INTO audit_entries (workspace_id, id, at, actor, action, target, ip)
         SELECT workspace_id, $2, CAST($3 AS BIGINT), $4, $5, $6, $7 FROM members WHERE account_id = $1`,
        [accountId, id, at, actor, action, target, ip],
      )
    },

    list: (workspaceId: string, listQuery: ListQuery): Promise<AuditRecord[]> => {
      const source = {
        select: 'SELECT id, at, actor, action, target, ip FROM audit_entries',
        where: ['workspace_id = $1'],
        values: [workspaceId],
        searched: `lower(actor || ' ' || action || ' ' || coalesce(target, '') || ' ' || coalesce(ip, ''))`,
        // Ids sort by time.
        orders: { at: 'id', actor: 'actor' },
      }
      return listOrdered<AuditRecord>(database, source, listQuery)
    },

    /** Across all tenants: removes expired rows. */
    async forget(before: number) {
      await database.write('DELETE FROM audit_entries WHERE at < $1', [before])
    },
  }
}
