// Changes to how people log in. Each is audited and reported to the account's owner by email.
import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts.ts'
import type { Audit } from '../audit.ts'
import { requireConfirmed } from '../managers.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Alert } from './alert.ts'
import type { EmailChanges } from './change-email.ts'

export interface AccountDeps {
  accounts: Pick<AccountsTable, 'find' | 'rename' | 'unlinkSubject'>
  emailChanges: Pick<EmailChanges, 'request' | 'confirm'>
  ownPassword: OwnPassword
  secondFactor: SecondFactor
  audit: Audit
  alert: Alert
  passwordLogin: boolean
}

/** A request by a logged-in person. */
export interface SessionCall {
  caller: OpenSession
  request: { ip: string }
}

async function findOwnAccount({ accounts }: AccountDeps, { account }: OpenSession): Promise<AccountRecord> {
  const found = await accounts.find(account.id)
  if (!found) throw new Fault('not_found')
  return found
}

export async function updateAccount(deps: AccountDeps, call: SessionCall, input: { name?: string; email?: string }) {
  const { caller } = call
  const account = await findOwnAccount(deps, caller)
  const email = input.email?.toLowerCase() ?? account.email
  const pendingEmail = email === account.email ? null : email
  if (pendingEmail !== null) {
    requireConfirmed(caller)
    await deps.emailChanges.request(account, pendingEmail)
  }
  if (input.name !== undefined) await deps.accounts.rename(account.id, input.name.trim())
  return { account: await findOwnAccount(deps, caller), pendingEmail }
}

export async function confirmEmail(deps: AccountDeps, { caller, request }: SessionCall, token: string) {
  const account = await findOwnAccount(deps, caller)
  await deps.emailChanges.confirm(account, token, { id: caller.id, ip: request.ip })
  return findOwnAccount(deps, caller)
}

export async function changeOwnPassword(deps: AccountDeps, call: SessionCall, current: string, wanted: string) {
  const { caller, request } = call
  const account = await findOwnAccount(deps, caller)
  // The request includes the password but not the second factor.
  if (account.secondFactor) requireConfirmed(caller)
  await deps.ownPassword.change(account, current, wanted, caller.id)
  await deps.audit.recordForAccount(account, request.ip, 'password.changed')
  deps.alert(actorOf(account, call), 'password_changed')
}

export async function beginSecondFactor(deps: AccountDeps, { caller }: SessionCall) {
  requireConfirmed(caller)
  return deps.secondFactor.begin(await findOwnAccount(deps, caller))
}

/** Returns the recovery codes, only this once. */
export async function confirmSecondFactor(deps: AccountDeps, call: SessionCall, code: string): Promise<string[]> {
  requireConfirmed(call.caller)
  const account = await findOwnAccount(deps, call.caller)
  const codes = await deps.secondFactor.confirm(account, code)
  await deps.audit.recordForAccount(account, call.request.ip, 'two_factor.enabled')
  deps.alert(actorOf(account, call), 'two_factor_enabled')
  return codes
}

export async function renewRecoveryCodes(deps: AccountDeps, call: SessionCall, code: string): Promise<string[]> {
  requireConfirmed(call.caller)
  const account = await findOwnAccount(deps, call.caller)
  const codes = await deps.secondFactor.renewCodes(account, code)
  await deps.audit.recordForAccount(account, call.request.ip, 'recovery_codes.renewed')
  deps.alert(actorOf(account, call), 'recovery_codes_renewed')
  return codes
}

export async function disableSecondFactor(deps: AccountDeps, call: SessionCall, password: string | undefined) {
  requireConfirmed(call.caller)
  const account = await findOwnAccount(deps, call.caller)
  if (password !== undefined) await deps.ownPassword.require(account, password, 'password')
  await deps.secondFactor.end(account.id)
  await deps.audit.recordForAccount(account, call.request.ip, 'two_factor.disabled')
  deps.alert(actorOf(account, call), 'two_factor_disabled')
}

/** Only for people who can log in another way. */
export async function unlinkSso(deps: AccountDeps, call: SessionCall) {
  requireConfirmed(call.caller)
  const account = await findOwnAccount(deps, call.caller)
  if (!account.sso) throw new Fault('not_found')
  if (!deps.passwordLogin) throw new Fault('password_login_disabled')
  if (!(await deps.accounts.unlinkSubject(account.id, call.caller.id))) throw new Fault('password_not_set')
  await deps.audit.recordForAccount(account, call.request.ip, 'sso.unlinked')
  deps.alert(actorOf(account, call), 'sso_unlinked')
}

function actorOf({ id, email }: AccountRecord, { request }: SessionCall) {
  return { caller: { actor: email, accountId: id }, request }
}
