// Who calls the management API: the instance owner by the configured token, or a member by a personal one.
import { timingSafeEqual } from 'node:crypto'
import { Fault, type Role, roles } from '@docent/contract'
import type { BotRecord, BotsTable } from '../storage/bots.ts'
import type { ManagementTokensTable } from '../storage/management-tokens.ts'
import { bearerToken } from './bearer.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'

export type Manager =
  | { kind: 'instance_owner'; name: 'instance owner' }
  | { kind: 'member'; name: string; workspaceId: string; role: Role }

export interface Managers {
  authenticate(authorization: string | undefined): Promise<Manager>
}

interface Deps {
  adminToken: string
  managementTokens: Pick<ManagementTokensTable, 'findCaller'>
  clock: () => number
}

export function managers({ adminToken, managementTokens, clock }: Deps): Managers {
  const adminHash = Buffer.from(hashSecret(adminToken), 'hex')
  return {
    async authenticate(authorization) {
      const token = bearerToken(authorization)
      if (token) {
        const hash = hashSecret(token)
        if (timingSafeEqual(Buffer.from(hash, 'hex'), adminHash))
          return { kind: 'instance_owner', name: 'instance owner' }
        const caller = isWellFormedSecret('manage', token) ? await managementTokens.findCaller(hash) : undefined
        if (caller && (caller.expiresAt === null || caller.expiresAt > clock())) {
          return { kind: 'member', name: caller.memberId, workspaceId: caller.workspaceId, role: caller.role }
        }
      }
      throw new Fault('invalid_management_token', { headers: { 'www-authenticate': 'Bearer' } })
    },
  }
}

export function hasRole(manager: Manager, least: Role): boolean {
  return manager.kind === 'instance_owner' || roles.indexOf(manager.role) >= roles.indexOf(least)
}

export function canSeeWorkspace(manager: Manager, workspaceId: string): boolean {
  return manager.kind === 'instance_owner' || manager.workspaceId === workspaceId
}

export type FindBot = (manager: Manager, botId: string) => Promise<BotRecord>

/** The one way from a bot id in a management path to a bot: a foreign one is as unknown as an invented one. */
export function botFinder(bots: Pick<BotsTable, 'find' | 'findWorkspaceId'>): FindBot {
  return async (manager, botId) => {
    const workspaceId = manager.kind === 'member' ? manager.workspaceId : await bots.findWorkspaceId(botId)
    const bot = workspaceId === undefined ? undefined : await bots.find(workspaceId, botId)
    if (!bot) throw new Fault('bot_not_found')
    return bot
  }
}
