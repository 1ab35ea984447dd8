// What an owner does for members who cannot get into their accounts any more.
import { Fault } from '@docent/contract'
import type { PasswordResetter } from '../access/accounts/reset-password.ts'
import type { RuledAccount } from '../access/accounts/ruled-account.ts'
import type { Audit } from '../access/audit.ts'
import type { FindMember, Manager } from '../access/managers.ts'
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
}

export function memberAccountRoutes(route: Route, deps: Deps) {
  const { passwordResetter, ruledAccount, secondFactor, findMember, audit } = deps

  route(
    'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link',
    async ({ caller, params, request }) => {
      const member = await findMember(caller, params)
      const { link, expiresAt } = await passwordResetter.linkFor(member, caller.kind === 'instance_owner')
      await audit.did({ caller, request }, member.workspaceId, 'reset_link.made', member.email)
      return { link, expires_at: timestamp(expiresAt) }
    },
  )

  route(
    'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor',
    async ({ caller, params, request }) => {
      const member = await findMember(caller, params)
      const account = await ruledAccount(member, caller.kind === 'instance_owner')
      // Or who sits at an open session could be rid of it without the password.
      if (isSelf(caller, member)) throw new Fault('role_required', { message: 'Your own goes off in your account.' })
      await secondFactor.takeAway(account.id)
      await audit.did({ caller, request }, member.workspaceId, 'two_factor.disabled', member.email)
      return undefined
    },
  )
}

function isSelf(caller: Manager, member: MemberRecord): boolean {
  return caller.name === member.id || caller.actor === member.email
}
