import { Fault, type Invitation } from '@docent/contract'
import type { AcceptInvitation } from '../access/accounts/accept-invitation.ts'
import type { Alert } from '../access/accounts/alert.ts'
import type { Invite } from '../access/accounts/invite.ts'
import type { Audit } from '../access/audit.ts'
import { type FindWorkspace, requireConfirmed } from '../access/managers.ts'
import type { InvitationRecord, InvitationsTable } from '../storage/invitations.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import type { Admit } from './sessions.ts'
import { timestamp } from './times.ts'

interface Deps {
  invitations: Pick<InvitationsTable, 'list' | 'remove'>
  invite: Invite
  acceptInvitation: AcceptInvitation
  findWorkspace: FindWorkspace
  admit: Admit
  audit: Audit
  alert: Alert
  clock: () => number
}

export function invitationRoutes(route: Route, deps: Deps) {
  const { invitations, invite, acceptInvitation, findWorkspace, admit, audit, alert, clock } = deps

  route('POST /api/manage/v1/workspaces/{workspaceId}/invitations', async ({ caller, params, body, request }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    const { record, link, sent } = await invite(workspace, body, (role) => {
      if (role === 'owner') requireConfirmed(caller)
    })
    await audit.did({ caller, request }, workspace.id, 'member.invited', `${record.email} (${record.role})`)
    if (record.role === 'owner') alert({ caller, request }, 'owner_invited', { target: record.email })
    return { ...toInvitation(record), link, sent }
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/invitations', async ({ caller, params, query }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    return page(query, (after, limit) => invitations.list(workspace.id, clock(), after, limit), toInvitation)
  })

  route(
    'DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}',
    async ({ caller, params, request }) => {
      const workspace = await findWorkspace(caller, params.workspaceId)
      const email = await invitations.remove(workspace.id, params.invitationId)
      if (email === undefined) throw new Fault('not_found')
      await audit.did({ caller, request }, workspace.id, 'invitation.withdrawn', email)
      return undefined
    },
  )

  route('POST /api/manage/v1/invitations/accept', async (incoming) =>
    admit(incoming, (visitor) => acceptInvitation(incoming.body, visitor)),
  )
}

function toInvitation({ id, email, name, role, createdAt, expiresAt }: InvitationRecord): Invitation {
  return { id, email, name, role, created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) }
}
