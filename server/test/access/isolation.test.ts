// Two tenants on one server: neither can access the other, by any route and any combination of ids.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse, Call } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { joinWorkspace } from '../harness/people.ts'
import { isEventStream, paramNames, routeTable, sampleRequest } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createTenant, syncProducts, type Tenant } from '../harness/tenants.ts'

const managementRoutes = routeTable.filter(([, { caller }]) => caller === 'management' || caller === 'instance_owner')
const withIds = managementRoutes.filter(([route]) => paramNames(route).length > 0)
type Whose = 'own' | 'foreign' | 'unknown'

test('the isolation of every kind of caller in the contract is tested here', () => {
  const kinds = new Set(routeTable.map(([, { caller }]) => caller))
  expect([...kinds].sort()).toEqual([
    'anyone',
    'chat_key',
    'instance_owner',
    'management',
    'operator',
    'session',
    'sync_key',
    'visitor',
    'widget',
  ])
})

describe.each(engines)('isolation of tenants on %s', (engine) => {
  let server: TestServer
  let tests = 0
  beforeAll(async () => {
    server = await startServer(engine, { onEnd: afterAll, environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  })

  /** Creates two new tenants, next to those of earlier tests. */
  async function twoTenants() {
    const { call } = server
    const ownTenant = await createTenant(call, `alpha-${++tests}`)
    const foreignTenant = await createTenant(call, `bravo-${tests}`)
    return { call, ownTenant, foreignTenant }
  }

  test.each(['token', 'session'])(
    'by %s, every route refuses any combination with a foreign or unknown id in the same way, and changes nothing',
    async (by) => {
      const { call, ownTenant, foreignTenant } = await twoTenants()
      const token = by === 'token' ? ownTenant.token : undefined
      const callAs = by === 'token' ? call : (await joinWorkspace(call, ownTenant.workspaceId, 'owner')).call
      const before = [await everythingOf(call, ownTenant), await everythingOf(call, foreignTenant)]

      for (const [route, spec] of withIds) {
        const bodies = new Map<string, string>()
        for (const mix of combinations(paramNames(route))) {
          const params = Object.fromEntries(
            mix.map(([name, whose]) => [name, idOf(name, whose, ownTenant, foreignTenant)]),
          )
          const response = await callAs(route, { token, params, ...sampleRequest(spec) })
          const label = `${route} with ${mix.map(([name, whose]) => `${whose} ${name}`).join(', ')}`
          const expected = spec.caller === 'instance_owner' ? [403, 'role_required'] : [404, response.body?.error?.code]
          expect([response.status, response.body?.error?.code], label).toEqual(expected)

          const shape = mix.map(([name, whose]) => `${name}:${whose === 'own'}`).join()
          const body = withoutRequestId(response)
          expect(body, `${label}: foreign and unknown differ`).toBe(bodies.get(shape) ?? body)
          bodies.set(shape, body)
        }
      }
      expect([await everythingOf(call, ownTenant), await everythingOf(call, foreignTenant)]).toEqual(before)
    },
  )

  test('no response contains anything of another tenant', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    for (const [route, spec] of managementRoutes) {
      if (!route.startsWith('GET ') || spec.caller !== 'management' || isEventStream(spec)) continue
      const response = await call(route, { token: ownTenant.token, params: { ...ownTenant }, ...sampleRequest(spec) })
      expect(response.status, route).toBe(200)
      expect(response.text, route).not.toContain('bravo')
      for (const id of Object.values(foreignTenant)) expect(response.text, route).not.toContain(id)
    }
  })

  test('search finds nothing of another tenant', async () => {
    const { call, ownTenant } = await twoTenants()
    const response = await call('GET /api/manage/v1/bots/{botId}/search', {
      token: ownTenant.token,
      params: { botId: ownTenant.botId },
      query: { q: 'secret colour bravo' },
    })
    expect(response.text).toContain('alpha')
    expect(response.text).not.toMatch(/bravo[-\d]* is/)
    const results = await call('GET /api/manage/v1/search', { token: ownTenant.token, query: { q: 'bravo' } })
    expect(results.body).toEqual({ results: [], complete: true })
  })

  test('creating a bot in another tenant’s workspace is refused like in an unknown one', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    const create = (workspace_id: string) =>
      call('POST /api/manage/v1/bots', { token: ownTenant.token, body: { name: 'Intruder', workspace_id } })
    const [toForeign, toUnknown] = [await create(foreignTenant.workspaceId), await create('ws_unknown')]
    expect(toForeign.status).toBe(404)
    expect(withoutRequestId(toForeign)).toBe(withoutRequestId(toUnknown))
    const bots = await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })
    expect(bots.text).not.toContain('Intruder')
  })

  test('two tenants can use the same document id for different documents', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    for (const { token, botId } of [ownTenant, foreignTenant]) {
      await call('POST /api/manage/v1/bots/{botId}/documents', {
        token,
        params: { botId },
        body: { documents: [{ id: 'shared', title: 'Shared', text: `Kept by ${botId}` }] },
      })
    }
    const route = '/api/manage/v1/bots/{botId}/documents/{documentId}'
    const response = await call(`DELETE ${route}`, {
      token: ownTenant.token,
      params: { botId: ownTenant.botId, documentId: 'shared' },
    })
    expect(response.status).toBe(204)
    const document = await call(`GET ${route}`, {
      token: foreignTenant.token,
      params: { botId: foreignTenant.botId, documentId: 'shared' },
    })
    expect(document.body.content).toBe(`Kept by ${foreignTenant.botId}`)
  })

  test('a key, document or crawl cannot be accessed through another bot of the same workspace', async () => {
    const { call, ownTenant } = await twoTenants()
    const bot = await call('POST /api/manage/v1/bots', { token: ownTenant.token, body: { name: 'Sibling' } })
    for (const [route, spec] of withIds) {
      if (
        !/\{(keyId|identityKeyId|documentId|answerId|actionId|questionId|runId|proposalId|webhookId|channelId|deliveryId|fileId|productId|crawlId|feedId|conversationId|leadId|visitorId)\}/.test(
          route,
        )
      )
        continue
      const params = { ...ownTenant, botId: bot.body.id as string }
      const response = await call(route, { token: ownTenant.token, params, ...sampleRequest(spec) })
      expect([route, response.status]).toEqual([route, 404])
    }
    const documents = await call('GET /api/manage/v1/bots/{botId}/documents', {
      token: ownTenant.token,
      params: { ...ownTenant },
    })
    expect(documents.body.items).toHaveLength(2)
  })

  test('a sync key changes only the catalogue of its own bot, whatever the body says', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    const before = await everythingOf(call, foreignTenant)
    const products = [{ id: foreignTenant.productId, title: 'Taken over', bot_id: foreignTenant.botId }]
    const more = { bot_id: foreignTenant.botId, delete: [foreignTenant.productId, 'x'], mode: 'replace' }
    expect((await syncProducts(call, ownTenant.syncKey, { products, ...more })).status).toBe(200)
    expect(await everythingOf(call, foreignTenant)).toEqual(before)
  })

  test('a visitor’s token and session give no access to the bot of another tenant', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    const headers = { 'x-visitor-token': foreignTenant.visitorToken }
    const foreignHistory = await call('GET /api/chat/{botId}/history', {
      params: { botId: foreignTenant.botId },
      headers,
    })
    expect(foreignHistory.text).toContain('bravo')
    const ownHistory = await call('GET /api/chat/{botId}/history', { params: { botId: ownTenant.botId }, headers })
    expect(ownHistory.body.error.code).toBe('invalid_visitor_token')
    const body = { session_id: foreignTenant.sessionId, message: 'What did I ask before?' }
    const response = await call('POST /api/chat/{botId}/message', { params: { botId: ownTenant.botId }, headers, body })
    expect(response.text).not.toMatch(/bravo[-\d]*\.test/)
    expect(response.body.visitor_token).toBeDefined()
  })

  test('a chat key gives no access to the bot or the sessions of another tenant', async () => {
    const { call, ownTenant, foreignTenant } = await twoTenants()
    const ask = (key: string, bot_id: string, more = {}) =>
      call('POST /api/v1/chat', { token: key, body: { bot_id, message: 'What is the secret colour?', ...more } })
    const foreignReply = await ask(foreignTenant.key, foreignTenant.botId)
    expect((await ask(ownTenant.key, foreignTenant.botId)).body.error.code).toBe('bot_not_found')
    expect(
      (await ask(ownTenant.key, ownTenant.botId, { session_id: foreignReply.body.session_id })).body.error.code,
    ).toBe('session_not_found')
  })
})

