// Writes an audit entry for every route that names an audit action.
import type { AuditAction } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import type { Audit } from '../access/audit.ts'
import type { FindBot, Manager } from '../access/managers.ts'

export type AuditChange = (request: FastifyRequest, action: AuditAction, changed: string | undefined) => Promise<void>

export function createAuditChange(audit: Pick<Audit, 'record'>, findBot: FindBot): AuditChange {
  return async (request, action, changed) => {
    const caller = request.caller as Manager
    const { botId } = request.params as { botId: string }
    const bot = await findBot(caller, botId)
    const target = `${bot.name} (${bot.id})${changed ? `: ${changed}` : ''}`
    await audit.record({ caller, request }, bot.workspaceId, action, target)
  }
}
