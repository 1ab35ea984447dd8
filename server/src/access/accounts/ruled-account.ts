// Whose account an owner may open the way into for them: a new password, a second factor that is lost.
import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts/accounts.ts'
import type { MemberRecord, MembersTable } from '../../storage/workspaces/members.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'find'>
  members: Pick<MembersTable, 'ofAccount'>
}

export type RuledAccount = (member: MemberRecord, isInstanceOwner: boolean) => Promise<AccountRecord>

/** An owner rules a workspace, not the people in it: an account that opens more than that is not theirs to open. */
export function createRuledAccount({ accounts, members }: Deps): RuledAccount {
  return async (member, isInstanceOwner) => {
    const account = member.accountId === null ? undefined : await accounts.find(member.accountId)
    if (!account) throw new Fault('no_account')
    if (isInstanceOwner) return account
    const isElsewhere = (await members.ofAccount(account.id)).some(({ id }) => id !== member.workspaceId)
    if (!account.instanceOwner && !isElsewhere) return account
    const message = 'This person also belongs to other workspaces, so only the instance owner can do this.'
    throw new Fault('role_required', { message })
  }
}
