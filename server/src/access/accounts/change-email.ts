import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts/accounts.ts'
import { StorageError } from '../../storage/database.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'changeEmail'>
  throttle: Pick<Throttle, 'require'>
}

/** `email` must be lower case. */
export type ChangeEmail = (account: AccountRecord, email: string) => Promise<void>

export function createChangeEmail({ accounts, throttle }: Deps): ChangeEmail {
  return async (account, email) => {
    await throttle.require(limits.emailChangesOf(account.id))
    await accounts.changeEmail(account.id, email).catch((error: unknown) => {
      if (!(error instanceof StorageError) || error.kind !== 'unique') throw error
      throw new Fault('already_exists', { details: [{ path: 'email', message: 'This email is already in use.' }] })
    })
  }
}
