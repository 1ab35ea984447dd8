// Sessions: an opaque random token in a cookie; only its hash is stored.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { randomId } from '../ids.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import type { PresentedSession } from '../storage/sessions.ts'
import type { Audit } from './audit.ts'
import type { HostCookie, KnownDevice, RequestSite } from './cookies.ts'
import type { Passwords } from './passwords.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import type { SecondFactor } from './second-factor.ts'
import { hashSecret } from './secrets.ts'

const IDLE_MS = 30 * DAY_MS
const LONGEST_MS = 90 * DAY_MS
// How often last use is recorded, so that reading does not write each time.
const NOTED_EVERY_MS = 60_000
const LONGEST_USER_AGENT = 300
/** How long a confirmed identity lasts. */
const CONFIRMED_MS = 5 * 60_000
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Connection details of a log-in. */
export interface ClientDetails {
  ip: string
  userAgent: string
  /** This browser's previous session. */
  oldToken: string | null
  /** A device this account has used before. */
  device: KnownDevice | null
}

/** A session valid for this request. */
export interface OpenSession extends PresentedSession {
  /** Whether the person recently confirmed their identity. */
  isConfirmed: boolean
}

export interface StartedSession {
  token: string
  session: PresentedSession
}

interface Neighbours {
  cookie: HostCookie
  siteOf: RequestSite
}

export type Sessions = ReturnType<typeof openSessions>

export function openSessions({ storage: { sessions: table }, clock }: Context, { cookie, siteOf }: Neighbours) {
  return {
    /** Always under a new token, against session fixation; ends this browser's old session. */
    async start(
      accountId: string,
      workspaceId: string | null,
      client: ClientDetails,
      isConfirmed = true,
    ): Promise<StartedSession> {
      const token = randomBytes(32).toString('base64url')
      const hash = hashSecret(token)
      const now = clock()
      const record = {
        accountId,
        id: randomId('ssn'),
        hash,
        workspaceId,
        createdAt: now,
        lastSeenAt: now,
        ip: client.ip,
        userAgent: client.userAgent.slice(0, LONGEST_USER_AGENT),
      }
      await table.insert(record, isConfirmed ? now : 0)
      const old = client.oldToken ? await table.findPresented(hashSecret(client.oldToken)) : undefined
      if (old) await table.remove(old.account.id, old.id)
      const session = await table.findPresented(hash)
      if (!session) throw new Error('the session ended while it was being created')
      return { token, session }
    },

    /** Null: not logged in. A possible cross-site change is a fault. */
    async find(request: { method: string; headers: IncomingHttpHeaders }): Promise<OpenSession | null> {
      const token = cookie.read(request.headers.cookie)
      if (!token) return null
      const isSafe = SAFE_METHODS.includes(request.method)
      if (!isSafe && siteOf(request.headers) !== 'own') throw new Fault('cross_site_request')
      const session = await table.findPresented(hashSecret(token))
      const now = clock()
      if (!session || isOver(session, now)) return null
      if (now - session.lastSeenAt >= NOTED_EVERY_MS) await table.touch(session.account.id, session.id, now)
      const age = now - session.confirmedAt
      // A clock that was set back must not extend it.
      return { ...session, isConfirmed: age >= 0 && age < CONFIRMED_MS }
    },

    confirm: (accountId: string, id: string) => table.confirm(accountId, id, clock()),
    selectWorkspace: table.selectWorkspace,
    /** False: no such session. */
    end: table.remove,

    list: (accountId: string, after: string, limit: number) =>
      table.list(accountId, clock() - LONGEST_MS, clock() - IDLE_MS, after, limit),

    forget: () => table.forget(clock() - LONGEST_MS, clock() - IDLE_MS),
  }
}

function isOver({ createdAt, lastSeenAt }: PresentedSession, now: number): boolean {
  return now - createdAt >= LONGEST_MS || now - lastSeenAt >= IDLE_MS
}

interface ReauthenticateDeps {
  passwords: Pick<Passwords, 'verify'>
  secondFactor: Pick<SecondFactor, 'check'>
  sessions: Pick<Sessions, 'confirm'>
  attempts: Pick<Attempts, 'require' | 'release' | 'clear'>
  audit: Pick<Audit, 'recordForAccount'>
}

interface Proof {
  password: string
  code?: string | undefined
}

type Reauthenticate = (account: AccountRecord, session: { id: string; ip: string }, proof: Proof) => Promise<void>

export function makeReauthenticate({
  passwords,
  secondFactor,
  sessions,
  attempts,
  audit,
}: ReauthenticateDeps): Reauthenticate {
  return async (account, { id, ip }, { password, code }) => {
    const tries = ATTEMPT_LIMITS.confirmationsOf(account.id)
    await attempts.require(tries)
    if (!(await passwords.verify(account.passwordHash, password)))
      throw await proofFault('password', 'This password is incorrect.')
    if (account.secondFactor) {
      if (code === undefined) {
        await attempts.release(tries)
        throw new Fault('validation_failed', { details: [{ path: 'code', message: 'This field is required.' }] })
      }
      const factor = await secondFactor.check(account, code)
      if (!factor) throw await proofFault('code', 'This code is incorrect.')
      if (factor === 'recovery_code') await audit.recordForAccount(account, ip, 'recovery_code.used')
    }
    await attempts.clear(tries)
    await sessions.confirm(account.id, id)

    async function proofFault(path: string, message: string): Promise<Fault> {
      await audit.recordForAccount(account, ip, 'login.failed')
      return new Fault('validation_failed', { details: [{ path, message }] })
    }
  }
}
