// The minimum role of every management route, as declared in the contract.
import { ROLES, type Role } from '@docent/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinWorkspace, MANAGE } from '../harness/people.ts'
import { isEventStream, routeTable, sampleRequest } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createMember, createTenant, usesUpTenant } from '../harness/tenants.ts'

const managementRoutes = routeTable.filter(([, { caller }]) => caller === 'management')
const ownerRoutes = routeTable.filter(([, { caller }]) => caller === 'instance_owner')

let server: TestServer
let tenants = 0
let people = 0
beforeAll(async () => {
  // Every tenant has a visitor, and they share one IP address.
  const environment = { WIDGET_SESSIONS_PER_HOUR: '1000', WIDGET_MESSAGES_PER_MINUTE: '1000' }
  server = await startServer('sqlite', { environment, onEnd: afterAll })
})

/** Creates a new tenant with a member of every role. */
async function withEveryRole(route = '') {
  const tenant = await createTenant(server.call, `alpha-${++tenants}`)
  const emailOf = (name: string) => `${name}-${tenants}@example.test`
  // Routes that change a member are tested on this one.
  const makeTarget = createMember(server.call, tenant.workspaceId, 'viewer', `target-${tenants}`)
  const members = await Promise.all(ROLES.map((role) => createMember(server.call, tenant.workspaceId, role)))
  const tokens = Object.fromEntries(ROLES.map((role, index) => [role, members[index]?.token])) as Record<Role, string>
  const { memberId, tokenId } = await makeTarget
  // These routes need a member with an account.
  if (/(reset-link|two-factor|email)$/.test(route))
    await joinWorkspace(server.call, tenant.workspaceId, 'viewer', emailOf('viewer-target'))
  return { call: server.call, tokens, params: { ...tenant, memberId, tokenId }, emailOf }
}

type Served = Awaited<ReturnType<typeof withEveryRole>>

async function tryRoles([route, spec]: (typeof managementRoutes)[number], { call, tokens, params }: Served) {
  const request = { params, ...sampleRequest(spec) }
  if (route.endsWith('/answer-proposals') && request.body)
    request.body = { conversation_id: params.repliedConversationId, message_id: params.proposedReplyId }
  const least = ROLES.indexOf(spec.role ?? 'viewer')
  for (const role of ROLES.slice(0, least)) {
    const refusal = await call(route, { token: tokens[role], ...request })
    expect([route, role, refusal.status, refusal.body.error?.code]).toEqual([route, role, 403, 'role_required'])
  }
  const role = ROLES[least] as Role
  // Some need a recently confirmed password, which a token cannot provide.
  const asksPerson = spec.errors.includes('reauthentication_required')
  const person = asksPerson
    ? await joinWorkspace(call, params.workspaceId, role, `person-${++people}@example.test`)
    : null
  // People make tokens for themselves only.
  if (person && route.endsWith('/tokens')) request.params = { ...params, memberId: await ownMemberId(person, params) }
  // A GET on a stream would not end.
  const calledRoute = isEventStream(spec) ? route.replace('GET', 'HEAD') : route
  const response = person
    ? await person.call(calledRoute, request)
    : await call(calledRoute, { token: tokens[role], ...request })
  // There is no website at the planted URL, which is a mistake of the caller.
  const status = route.endsWith('/website-preview') ? 400 : spec.status
  expect([route, role, response.status]).toEqual([route, role, status])
}

async function ownMemberId({ call, email }: Awaited<ReturnType<typeof joinWorkspace>>, params: Served['params']) {
  const { body } = await call('GET /api/manage/v1/workspaces/{workspaceId}/members', { params })
  return body.items.find((member: { email: string }) => member.email === email).id as string
}

const [readRoutes, changeRoutes] = [true, false].map((isRead) =>
  managementRoutes.filter(([route]) => route.startsWith('GET ') === isRead),
) as [typeof managementRoutes, typeof managementRoutes]

test('every reading route is refused below its minimum role and allowed from it upwards', async () => {
  const setup = await withEveryRole()
  for (const entry of readRoutes) await tryRoles(entry, setup)
})

let lastSetup: Served | null = null

test.each(changeRoutes)('%s: refused below its minimum role, allowed from it upwards', async (...entry) => {
  const [route] = entry
  const isUsedUp = usesUpTenant(route)
  const setup = (isUsedUp ? null : lastSetup) ?? (await withEveryRole(route))
  lastSetup = null
  await tryRoles(entry, setup)
  if (!isUsedUp) lastSetup = setup
})

