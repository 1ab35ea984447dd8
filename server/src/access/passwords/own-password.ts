import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'
import type { Passwords } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'changePassword'>
  passwords: Passwords
  throttle: Throttle
}

export type OwnPassword = ReturnType<typeof createOwnPassword>

export function createOwnPassword({ accounts, passwords, throttle }: Deps) {
  /** Limits guessing from a session left open. */
  async function requirePassword(account: AccountRecord, password: string, path: string) {
    const tries = limits.confirmationsOf(account.id)
    await throttle.require(tries)
    if (!(await passwords.verify(account.passwordHash, password)))
      throw new Fault('validation_failed', { details: [{ path, message: 'This password is incorrect.' }] })
    await throttle.clear(tries)
  }

  return {
    require: requirePassword,

    /** Ends all other sessions. */
    async change(account: AccountRecord, current: string, wanted: string, keptSessionId: string) {
      await requirePassword(account, current, 'current_password')
      requireStrongPassword(wanted, account.email, 'new_password')
      await accounts.changePassword(account.id, await passwords.hash(wanted), keptSessionId)
    },
  }
}
