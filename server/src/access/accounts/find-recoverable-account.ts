// Which accounts an owner may recover: reset the password, remove a lost second factor.
import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts.ts'
import type { MemberRecord, MembersTable } from '../../storage/members.ts'
import type { Manager } from '../managers.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'find'>
  members: Pick<MembersTable, 'listOfAccount'>
}

export type FindRecoverableAccount = (member: MemberRecord, isInstanceOwner: boolean) => Promise<AccountRecord>

/** Owners control their workspace, not the people in it: not accounts that also open other workspaces. */
export function createFindRecoverableAccount({ accounts, members }: Deps): FindRecoverableAccount {
  return async (member, isInstanceOwner) => {
    const account = member.accountId === null ? undefined : await accounts.find(member.accountId)
    if (!account) throw new Fault('no_account')
    if (isInstanceOwner) return account
    const isElsewhere = (await members.listOfAccount(account.id)).some(({ id }) => id !== member.workspaceId)
    if (!account.instanceOwner && !isElsewhere) return account
    const message = 'This person also belongs to other workspaces, so only the instance owner can do this.'
    throw new Fault('role_required', { message })
  }
}

/** Otherwise an open session or token could take over its own account without the password. */
export function requireOther({ name, accountId }: Manager, member: MemberRecord) {
  if (name !== member.id && (accountId === undefined || accountId !== member.accountId)) return
  throw new Fault('role_required', { message: 'Use your account settings to do this for yourself.' })
}
