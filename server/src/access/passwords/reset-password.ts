// Forgotten passwords: a single-use link to set a new one, from an owner or by email.
import { Fault } from '@docent/contract'
import type { AccountsTable } from '../../storage/accounts.ts'
import type { LinkTokensTable, ResetLinkOrigin } from '../../storage/links.ts'
import type { MemberRecord } from '../../storage/members.ts'
import type { Alert } from '../accounts/alert.ts'
import type { FindRecoverableAccount } from '../accounts/find-recoverable-account.ts'
import { makeLinkToken } from '../accounts/link-token.ts'
import { resetMail, type SendMail } from '../accounts/mails.ts'
import type { Audit } from '../audit.ts'
import type { Manager } from '../managers.ts'
import { hashSecret } from '../secrets.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'
import type { Passwords } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'

const LINK_MS = 3_600_000

interface Deps {
  accounts: Pick<AccountsTable, 'find' | 'findByEmail' | 'resetPassword'>
  linkTokens: Pick<LinkTokensTable, 'replaceReset' | 'findReset'>
  findRecoverableAccount: FindRecoverableAccount
  passwords: Passwords
  throttle: Throttle
  audit: Audit
  alert: Alert
  /** Null: email is not configured. */
  sendMail: SendMail | null
  baseUrl: string
  clock: () => number
  onError: (error: unknown) => void
}

export type PasswordResets = ReturnType<typeof createPasswordResets>

export function createPasswordResets(deps: Deps) {
  const {
    accounts,
    linkTokens,
    findRecoverableAccount,
    passwords,
    throttle,
    audit,
    alert,
    sendMail,
    baseUrl,
    clock,
    onError,
  } = deps

  async function makeLink(accountId: string, origin: ResetLinkOrigin) {
    const { token, hash } = makeLinkToken()
    const expiresAt = clock() + LINK_MS
    await linkTokens.replaceReset(hash, accountId, expiresAt, origin)
    return { link: `${baseUrl}/reset#${token}`, expiresAt }
  }

  async function mailLink(email: string, send: SendMail) {
    const account = await accounts.findByEmail(email)
    if (!account || !(await throttle.count(limits.resetOf(email)))) return
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
      await throttle.require(limits.resetFrom(ip))
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
      await throttle.clear(limits.logInAs(account.email, ip))
      const origin = reset.maker === null ? null : `with a link of ${reset.maker}`
      await audit.recordForAccount(account, ip, 'password.reset', origin)
      if (reset.isMailed && account.sso) await audit.recordForAccount(account, ip, 'sso.unlinked')
      if (reset.isMailed && account.secondFactor) await audit.recordForAccount(account, ip, 'two_factor.disabled')
      if (revokesTokens) await audit.recordForAccount(account, ip, 'token.revoked', `all of ${account.email}`)
      alert({ caller: { actor: account.email, accountId: account.id }, request: { ip } }, 'password_reset')
    },
  }
}
