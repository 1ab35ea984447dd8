// A workspace with a bot and its members, managed over the API.
import type { CallOptions } from '../harness/call.ts'
import type { Engine } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createTenant } from '../harness/tenants.ts'

export const M = '/api/manage/v1'
export const MEMBERS = `${M}/workspaces/{workspaceId}/members`
export const DOCUMENTS = `${M}/bots/{botId}/documents`

export async function withTenant(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment })
  const tenant = await createTenant(server.call, 'alpha')
  const manage = (route: string, { params, ...more }: CallOptions = {}) =>
    server.call(route, { token: ADMIN_TOKEN, params: { ...tenant, ...params }, ...more })
  const ask = (message: string) =>
    server.call('POST /api/v1/chat', { token: tenant.key, body: { bot_id: tenant.botId, message } })
  const importLines = (lines: string) =>
    manage(`POST ${DOCUMENTS}`, { raw: lines, headers: { 'content-type': 'application/x-ndjson' } })
  return { ...server, ...tenant, manage, ask, importLines }
}