/** All combinations of own, foreign and unknown ids, except all own. */
function combinations(names: string[]): [string, Whose][][] {
  let all: [string, Whose][][] = [[]]
  for (const name of names) {
    const choices: Whose[] = ['own', 'foreign', 'unknown']
    all = all.flatMap((mix) => choices.map((whose): [string, Whose][] => [...mix, [name, whose]]))
  }
  return all.filter((mix) => mix.some(([, whose]) => whose !== 'own'))
}

function idOf(name: string, whose: Whose, ownTenant: Tenant, foreignTenant: Tenant): string {
  if (whose === 'unknown') return `${name.toLowerCase()}_unknown`
  const id = (whose === 'own' ? ownTenant : foreignTenant)[name as keyof Tenant]
  expect(id, `createTenant makes no ${name}`).toBeDefined()
  return id
}

function withoutRequestId(response: ApiResponse): string {
  return response.text.replace(response.body.error.request_id, '')
}

/** Everything that the instance owner can read of a tenant. */
async function everythingOf(call: Call, tenant: Tenant): Promise<string[]> {
  const texts: string[] = []
  for (const [route, spec] of withIds) {
    if (!route.startsWith('GET ') || isEventStream(spec)) continue
    const response = await call(route, { token: ADMIN_TOKEN, params: { ...tenant }, ...sampleRequest(spec) })
    expect([route, response.status]).toEqual([route, 200])
    // The retention job runs in the background.
    texts.push(response.text.replace(/"last_run_at":(null|"[^"]*")/, ''))
  }
  return texts
}
