// One's own account: name, e-mail address, password, second factor.
import { type Account, Fault } from '@docent/contract'
import type { Alert } from '../access/accounts/alert.ts'
import type { ChangeEmail } from '../access/accounts/change-email.ts'
import type { PasswordChanger } from '../access/accounts/change-password.ts'
import type { Audit } from '../access/audit.ts'
import { requireConfirmed } from '../access/managers.ts'
import type { SecondFactor } from '../access/second-factor/second-factor.ts'
import type { AccountRecord, AccountsTable } from '../storage/accounts.ts'
import type { PresentedSession } from '../storage/sessions.ts'
import type { Route } from './route.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'find' | 'rename'>
  changeEmail: ChangeEmail
  passwordChanger: PasswordChanger
  secondFactor: SecondFactor
  audit: Audit
  alert: Alert
}

export function accountRoutes(route: Route, deps: Deps) {
  const { accounts, changeEmail, passwordChanger, secondFactor, audit, alert } = deps

  async function accountOf({ account }: PresentedSession): Promise<AccountRecord> {
    const found = await accounts.find(account.id)
    if (!found) throw new Fault('not_found')
    return found
  }

  const doer = ({ id, email }: AccountRecord, request: { ip: string }) => ({
    caller: { actor: email, accountId: id },
    request,
  })

  route('PATCH /api/manage/v1/account', async ({ caller, body, request }) => {
    const account = await accountOf(caller)
    const email = body.email?.toLowerCase() ?? account.email
    if (email !== account.email) {
      requireConfirmed(caller)
      await changeEmail(account, email)
      await audit.account(account, request.ip, 'email.changed', email)
      alert(doer(account, request), 'email_changed', { account: email })
    }
    if (body.name !== undefined) await accounts.rename(caller.account.id, body.name.trim())
    return toAccount(await accountOf(caller))
  })

  route('POST /api/manage/v1/account/password', async ({ caller, body, request }) => {
    const account = await accountOf(caller)
    // The password is in the request; the second factor is not.
    if (account.secondFactor) requireConfirmed(caller)
    await passwordChanger.change(account, body.current_password, body.new_password, caller.id)
    await audit.account(account, request.ip, 'password.changed')
    alert(doer(account, request), 'password_changed')
    return undefined
  })

  route('POST /api/manage/v1/account/two-factor', async ({ caller }) => {
    requireConfirmed(caller)
    return secondFactor.begin(await accountOf(caller))
  })

  route('POST /api/manage/v1/account/two-factor/confirm', async ({ caller, body, request }) => {
    requireConfirmed(caller)
    const account = await accountOf(caller)
    const codes = await secondFactor.confirm(account, body.code)
    await audit.account(account, request.ip, 'two_factor.enabled')
    alert(doer(account, request), 'two_factor_enabled')
    return { recovery_codes: codes }
  })

  route('POST /api/manage/v1/account/two-factor/recovery-codes', async ({ caller, body, request }) => {
    requireConfirmed(caller)
    const account = await accountOf(caller)
    const codes = await secondFactor.renewCodes(account, body.code)
    await audit.account(account, request.ip, 'recovery_codes.renewed')
    alert(doer(account, request), 'recovery_codes_renewed')
    return { recovery_codes: codes }
  })

  route('DELETE /api/manage/v1/account/two-factor', async ({ caller, body, request }) => {
    requireConfirmed(caller)
    const account = await accountOf(caller)
    if (body.password !== undefined) await passwordChanger.requirePassword(account, body.password, 'password')
    await secondFactor.end(account.id)
    await audit.account(account, request.ip, 'two_factor.disabled')
    alert(doer(account, request), 'two_factor_disabled')
    return undefined
  })
}

function toAccount({ id, email, name, secondFactor }: AccountRecord): Account {
  return { id, email, name, two_factor: secondFactor !== null }
}
