import { Fault } from '@docent/contract'
import type { PasswordResetter } from '../access/accounts/reset-password.ts'
import type { Audit } from '../access/audit.ts'
import type { FindWorkspace } from '../access/managers.ts'
import { type RequestSite, requireOwnSite } from '../access/sessions/request-site.ts'
import type { MembersTable } from '../storage/members.ts'
import type { Route } from './route.ts'
import { timestamp } from './times.ts'

interface Deps {
  members: Pick<MembersTable, 'find'>
  passwordResetter: PasswordResetter
  findWorkspace: FindWorkspace
  siteOf: RequestSite
  audit: Audit
}

export function passwordResetRoutes(route: Route, deps: Deps) {
  const { members, passwordResetter, findWorkspace, siteOf, audit } = deps

  route(
    'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link',
    async ({ caller, params, request }) => {
      const workspace = await findWorkspace(caller, params.workspaceId)
      const member = await members.find(workspace.id, params.memberId)
      if (!member) throw new Fault('not_found')
      const { link, expiresAt } = await passwordResetter.linkFor(member, caller.kind === 'instance_owner')
      await audit.did({ caller, request }, workspace.id, 'reset_link.made', member.email)
      return { link, expires_at: timestamp(expiresAt) }
    },
  )

  route('POST /api/manage/v1/password-reset/request', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    await passwordResetter.request(body.email, request.ip)
    return undefined
  })

  route('POST /api/manage/v1/password-reset', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    await passwordResetter.reset(body.token, body.password, request.ip)
    return undefined
  })
}
