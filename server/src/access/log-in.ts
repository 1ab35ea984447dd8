// Checks email address, password and, if enabled, the second factor. Unknown accounts and wrong passwords get the same
// response after the same work.
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import type { Membership } from '../storage/members.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import type { Audit } from './audit.ts'
import type { KnownDevice } from './cookies.ts'
import type { Passwords } from './passwords.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import type { SecondFactor } from './second-factor.ts'
import type { ClientDetails, Sessions, StartedSession } from './sessions.ts'

interface LogInNeighbours {
  checkCredentials: CheckCredentials
  ownWorkspaces: Pick<OwnWorkspaces, 'first'>
  sessions: Pick<Sessions, 'start'>
  audit: Audit
}

type LogIn = (credentials: Credentials, client: ClientDetails) => Promise<StartedSession>

export function makeLogIn({ checkCredentials, ownWorkspaces, sessions, audit }: LogInNeighbours): LogIn {
  return async (credentials, client) => {
    const email = credentials.email.trim().toLowerCase()
    const account = await checkCredentials({ ...credentials, email }, client)
    const session = await sessions.start(account.id, await ownWorkspaces.first(account), client)
    await audit.recordForAccount(account, client.ip, 'login.succeeded')
    return session
  }
}

interface Credentials {
  /** Lower case. */
  email: string
  password: string
  code?: string | undefined
}

interface CredentialNeighbours {
  passwords: Passwords
  secondFactor: Pick<SecondFactor, 'check'>
  attempts: Attempts
  audit: Audit
}

/** Where a log-in comes from. */
interface Origin {
  ip: string
  device: KnownDevice | null
}

export type CheckCredentials = (credentials: Credentials, origin: Origin) => Promise<AccountRecord>

export function makeCheckCredentials({ storage }: Context, neighbours: CredentialNeighbours): CheckCredentials {
  const { accounts } = storage
  const { passwords, secondFactor, attempts, audit } = neighbours

  /** Counts an attempt; returns the limits to release or clear when it succeeds. */
  async function countTry(email: string, ip: string, deviceId: string | null) {
    if (deviceId !== null) {
      const deviceLimit = ATTEMPT_LIMITS.logInOn(deviceId)
      await attempts.require(deviceLimit)
      return { own: deviceLimit, others: [] }
    }
    const [from, accountLimit, all] = [
      ATTEMPT_LIMITS.logInFrom(ip),
      ATTEMPT_LIMITS.logInAs(email, ip),
      ATTEMPT_LIMITS.unknownDevices(email),
    ]
    await attempts.require(from, accountLimit)
    if (await attempts.count(all)) return { own: accountLimit, others: [from, all] }
    const few = ATTEMPT_LIMITS.slowedDown(email, ip)
    await attempts.require(few)
    return { own: accountLimit, others: [from, few] }
  }

  return async ({ email, password, code }, { ip, device }) => {
    const account = await accounts.findByEmail(email)
    const deviceId = account && device?.accountId === account.id ? device.id : null
    const { own, others } = await countTry(email, ip, deviceId)
    const isRight = await passwords.verify(account?.passwordHash, password)
    if (!account || !isRight) throw loginFault(account)
    if (account.secondFactor) {
      if (code === undefined) {
        // Release one attempt, not all: a known password must not allow unlimited code guessing.
        for (const limit of [own, ...others]) await attempts.release(limit)
        throw new Fault('second_factor_required')
      }
      const codes = ATTEMPT_LIMITS.codesOf(account.id)
      if (deviceId === null) await attempts.require(codes)
      const factor = await secondFactor.check(account, code)
      if (!factor) throw loginFault(account)
      await attempts.clear(codes)
      if (factor === 'recovery_code') await audit.recordForAccount(account, ip, 'recovery_code.used')
    }
    for (const limit of others) await attempts.release(limit)
    await attempts.clear(own)
    return account

    function loginFault(attemptedAccount: AccountRecord | undefined): Fault {
      // Not awaited, so that timing does not reveal whether the account exists.
      if (attemptedAccount) void audit.recordForAccount(attemptedAccount, ip, 'login.failed')
      return new Fault('invalid_login')
    }
  }
}

const SHOWN = 200

interface Person {
  id: string
  instanceOwner: boolean
}

export type OwnWorkspaces = ReturnType<typeof openOwnWorkspaces>

export function openOwnWorkspaces({ storage: { members, workspaces } }: Context) {
  async function find(person: Person, workspaceId: string): Promise<Membership | undefined> {
    if (!person.instanceOwner) return (await members.listOfAccount(person.id)).find(({ id }) => id === workspaceId)
    const workspace = await workspaces.find(workspaceId)
    return workspace && { ...workspace, role: 'owner' }
  }

  return {
    find,

    /** For the instance owner only the current and the first, since there may be very many. */
    async list(person: Person, currentId: string | null): Promise<Membership[]> {
      if (!person.instanceOwner) return members.listOfAccount(person.id)
      const all = await workspaces.list('', SHOWN)
      const isMissing = currentId !== null && !all.some(({ id }) => id === currentId)
      const current = isMissing ? await workspaces.find(currentId) : undefined
      return [...(current ? [current] : []), ...all].map((workspace) => ({ ...workspace, role: 'owner' }))
    },

    /** The workspace to open after log-in; null: none. */
    async first(person: Person): Promise<string | null> {
      if (person.instanceOwner) return INSTANCE_WORKSPACE_ID
      const [first] = await members.listOfAccount(person.id)
      return first?.id ?? null
    },
  }
}
