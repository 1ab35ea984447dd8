// E-mail address, password and, where the account has one, the second factor. Unknown accounts and wrong passwords get
// the same answer after the same work.
import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts.ts'
import type { Audit } from '../audit.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'
import type { Passwords } from './passwords.ts'

export interface Credentials {
  /** In lower case. */
  email: string
  password: string
  code?: string | undefined
}

interface Deps {
  accounts: Pick<AccountsTable, 'findByEmail'>
  passwords: Passwords
  secondFactor: Pick<SecondFactor, 'check'>
  throttle: Throttle
  audit: Audit
}

export type CheckCredentials = (credentials: Credentials, ip: string) => Promise<AccountRecord>

export function credentialChecker({ accounts, passwords, secondFactor, throttle, audit }: Deps): CheckCredentials {
  return async ({ email, password, code }, ip) => {
    const tries = [limits.logInFrom(ip), limits.logInTo(email)] as const
    await throttle.require(...tries)
    const account = await accounts.findByEmail(email)
    const isRight = await passwords.verify(account?.passwordHash, password)
    if (!account || !isRight) throw refused(account)
    if (account.secondFactor) {
      if (code === undefined) {
        // One try taken back, not all: else who has the password could guess codes without end.
        for (const limit of tries) await throttle.release(limit)
        throw new Fault('second_factor_required')
      }
      const factor = await secondFactor.check(account, code)
      if (!factor) throw refused(account)
      if (factor === 'recovery_code') await audit.account(account, ip, 'recovery_code.used')
    }
    await throttle.release(tries[0])
    await throttle.clear(tries[1])
    return account

    function refused(known: AccountRecord | undefined): Fault {
      // Not waited for, so that the time does not tell that there is an account.
      if (known) void audit.account(known, ip, 'login.failed')
      return new Fault('invalid_login')
    }
  }
}
