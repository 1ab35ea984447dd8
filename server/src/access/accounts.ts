// Changes to how people log in. Each is audited and reported to the account's owner by email.
import { Fault, SCREENS } from '@docent/contract'
import type { Context } from '../context.ts'
import type { AccountRecord, AccountsTable } from '../storage/accounts.ts'
import { StorageError } from '../storage/database.ts'
import type { MemberRecord } from '../storage/members.ts'
import type { Audit } from './audit.ts'
import { type Alert, addressMail } from './mails.ts'
import { type FindMember, type ManagerCall, requireConfirmed } from './managers.ts'
import { type FindRecoverableAccount, type PasswordResets, requireOther } from './password-resets.ts'
import { type Passwords, requireStrongPassword } from './passwords.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import type { SecondFactor } from './second-factor.ts'
import { hashSecret, makeLinkToken } from './secrets.ts'
import type { OpenSession } from './sessions.ts'

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
interface SessionCall {
  caller: OpenSession
  request: { ip: string }
}

async function findOwnAccount({ accounts }: AccountDeps, { account }: OpenSession): Promise<AccountRecord> {
  const storedAccount = await accounts.find(account.id)
  if (!storedAccount) throw new Fault('not_found')
  return storedAccount
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

export async function changeOwnPassword(deps: AccountDeps, call: SessionCall, current: string, newPassword: string) {
  const { caller, request } = call
  const account = await findOwnAccount(deps, caller)
  // The request includes the password but not the second factor.
  if (account.secondFactor) requireConfirmed(caller)
  await deps.ownPassword.change(account, current, newPassword, caller.id)
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

const LINK_MS = 3_600_000

interface EmailNeighbours {
  findRecoverableAccount: FindRecoverableAccount
  attempts: Pick<Attempts, 'require'>
  audit: Audit
  alert: Alert
}

type EmailChanges = ReturnType<typeof openEmailChanges>

/** Addresses must be lower case. */
export function openEmailChanges(context: Context, neighbours: EmailNeighbours) {
  const { storage, config, sendMail, clock } = context
  const { accounts, linkTokens } = storage
  const { baseUrl } = config
  const { findRecoverableAccount, attempts, audit, alert } = neighbours

  return {
    /** Mails a link to the new address. */
    async request(account: AccountRecord, email: string) {
      if (!sendMail)
        throw new Fault('email_proof_required', { message: 'Ask an owner of your workspace to change it.' })
      await attempts.require(ATTEMPT_LIMITS.emailChangesOf(account.id))
      if (await accounts.isEmailTaken(account.id, email)) throw emailTaken()
      const { token, hash } = makeLinkToken()
      await linkTokens.replaceEmail(hash, account.id, email, clock() + LINK_MS)
      await sendMail(addressMail(email, account, `${baseUrl}${SCREENS.email}#${token}`)).catch((error: unknown) => {
        throw new Fault('email_proof_required', { message: 'The email with the link could not be sent.', cause: error })
      })
    },

    /** By the person who asked: a link that others open would give them an account that somebody else has prepared. */
    async confirm(account: AccountRecord, token: string, session: { id: string; ip: string }): Promise<string> {
      const email = await accounts.confirmEmail(hashSecret(token), account.id, session.id, clock()).catch(throwIfTaken)
      if (email === null) throw new Fault('invalid_link')
      await audit.recordForAccount(account, session.ip, 'email.changed', email)
      if (account.sso) await audit.recordForAccount(account, session.ip, 'sso.unlinked')
      const by = { caller: { actor: account.email, accountId: account.id }, request: session }
      alert(by, 'email_changed', { account: email })
      return email
    },

    /** By an owner, for a member who cannot prove it. */
    async changeForMember(call: ManagerCall, member: MemberRecord, email: string) {
      if (email === member.email) return
      const isInstanceOwner = call.caller.kind === 'instance_owner'
      const account = await findRecoverableAccount(member, isInstanceOwner)
      if (!isInstanceOwner) requireOther(call.caller, member)
      requireConfirmed(call.caller)
      if (sendMail) throw new Fault('email_proof_required')
      await accounts.changeEmail(account.id, email).catch(throwIfTaken)
      await audit.record(call, member.workspaceId, 'email.changed', `${member.email} → ${email}`)
      alert(call, 'email_changed', { account: email })
    },
  }
}

function throwIfTaken(error: unknown): never {
  throw error instanceof StorageError && error.kind === 'unique' ? emailTaken() : error
}

function emailTaken(): Fault {
  return new Fault('already_exists', { details: [{ path: 'email', message: 'This email is already in use.' }] })
}

interface PasswordNeighbours {
  passwords: Passwords
  attempts: Attempts
}

type OwnPassword = ReturnType<typeof openOwnPassword>

export function openOwnPassword({ storage: { accounts } }: Context, { passwords, attempts }: PasswordNeighbours) {
  /** Limits guessing from a session left open. */
  async function requirePassword(account: AccountRecord, password: string, path: string) {
    const tries = ATTEMPT_LIMITS.confirmationsOf(account.id)
    await attempts.require(tries)
    if (!(await passwords.verify(account.passwordHash, password)))
      throw new Fault('validation_failed', { details: [{ path, message: 'This password is incorrect.' }] })
    await attempts.clear(tries)
  }

  return {
    require: requirePassword,

    /** Ends all other sessions. */
    async change(account: AccountRecord, current: string, newPassword: string, keptSessionId: string) {
      await requirePassword(account, current, 'current_password')
      requireStrongPassword(newPassword, account.email, 'new_password')
      await accounts.changePassword(account.id, await passwords.hash(newPassword), keptSessionId)
    },
  }
}

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
  const resetLink = await passwordResets.linkFor(member, call.caller)
  await audit.record(call, member.workspaceId, 'reset_link.made', member.email)
  alert(call, 'reset_link_made', { account: member.email })
  return resetLink
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
