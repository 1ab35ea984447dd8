import type { AuditEntry } from '@docent/contract'
import type { Context } from '../context.ts'
import type { AuditRecord } from '../storage/audit.ts'
import type { ListQuery } from '../storage/lists.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { sortedPage } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function auditRoutes(route: Route, { storage }: Context, { access }: Pick<Modules, 'access'>) {
  route('GET /api/manage/v1/workspaces/{workspaceId}/audit', async ({ caller, params, query }) => {
    const workspace = await access.findWorkspace(caller, params.workspaceId)
    const list = (listQuery: ListQuery) => storage.auditEntries.list(workspace.id, listQuery)
    return sortedPage(query, query.sort ?? '-at', sortedBy, list, toAuditEntry)
  })
}

/** The outcome of an import for the audit log; null: nothing changed. */
export function describeImport({ created, updated }: { created: number; updated: number }): string | null {
  return created + updated === 0 ? null : `${created} new, ${updated} changed`
}

function sortedBy({ id, actor }: AuditRecord, column: string): string {
  return column === 'actor' ? actor : id
}

function toAuditEntry({ id, at, actor, action, target, ip }: AuditRecord): AuditEntry {
  return { id, at: timestamp(at), actor, action, target, ip }
}
