// Who calls the management API: the instance owner by the configured token, a member by a personal one, or either as a
// person who is logged in.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, type Role, roles } from '@docent/contract'
import type { BotRecord, BotsTable } from '../storage/bots/bots.ts'
import type { ManagementTokensTable } from '../storage/workspaces/management-tokens.ts'
import type { MemberRecord, MembersTable } from '../storage/workspaces/members.ts'
import type { WorkspaceRecord, WorkspacesTable } from '../storage/workspaces/workspaces.ts'
import { bearerToken } from './bearer.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'
import type { OpenSession, Sessions } from './sessions/sessions.ts'

const OWNER_NAME = 'instance owner'

/**
 * `actor` is who did it in the audit log, `person` the name of who is logged in, by `accountId`. `isConfirmed`: they have
 * just proved it, or need not.
 */
export type Manager =
  /** Sees every workspace; a logged-in one has one of them chosen. */
  | (Acting & { kind: 'instance_owner'; workspaceId: string | null })
  | (Acting & { kind: 'member'; workspaceId: string; role: Role })

interface Acting {
  name: string
  actor: string
  person?: string
  accountId?: string
  /** Of the workspace that a logged-in person has chosen. */
  memberId?: string
  isConfirmed: boolean
}

/** A request of the management API: who calls, and from where. */
export interface ManagerCall {
  caller: Manager
  request: { ip: string }
}

interface Asking {
  method: string
  headers: IncomingHttpHeaders
}

export interface Managers {
  /** A token takes precedence over a cookie. */
  authenticate(request: Asking): Promise<Manager>
  /** A session only: a token is not a person. */
  authenticatePerson(request: Asking): Promise<OpenSession>
}

interface Deps {
  adminToken: string
  managementTokens: Pick<ManagementTokensTable, 'findCaller'>
  sessions: Pick<Sessions, 'find'>
  clock: () => number
}

export function createManagers({ adminToken, managementTokens, sessions, clock }: Deps): Managers {
  const adminHash = Buffer.from(hashSecret(adminToken), 'hex')

  async function byToken(token: string): Promise<Manager> {
    const hash = hashSecret(token)
    if (timingSafeEqual(Buffer.from(hash, 'hex'), adminHash))
      return { kind: 'instance_owner', name: OWNER_NAME, actor: OWNER_NAME, isConfirmed: true, workspaceId: null }
    const caller = isWellFormedSecret('manage', token) ? await managementTokens.findCaller(hash) : undefined
    if (!caller || (caller.expiresAt !== null && caller.expiresAt <= clock())) throw unknownCaller()
    const { memberId, workspaceId, role, email, tokenName } = caller
    const actor = `${email} (token ${tokenName})`
    return { kind: 'member', name: memberId, actor, isConfirmed: false, workspaceId, role }
  }

  async function authenticatePerson(request: Asking): Promise<OpenSession> {
    const session = request.headers.authorization === undefined ? await sessions.find(request) : null
    if (!session) throw unknownCaller()
    return session
  }

  return {
    authenticatePerson,
    async authenticate(request) {
      const { authorization } = request.headers
      if (authorization === undefined) return bySession(await authenticatePerson(request))
      const token = bearerToken(authorization)
      if (!token) throw unknownCaller()
      return byToken(token)
    },
  }
}

function bySession({ account, workspaceId, member, isConfirmed }: OpenSession): Manager {
  const { email: actor, name: person, id: accountId } = account
  const acting = { actor, person, accountId, isConfirmed, ...(member ? { memberId: member.id } : {}) }
  if (account.instanceOwner) return { ...acting, kind: 'instance_owner', name: OWNER_NAME, workspaceId }
  // Logged in, but no longer a member where they were.
  if (!member || workspaceId === null) throw new Fault('role_required')
  return { ...acting, kind: 'member', name: member.id, workspaceId, role: member.role }
}

function unknownCaller(): Fault {
  return new Fault('invalid_management_token', { headers: { 'www-authenticate': 'Bearer' } })
}

/** A token cannot prove who holds it; `ADMIN_TOKEN`, which whoever runs the machine sets, need not. */
export function requireConfirmed(caller: Manager | OpenSession) {
  if (caller.isConfirmed) return
  const isToken = 'kind' in caller && caller.accountId === undefined
  const message = 'A management token cannot do this. Log in and confirm your password instead.'
  throw new Fault('reauthentication_required', isToken ? { message } : {})
}

export function hasRole(manager: Manager, least: Role): boolean {
  return manager.kind === 'instance_owner' || roles.indexOf(manager.role) >= roles.indexOf(least)
}

function canSeeWorkspace(manager: Manager, workspaceId: string): boolean {
  return manager.kind === 'instance_owner' || manager.workspaceId === workspaceId
}

export type FindWorkspace = (manager: Manager, workspaceId: string) => Promise<WorkspaceRecord>

/** As below, for workspaces. */
export function createFindWorkspace(workspaces: Pick<WorkspacesTable, 'find'>): FindWorkspace {
  return async (manager, id) => {
    const workspace = canSeeWorkspace(manager, id) ? await workspaces.find(id) : undefined
    if (!workspace) throw new Fault('not_found')
    return workspace
  }
}

export type FindMember = (manager: Manager, ids: { workspaceId: string; memberId: string }) => Promise<MemberRecord>

export function createFindMember(findWorkspace: FindWorkspace, members: Pick<MembersTable, 'find'>): FindMember {
  return async (manager, { workspaceId, memberId }) => {
    await findWorkspace(manager, workspaceId)
    const member = await members.find(workspaceId, memberId)
    if (!member) throw new Fault('not_found')
    return member
  }
}

export type FindBot = (manager: Manager, botId: string) => Promise<BotRecord>

/** The one way from a bot id in a management path to a bot: a foreign one is as unknown as an invented one. */
export function createFindBot(bots: Pick<BotsTable, 'find' | 'findWorkspaceId'>): FindBot {
  return async (manager, botId) => {
    const workspaceId = manager.kind === 'member' ? manager.workspaceId : await bots.findWorkspaceId(botId)
    const bot = workspaceId === undefined ? undefined : await bots.find(workspaceId, botId)
    if (!bot) throw new Fault('bot_not_found')
    return bot
  }
}
