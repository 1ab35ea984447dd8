// Callers of the management API: the instance owner by configured token, a member by personal token, or either by session.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, ROLES, type Role } from '@docent/contract'
import type { BotRecord, BotsTable } from '../storage/bots.ts'
import type { ManagementTokensTable } from '../storage/management-tokens.ts'
import type { MemberRecord, MembersTable } from '../storage/members.ts'
import type { WorkspaceRecord, WorkspacesTable } from '../storage/workspaces.ts'
import { bearerToken, hashSecret, isWellFormedSecret } from './secrets.ts'
import type { OpenSession, Sessions } from './sessions.ts'

const OWNER_NAME = 'instance owner'

/**
 * `actor` is the name in the audit log; `person` and `accountId` are set for a session. `isConfirmed`: identity
 * recently confirmed, or no confirmation needed.
 */
export type Manager =
  /** May access every workspace; a session has one selected. */
  | (ManagerIdentity & { kind: 'instance_owner'; workspaceId: string | null })
  | (ManagerIdentity & { kind: 'member'; workspaceId: string; role: Role })

interface ManagerIdentity {
  name: string
  actor: string
  /** Of who is responsible; with a member's token, of who made it. Null: ADMIN_TOKEN. */
  email: string | null
  person?: string
  accountId?: string
  /** In the workspace selected by the session. */
  memberId?: string
  /** What this caller creates ends when this member loses access; null: the instance owner cannot lose it. */
  maker: string | null
  isConfirmed: boolean
}

/** A management API request: caller and origin. */
export interface ManagerCall {
  caller: Manager
  request: { ip: string }
}

interface RequestCredentials {
  method: string
  headers: IncomingHttpHeaders
}

export interface Managers {
  /** A token takes precedence over a cookie. */
  authenticate(request: RequestCredentials): Promise<Manager>
  /** Sessions only: a token is not a person. */
  authenticatePerson(request: RequestCredentials): Promise<OpenSession>
}

interface Deps {
  adminToken: string
  managementTokens: Pick<ManagementTokensTable, 'findCaller'>
  sessions: Pick<Sessions, 'find'>
  clock: () => number
}

export function openManagers({ adminToken, managementTokens, sessions, clock }: Deps): Managers {
  const adminHash = Buffer.from(hashSecret(adminToken), 'hex')

  async function byToken(token: string): Promise<Manager> {
    const hash = hashSecret(token)
    if (timingSafeEqual(Buffer.from(hash, 'hex'), adminHash))
      return {
        kind: 'instance_owner',
        name: OWNER_NAME,
        actor: OWNER_NAME,
        email: null,
        maker: null,
        isConfirmed: true,
        workspaceId: null,
      }
    const caller = isWellFormedSecret('manage', token) ? await managementTokens.findCaller(hash) : undefined
    if (!caller || (caller.expiresAt !== null && caller.expiresAt <= clock())) throw unknownCaller()
    const { memberId, workspaceId, role, email, tokenName, maker } = caller
    const isOthers = maker !== null && maker.id !== memberId
    const actor = isOthers ? `${maker.email} (token ${tokenName} of ${email})` : `${email} (token ${tokenName})`
    return {
      kind: 'member',
      name: memberId,
      actor,
      email: isOthers ? maker.email : email,
      maker: maker?.id ?? memberId,
      isConfirmed: false,
      workspaceId,
      role,
    }
  }

  async function authenticatePerson(request: RequestCredentials): Promise<OpenSession> {
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
  const { email, name: person, id: accountId } = account
  const acting = { actor: email, email, person, accountId, isConfirmed, ...(member ? { memberId: member.id } : {}) }
  if (account.instanceOwner) return { ...acting, kind: 'instance_owner', name: OWNER_NAME, maker: null, workspaceId }
  // The session's member was removed from the workspace.
  if (!member || workspaceId === null) throw new Fault('role_required')
  return { ...acting, kind: 'member', name: member.id, maker: member.id, workspaceId, role: member.role }
}

function unknownCaller(): Fault {
  return new Fault('invalid_management_token', { headers: { 'www-authenticate': 'Bearer' } })
}

/** A token cannot confirm its holder's identity; `ADMIN_TOKEN`, set by the operator, need not. */
export function requireConfirmed(caller: Manager | OpenSession) {
  if (caller.isConfirmed) return
  const isToken = 'kind' in caller && caller.accountId === undefined
  const message = 'A management token cannot do this. Log in and confirm your password instead.'
  throw new Fault('reauthentication_required', isToken ? { message } : {})
}

export function hasRole(manager: Manager, least: Role): boolean {
  return manager.kind === 'instance_owner' || ROLES.indexOf(manager.role) >= ROLES.indexOf(least)
}

function canSeeWorkspace(manager: Manager, workspaceId: string): boolean {
  return manager.kind === 'instance_owner' || manager.workspaceId === workspaceId
}

export type FindWorkspace = (manager: Manager, workspaceId: string) => Promise<WorkspaceRecord>

/** Same as `makeFindBot`, for workspaces. */
export function makeFindWorkspace(workspaces: Pick<WorkspacesTable, 'find'>): FindWorkspace {
  return async (manager, id) => {
    const workspace = canSeeWorkspace(manager, id) ? await workspaces.find(id) : undefined
    if (!workspace) throw new Fault('not_found')
    return workspace
  }
}

export type FindMember = (manager: Manager, ids: { workspaceId: string; memberId: string }) => Promise<MemberRecord>

export function makeFindMember(findWorkspace: FindWorkspace, members: Pick<MembersTable, 'find'>): FindMember {
  return async (manager, { workspaceId, memberId }) => {
    await findWorkspace(manager, workspaceId)
    const member = await members.find(workspaceId, memberId)
    if (!member) throw new Fault('not_found')
    return member
  }
}

export type FindBot = (manager: Manager, botId: string) => Promise<BotRecord>

/** The only way from a bot id in a management path to a bot: another tenant's bot looks like an unknown one. */
export function makeFindBot(bots: Pick<BotsTable, 'find' | 'findById'>): FindBot {
  return async (manager, botId) => {
    const bot = await (manager.kind === 'member' ? bots.find(manager.workspaceId, botId) : bots.findById(botId))
    if (!bot) throw new Fault('bot_not_found')
    return bot
  }
}
