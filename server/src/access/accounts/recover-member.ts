// Lets an owner help members who are locked out of their accounts.
import type { Audit } from '../audit.ts'
import { type FindMember, type ManagerCall, requireConfirmed } from '../managers.ts'
import type { PasswordResets } from '../passwords/reset-password.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { Alert } from './alert.ts'
import type { EmailChanges } from './change-email.ts'
import { type FindRecoverableAccount, requireOther } from './find-recoverable-account.ts'

export interface RecoveryDeps {
  passwordResets: Pick<PasswordResets, 'linkFor'>
  findRecoverableAccount: FindRecoverableAccount
  secondFactor: Pick<SecondFactor, 'remove'>
  emailChanges: Pick<EmailChanges, 'changeForMember'>
  findMember: FindMember
  audit: Audit
  alert: Alert
}

interface MemberIds {
  workspaceId: string
  memberId: string
}

export async function makeResetLink(deps: RecoveryDeps, call: ManagerCall, ids: MemberIds) {
  const { passwordResets, findMember, audit, alert } = deps
  const member = await findMember(call.caller, ids)
  requireOther(call.caller, member)
  requireConfirmed(call.caller)
  const made = await passwordResets.linkFor(member, call.caller)
  await audit.record(call, member.workspaceId, 'reset_link.made', member.email)
  alert(call, 'reset_link_made', { account: member.email })
  return made
}

export async function changeMemberEmail(deps: RecoveryDeps, call: ManagerCall, ids: MemberIds, email: string) {
  await deps.emailChanges.changeForMember(call, await deps.findMember(call.caller, ids), email.toLowerCase())
}

export async function removeSecondFactor(deps: RecoveryDeps, call: ManagerCall, ids: MemberIds): Promise<void> {
  const { findRecoverableAccount, secondFactor, findMember, audit, alert } = deps
  const member = await findMember(call.caller, ids)
  const account = await findRecoverableAccount(member, call.caller.kind === 'instance_owner')
  requireOther(call.caller, member)
  requireConfirmed(call.caller)
  await secondFactor.remove(account.id)
  await audit.record(call, member.workspaceId, 'two_factor.disabled', member.email)
  alert(call, 'two_factor_disabled', { account: member.email })
}
