// One of every kind of caller, with its credentials.
import { ROLES, type Role } from '@docent/contract'
import type { Call, CallOptions } from '../../../server/test/harness/call.ts'
import { joinWorkspace, MANAGE, setUpOwner } from '../../../server/test/harness/people.ts'
import { ADMIN_TOKEN } from '../../../server/test/harness/start-server.ts'
import { createKey, createMember, type Tenant } from '../../../server/test/harness/tenants.ts'
import type { WatchedServer } from '../part.ts'

export type Shows = 'nothing' | 'chat key' | 'sync key' | 'visitor token' | 'token' | 'session' | 'foreign session'

export interface TestCaller {
  name: string
  shows: Shows
  /** Of a member; null for the instance owner, and for whoever is no member. */
  role: Role | null
  isInstanceOwner?: boolean
  /** Whose credential it is; "nobody's": revoked. */
  of: 'own' | 'other' | 'nobody'
  credentials: Pick<CallOptions, 'token' | 'headers'>
}

/** Of two workspaces; `own` is the one whose ids are asked for. */
export async function makeCallers(server: WatchedServer, ownTenant: Tenant, other: Tenant): Promise<TestCaller[]> {
  const { call } = server
  const callers: TestCaller[] = [
    { name: 'nobody', shows: 'nothing', role: null, of: 'nobody', credentials: {} },
    { name: 'an invented token', shows: 'token', role: null, of: 'nobody', credentials: { token: 'dct_manage_x' } },
    { name: 'ADMIN_TOKEN', ...instanceOwner, shows: 'token', credentials: { token: ADMIN_TOKEN } },
    {
      name: 'the revoked key',
      shows: 'chat key',
      role: null,
      of: 'nobody',
      credentials: await revokedKey(call, ownTenant),
    },
    {
      name: 'the revoked management token',
      shows: 'token',
      role: null,
      of: 'nobody',
      credentials: await revokedToken(call, ownTenant),
    },
  ]
  for (const of of ['own', 'other'] as const) {
    const tenant = of === 'own' ? ownTenant : other
    const whose = of === 'own' ? 'its' : 'another'
    const keys = { of, role: null }
    const service = { headers: { 'x-service-key': tenant.syncKey } }
    const visitor = { headers: { 'x-visitor-token': tenant.visitorToken } }
    callers.push(
      { name: `${whose} bot's chat key`, ...keys, shows: 'chat key', credentials: { token: tenant.key } },
      { name: `${whose} bot's sync key`, ...keys, shows: 'sync key', credentials: service },
      { name: `${whose} bot's visitor`, ...keys, shows: 'visitor token', credentials: visitor },
    )
    const callersByRole = ROLES.map((role) => members(call, tenant, role, of, `${role} of ${whose} workspace`))
    callers.push(...(await Promise.all(callersByRole)).flat())
  }
  const owner = await setUpOwner(server)
  callers.push({ name: 'the instance owner', ...instanceOwner, shows: 'session', credentials: ownPage(owner.cookie()) })
  return callers
}

const instanceOwner = { role: null, isInstanceOwner: true, of: 'own' } as const

async function members(call: Call, tenant: Tenant, role: Role, of: 'own' | 'other', name: string) {
  const email = `${role}-here@${tenant.botId}.test`.toLowerCase()
  const { token } = await createMember(call, tenant.workspaceId, role, `${role}-${of}`)
  const cookie = (await joinWorkspace(call, tenant.workspaceId, role, email)).cookie()
  const memberCallers: TestCaller[] = [
    { name: `${name}, by token`, shows: 'token', role, of, credentials: { token } },
    { name: `${name}, logged in`, shows: 'session', role, of, credentials: ownPage(cookie) },
  ]
  if (role === 'owner' && of === 'own')
    memberCallers.push({
      name: `${name}, logged in, from a page of another site`,
      shows: 'foreign session',
      role,
      of,
      credentials: { headers: { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' } },
    })
  return memberCallers
}

function ownPage(cookie: string) {
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' } }
}

async function revokedKey(call: Call, { botId, token }: Tenant) {
  const { key, keyId } = await createKey(call, botId, token, { name: 'revoked' })
  await call(`POST ${MANAGE}/bots/{botId}/keys/{keyId}/revoke`, { token, params: { botId, keyId } })
  return { token: key }
}

async function revokedToken(call: Call, { workspaceId }: Tenant) {
  const { token, tokenId, memberId } = await createMember(call, workspaceId, 'owner', 'revoked')
  const params = { workspaceId, memberId, tokenId }
  await call(`DELETE ${MANAGE}/workspaces/{workspaceId}/members/{memberId}/tokens/{tokenId}`, {
    token: ADMIN_TOKEN,
    params,
  })
  return { token }
}
