// What an owner does for members who cannot get into their accounts any more.
import { Fault } from '@docent/contract'
import type { Alert } from '../access/accounts/alert.ts'
import type { PasswordResetter } from '../access/accounts/reset-password.ts'
import type { RuledAccount } from '../access/accounts/ruled-account.ts'
import type { Audit } from '../access/audit.ts'
import { type FindMember, type Manager, requireConfirmed } from '../access/managers.ts'
import type { SecondFactor } from '../access/second-factor/second-factor.ts'
import type { MemberRecord } from '../storage/members.ts'
import type { Route } from './route.ts'
import { timestamp } from './times.ts'

interface Deps {
  passwordResetter: Pick<PasswordResetter, 'linkFor'>
  ruledAccount: RuledAccount
  secondFactor: Pick<SecondFactor, 'takeAway'>
  findMember: FindMember
  audit: Audit
  alert: Alert
}

export function memberAccountRoutes(route: Route, deps: Deps) {
  const { passwordResetter, ruledAccount, secondFactor, findMember, audit, alert } = deps

  route(
    'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link',
    async ({ caller, params, request }) => {
      const member = await findMember(caller, params)
      requireOther(caller, member)
      requireConfirmed(caller)
      const { link, expiresAt } = await passwordResetter.linkFor(member, caller.kind === 'instance_owner')
      await audit.did({ caller, request }, member.workspaceId, 'reset_link.made', member.email)
      alert({ caller, request }, 'reset_link_made', { account: member.email })
      return { link, expires_at: timestamp(expiresAt) }
    },
  )

  route(
    'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor',
    async ({ caller, params, request }) => {
      const member = await findMember(caller, params)
      const account = await ruledAccount(member, caller.kind === 'instance_owner')
      requireOther(caller, member)
      requireConfirmed(caller)
      await secondFactor.takeAway(account.id)
      await audit.did({ caller, request }, member.workspaceId, 'two_factor.disabled', member.email)
      alert({ caller, request }, 'two_factor_disabled', { account: member.email })
      return undefined
    },
  )
}

/** Or whoever sits at an open session, or has a token, could take the account over without its password. */
function requireOther({ name, accountId }: Manager, member: MemberRecord) {
  if (name !== member.id && (accountId === undefined || accountId !== member.accountId)) return
  throw new Fault('role_required', { message: 'For yourself, this is done in your account.' })
}
