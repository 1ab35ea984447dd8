// Forgotten passwords: a single-use link to set a new one, from an owner or by email.
import { Fault, SCREENS } from '@docent/contract'
import type { Context } from '../context.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import type { ResetLinkOrigin } from '../storage/links.ts'
import type { MemberRecord } from '../storage/members.ts'
import type { Audit } from './audit.ts'
import { type Alert, resetMail, type SendMail } from './mails.ts'
import type { Manager } from './managers.ts'
import { type Passwords, requireStrongPassword } from './passwords.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import { hashSecret, makeLinkToken } from './secrets.ts'

const LINK_MS = 3_600_000

interface Neighbours {
  findRecoverableAccount: FindRecoverableAccount
  passwords: Passwords
  attempts: Attempts
  audit: Audit
  alert: Alert
}

export type PasswordResets = ReturnType<typeof openPasswordResets>

export function openPasswordResets(context: Context, neighbours: Neighbours) {
  const { storage, config, sendMail, clock, onError } = context
  const { accounts, linkTokens } = storage
  const { baseUrl } = config
  const { findRecoverableAccount, passwords, attempts, audit, alert } = neighbours

  async function makeLink(accountId: string, origin: ResetLinkOrigin) {
    const { token, hash } = makeLinkToken()
    const expiresAt = clock() + LINK_MS
    await linkTokens.replaceReset(hash, accountId, expiresAt, origin)
    return { link: `${baseUrl}${SCREENS.reset}#${token}`, expiresAt }
  }

  async function mailLink(email: string, send: SendMail) {
    const account = await accounts.findByEmail(email)
    if (!account || !(await attempts.count(ATTEMPT_LIMITS.resetOf(email)))) return
    const { link } = await makeLink(account.id, { isMailed: true, createdBy: null })
    await send(resetMail(account, link))
  }

  return {
    async linkFor(member: MemberRecord, { kind, maker }: Manager) {
      const account = await findRecoverableAccount(member, kind === 'instance_owner')
      return makeLink(account.id, { isMailed: false, createdBy: maker })
    },

    /** Same response for every address, and not awaited, so that timing reveals nothing. */
    async request(email: string, ip: string) {
      await attempts.require(ATTEMPT_LIMITS.resetFrom(ip))
      if (sendMail) void mailLink(email.trim().toLowerCase(), sendMail).catch(onError)
    },

    async reset(token: string, password: string, revokesTokens: boolean, ip: string) {
      const hash = hashSecret(token)
      const accountId = await linkTokens.findReset(hash, clock())
      const account = accountId === undefined ? undefined : await accounts.find(accountId)
      if (!account) throw new Fault('invalid_link')
      requireStrongPassword(password, account.email, 'password')
      const passwordHash = await passwords.hash(password)
      const reset = await accounts.resetPassword(hash, account.id, passwordHash, revokesTokens, clock())
      if (!reset) throw new Fault('invalid_link')
      await attempts.clear(ATTEMPT_LIMITS.logInAs(account.email, ip))
      const origin = reset.maker === null ? null : `with a link of ${reset.maker}`
      await audit.recordForAccount(account, ip, 'password.reset', origin)
      if (reset.isMailed && account.sso) await audit.recordForAccount(account, ip, 'sso.unlinked')
      if (reset.isMailed && account.secondFactor) await audit.recordForAccount(account, ip, 'two_factor.disabled')
      if (revokesTokens) await audit.recordForAccount(account, ip, 'token.revoked', `all of ${account.email}`)
      alert({ caller: { actor: account.email, accountId: account.id }, request: { ip } }, 'password_reset')
    },
  }
}

export type FindRecoverableAccount = (member: MemberRecord, isInstanceOwner: boolean) => Promise<AccountRecord>

/** Owners control their workspace, not the people in it: not accounts that also open other workspaces. */
export function makeFindRecoverableAccount({ storage: { accounts, members } }: Context): FindRecoverableAccount {
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