test.each(ownerRoutes)('%s: refused to a workspace owner, allowed to the instance owner', async (route, spec) => {
  const { call, tokens, params } = await withEveryRole()
  const request = { params, ...sampleRequest(spec) }
  const response = await call(route, { token: tokens.owner, ...request })
  expect([response.status, response.body.error.code]).toEqual([403, 'role_required'])
  expect((await call(route, { token: ADMIN_TOKEN, ...request })).status).toBe(spec.status)
})

test('every management route refuses a missing token, an unknown token and a chat key with the same 401', async () => {
  const { call, params } = await withEveryRole()
  const bodies = new Set<string>()
  for (const [route, spec] of [...managementRoutes, ...ownerRoutes]) {
    for (const token of [undefined, 'dct_manage_unknown', params.key]) {
      const response = await call(route, { token, params, ...sampleRequest(spec) })
      expect([route, response.status]).toEqual([route, 401])
      expect(response.headers['www-authenticate']).toBe('Bearer')
      bodies.add(response.text.replace(response.body.error.request_id, ''))
    }
  }
  expect(bodies.size).toBe(1)
})

test('a changed role takes effect on the next request', async () => {
  const { call, tokens, params } = await withEveryRole()
  const rename = () =>
    call('PATCH /api/manage/v1/bots/{botId}', { token: tokens.editor, params, body: { name: 'Renamed' } })
  expect((await rename()).status).toBe(200)
  const members = await call('GET /api/manage/v1/workspaces/{workspaceId}/members', { token: ADMIN_TOKEN, params })
  const editor = members.body.items.find(({ role }: { role: Role }) => role === 'editor')
  await call('PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', {
    token: ADMIN_TOKEN,
    params: { ...params, memberId: editor.id },
    body: { role: 'agent' },
  })
  expect((await rename()).status).toBe(403)
})

test('with a session, every route is also refused below its minimum role, and changes nothing', async () => {
  const { call, params, emailOf } = await withEveryRole()
  const people = await Promise.all(
    ROLES.map(async (role) => ({ role, ...(await joinWorkspace(call, params.workspaceId, role, emailOf(role))) })),
  )
  for (const [route, spec] of [...managementRoutes, ...ownerRoutes]) {
    const least = spec.caller === 'instance_owner' ? ROLES.length : ROLES.indexOf(spec.role ?? 'viewer')
    for (const { role, call: callAs } of people.slice(0, least)) {
      const response = await callAs(route, { params, ...sampleRequest(spec) })
      expect([route, role, response.status, response.body.error.code]).toEqual([route, role, 403, 'role_required'])
    }
    const reader = people[least]
    if (!reader || !route.startsWith('GET ')) continue
    const readRoute = isEventStream(spec) ? route.replace('GET', 'HEAD') : route
    expect([route, (await reader.call(readRoute, { params, ...sampleRequest(spec) })).status]).toEqual([route, 200])
  }
})

test('losing a role or the membership affects an open session on the next request', async () => {
  const { call, params, emailOf } = await withEveryRole()
  const editor = await joinWorkspace(call, params.workspaceId, 'editor', emailOf('editor-here'))
  const rename = () => editor.call(`PATCH ${MANAGE}/bots/{botId}`, { params, body: { name: 'Renamed' } })
  expect((await rename()).status).toBe(200)
  const MEMBER = `${MANAGE}/workspaces/{workspaceId}/members/{memberId}`
  const members = await call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { token: ADMIN_TOKEN, params })
  const { id } = members.body.items.find(({ email }: { email: string }) => email === editor.email)
  const target = { token: ADMIN_TOKEN, params: { ...params, memberId: id } }
  await call(`PATCH ${MEMBER}`, { ...target, body: { role: 'viewer' } })
  expect((await rename()).status).toBe(403)
  expect((await editor.call(`GET ${MANAGE}/bots`)).status).toBe(200)
  await call(`DELETE ${MEMBER}`, target)
  expect((await editor.call(`GET ${MANAGE}/bots`)).status).toBe(403)
  const session = await editor.call(`GET ${MANAGE}/session`)
  expect([session.status, session.body.workspace_id, session.body.workspaces]).toEqual([200, null, []])
})
