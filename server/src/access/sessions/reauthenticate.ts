// Asks for the password again before actions that could take over an account or a workspace.
import { Fault } from '@docent/contract'
import type { AccountRecord } from '../../storage/accounts.ts'
import type { Audit } from '../audit.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { Sessions } from './sessions.ts'
import { limits, type Throttle } from './throttle.ts'

interface Deps {
  passwords: Pick<Passwords, 'verify'>
  secondFactor: Pick<SecondFactor, 'check'>
  sessions: Pick<Sessions, 'confirm'>
  throttle: Pick<Throttle, 'require' | 'release' | 'clear'>
  audit: Pick<Audit, 'recordForAccount'>
}

export interface Proof {
  password: string
  code?: string | undefined
}

export type Reauthenticate = (
  account: AccountRecord,
  session: { id: string; ip: string },
  proof: Proof,
) => Promise<void>

export function createReauthenticate({ passwords, secondFactor, sessions, throttle, audit }: Deps): Reauthenticate {
  return async (account, { id, ip }, { password, code }) => {
    const tries = limits.confirmationsOf(account.id)
    await throttle.require(tries)
    if (!(await passwords.verify(account.passwordHash, password)))
      throw await refused('password', 'This password is incorrect.')
    if (account.secondFactor) {
      if (code === undefined) {
        await throttle.release(tries)
        throw new Fault('validation_failed', { details: [{ path: 'code', message: 'This field is required.' }] })
      }
      const factor = await secondFactor.check(account, code)
      if (!factor) throw await refused('code', 'This code is incorrect.')
      if (factor === 'recovery_code') await audit.recordForAccount(account, ip, 'recovery_code.used')
    }
    await throttle.clear(tries)
    await sessions.confirm(account.id, id)

    async function refused(path: string, message: string): Promise<Fault> {
      await audit.recordForAccount(account, ip, 'login.failed')
      return new Fault('validation_failed', { details: [{ path, message }] })
    }
  }
}
