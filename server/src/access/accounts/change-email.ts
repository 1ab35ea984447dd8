// Changing the address of an account needs proof of the new one: a link that is mailed to it and opened by the person who
// asked. Where no email can be sent, an owner vouches for it. Either way every other way into the account ends.
import { Fault } from '@docent/contract'
import type { AccountRecord, AccountsTable } from '../../storage/accounts.ts'
import { StorageError } from '../../storage/database.ts'
import type { LinkTokensTable } from '../../storage/links.ts'
import type { MemberRecord } from '../../storage/members.ts'
import type { Audit } from '../audit.ts'
import { type ManagerCall, requireConfirmed } from '../managers.ts'
import { hashSecret } from '../secrets.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'
import type { Alert } from './alert.ts'
import { type FindRecoverableAccount, requireOther } from './find-recoverable-account.ts'
import { makeLinkToken } from './link-token.ts'
import { addressMail, type SendMail } from './mails.ts'

const LINK_MS = 3_600_000

interface Deps {
  accounts: Pick<AccountsTable, 'changeEmail' | 'confirmEmail' | 'isEmailTaken'>
  linkTokens: Pick<LinkTokensTable, 'replaceEmail'>
  findRecoverableAccount: FindRecoverableAccount
  throttle: Pick<Throttle, 'require'>
  audit: Audit
  alert: Alert
  /** Null: email is not configured. */
  sendMail: SendMail | null
  baseUrl: string
  clock: () => number
}

export type EmailChanges = ReturnType<typeof createEmailChanges>

/** Addresses must be lower case. */
export function createEmailChanges(deps: Deps) {
  const { accounts, linkTokens, findRecoverableAccount, throttle, audit, alert, sendMail, baseUrl, clock } = deps

  return {
    /** Mails a link to the new address. */
    async request(account: AccountRecord, email: string) {
      if (!sendMail)
        throw new Fault('email_proof_required', { message: 'Ask an owner of your workspace to change it.' })
      await throttle.require(limits.emailChangesOf(account.id))
      if (await accounts.isEmailTaken(account.id, email)) throw taken()
      const { token, hash } = makeLinkToken()
      await linkTokens.replaceEmail(hash, account.id, email, clock() + LINK_MS)
      await sendMail(addressMail(email, account, `${baseUrl}/email#${token}`)).catch((error: unknown) => {
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
  throw error instanceof StorageError && error.kind === 'unique' ? taken() : error
}

function taken(): Fault {
  return new Fault('already_exists', { details: [{ path: 'email', message: 'This email is already in use.' }] })
}
