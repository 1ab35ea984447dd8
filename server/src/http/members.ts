import type { Invitation, OpenInvitation } from '@docent/contract'
import { changeMemberEmail, makeResetLink, removeSecondFactor } from '../access/accounts.ts'
import { withdrawInvitation } from '../access/invitations.ts'
import type { Context } from '../context.ts'
import type { InvitationRecord, PresentedInvitation } from '../storage/links.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'
import type { Admit } from './sessions.ts'

export function invitationRoutes(
  route: Route,
  { storage, clock }: Context,
  { access }: Pick<Modules, 'access'>,
  admit: Admit,
) {
  const { invitations } = storage
  const { invite, acceptInvitation, readInvitation, findWorkspace, audit } = access

  route('POST /api/manage/v1/workspaces/{workspaceId}/invitations', async ({ params, body, ...call }) => {
    const workspace = await findWorkspace(call.caller, params.workspaceId)
    const { record, link, sent } = await invite(call, workspace, body)
    return { ...toInvitation(record), link, sent }
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/invitations', async ({ caller, params, query }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    return page(query, (after, limit) => invitations.list(workspace.id, clock(), after, limit), toInvitation)
  })

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}', async ({ params, ...call }) => {
    await withdrawInvitation({ invitations, findWorkspace, audit }, call, params)
    return undefined
  })

  route('POST /api/manage/v1/invitations/read', async ({ body }) => {
    const invitation = await readInvitation(body.token)
    return { invitation: invitation ? toOpenInvitation(invitation) : null }
  })

  route('POST /api/manage/v1/invitations/accept', async (incoming) =>
    admit(incoming, (client) => acceptInvitation(incoming.body, client)),
  )
}

function toOpenInvitation({ email, role, invitedBy, workspaceName, expiresAt }: PresentedInvitation): OpenInvitation {
  return { email, role, invited_by: invitedBy, workspace: workspaceName, expires_at: timestamp(expiresAt) }
}

function toInvitation({ id, email, name, role, createdAt, expiresAt }: InvitationRecord): Invitation {
  return { id, email, name, role, created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) }
}

export function memberAccountRoutes(route: Route, { access }: Pick<Modules, 'access'>) {
  route('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link', async ({ params, ...call }) => {
    const { link, expiresAt } = await makeResetLink(access, call, params)
    return { link, expires_at: timestamp(expiresAt) }
  })

  route('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/email', async ({ params, body, ...call }) => {
    await changeMemberEmail(access, call, params, body.email)
    return undefined
  })

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor', async ({ params, ...call }) => {
    await removeSecondFactor(access, call, params)
    return undefined
  })
}
