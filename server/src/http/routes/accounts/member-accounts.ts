import {
  changeMemberEmail,
  makeResetLink,
  type RecoveryDeps,
  removeSecondFactor,
} from '../../../access/accounts/recover-member.ts'
import type { Route } from '../../route.ts'
import { timestamp } from '../../times.ts'

export function memberAccountRoutes(route: Route, deps: RecoveryDeps) {
  route('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link', async ({ params, ...call }) => {
    const { link, expiresAt } = await makeResetLink(deps, call, params)
    return { link, expires_at: timestamp(expiresAt) }
  })

  route('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/email', async ({ params, body, ...call }) => {
    await changeMemberEmail(deps, call, params, body.email)
    return undefined
  })

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor', async ({ params, ...call }) => {
    await removeSecondFactor(deps, call, params)
    return undefined
  })
}
