// The audit log of a workspace.
import type { Static } from 'typebox'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { MANAGER_ERRORS, ofWorkspace, type RouteSpec } from './route.ts'
import { ListQuery, Nullable, OneOf, Page, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const AuditQuery = ListQuery(['at', 'actor'], {
  found: 'action, target, actor or address',
  sort: '-at',
})

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    actor: Type.String({ description: 'An email address, with the name of the token if one was used.' }),
    action: OneOf(AUDIT_ACTIONS),
    target: Nullable(Type.String({ description: 'The target of the action: its name, and its id in brackets.' })),
    ip: Nullable(Type.String()),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const auditRoutes = {
  'GET /api/manage/v1/workspaces/{workspaceId}/audit': {
    summary: 'Read the audit log of a workspace, newest first',
    tag: 'Accounts',
    caller: 'management',
    role: 'owner',
    params: ofWorkspace,
    query: AuditQuery,
    status: 200,
    response: Page(AuditEntry),
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
