// Workspaces, members and bots through the management API.
import { defaultHandover, defaultLeadForm, defaultWidget } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import type { CallOptions } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { isEventStream, paramNames, routeTable } from '../harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor } from '../harness/visitors.ts'
import { DOCUMENTS, M, MEMBERS, withTenant } from './managed-tenant.ts'

describe.each(engines)('workspaces and members on %s', (engine) => {
  test('the instance owner can create, read and change a workspace', async () => {
    const { manage, clock } = await withTenant(engine)
    const createResponse = await manage(`POST ${M}/workspaces`, { body: { name: '  Acme  ' } })
    expect(createResponse.status).toBe(201)
    const workspace = {
      id: createResponse.body.id,
      name: 'Acme',
      plan: 'free',
      daily_limit: null,
      total_daily_limit: null,
    }
    expect(createResponse.body).toEqual({ ...workspace, created_at: new Date(clock.now).toISOString() })
    const params = { workspaceId: createResponse.body.id }
    const updateResponse = await manage(`PATCH ${M}/workspaces/{workspaceId}`, { params, body: { plan: 'enterprise' } })
    expect(updateResponse.body).toMatchObject({ name: 'Acme', plan: 'enterprise' })
    expect((await manage(`GET ${M}/workspaces/{workspaceId}`, { params })).body).toEqual(updateResponse.body)
    for (const body of [{ name: ' ' }, { name: 'x', plan: 'gold' }, { name: 'x', daily_limit: -1 }, {}]) {
      expect((await manage(`POST ${M}/workspaces`, { body })).status).toBe(400)
    }
  })

  test('an email address is unique within a workspace, regardless of case', async () => {
    const { manage } = await withTenant(engine)
    const add = (email: string, more: CallOptions = {}) =>
      manage(`POST ${MEMBERS}`, { body: { email, name: 'Ada', role: 'viewer' }, ...more })
    const first = await add('Ada@Example.test')
    expect([first.status, first.body.email]).toEqual([201, 'ada@example.test'])
    for (const email of ['ada@example.test', 'ADA@EXAMPLE.TEST']) {
      const response = await add(email)
      expect([response.status, response.body.error.code]).toEqual([409, 'already_exists'])
    }
    const otherWorkspace = await manage(`POST ${M}/workspaces`, { body: { name: 'Other' } })
    expect((await add('ada@example.test', { params: { workspaceId: otherWorkspace.body.id } })).status).toBe(201)
    for (const email of ['ada', 'a b@c', '@', 'a@b@c']) expect((await add(email)).status).toBe(400)
  })

  test('the last owner can be neither removed nor demoted, even by two requests at once', async () => {
    const { call, manage, workspaceId, memberId } = await withTenant(engine)
    const last = [
      await manage(`DELETE ${MEMBERS}/{memberId}`),
      await manage(`PATCH ${MEMBERS}/{memberId}`, { body: { role: 'editor' } }),
    ]
    for (const { status, body } of last) expect([status, body.error.code]).toEqual([409, 'last_owner'])
    expect((await manage(`PATCH ${MEMBERS}/{memberId}`, { body: { name: 'Still' } })).body.role).toBe('owner')

    const second = await createMember(call, workspaceId, 'owner', 'second')
    const responses = await Promise.all(
      [memberId, second.memberId].map((id) => manage(`DELETE ${MEMBERS}/{memberId}`, { params: { memberId: id } })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  test('a removed member’s tokens stop working at once', async () => {
    const { call, manage, workspaceId } = await withTenant(engine)
    const { memberId, token } = await createMember(call, workspaceId, 'editor')
    expect((await call(`GET ${M}/bots`, { token })).status).toBe(200)
    expect((await manage(`DELETE ${MEMBERS}/{memberId}`, { params: { memberId } })).status).toBe(204)
    expect((await call(`GET ${M}/bots`, { token })).status).toBe(401)
  })

  test('a token works until it expires or is revoked, and is shown once', async () => {
    const { call, manage, clock } = await withTenant(engine)
    const expires_at = new Date(clock.now + 1000).toISOString()
    const createResponse = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'short', expires_at } })
    expect(createResponse.status).toBe(201)
    expect(createResponse.body.token).toMatch(/^dct_manage_[0-9A-Za-z]{38}$/)
    const { token, ...shownFields } = createResponse.body
    const status = async () => (await call(`GET ${M}/bots`, { token })).status
    expect(await status()).toBe(200)
    const list = await manage(`GET ${MEMBERS}/{memberId}/tokens`)
    expect(list.body.items).toContainEqual(shownFields)
    clock.now += 1000
    expect(await status()).toBe(401)

    const otherToken = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'long' } })
    const params = { tokenId: otherToken.body.id }
    expect((await manage(`DELETE ${MEMBERS}/{memberId}/tokens/{tokenId}`, { params })).status).toBe(204)
    expect((await call(`GET ${M}/bots`, { token: otherToken.body.token })).status).toBe(401)
    expect((await manage(`DELETE ${MEMBERS}/{memberId}/tokens/{tokenId}`, { params })).status).toBe(404)
  })
})

describe.each(engines)('bots on %s', (engine) => {
  test('a bot can be created in the caller’s workspace, read and changed', async () => {
    const { call, token, workspaceId, clock } = await withTenant(engine)
    const createResponse = await call(`POST ${M}/bots`, {
      token,
      body: { name: ' Helper ', site_url: 'https://shop.test' },
    })
    expect(createResponse.status).toBe(201)
    expect(createResponse.body).toEqual({
      id: expect.stringMatching(/^bot_[0-9a-v]{26}$/),
      workspace_id: workspaceId,
      name: 'Helper',
      language: 'en',
      site_url: 'https://shop.test',
      fallback_message: null,
      translations: [],
      tone: 'formal',
      answer_threshold: null,
      suggest_threshold: null,
      language_model: null,
      widget: defaultWidget,
      lead_form: defaultLeadForm,
      handover: defaultHandover,
      allowed_origins: [],
      retention_days: 90,
      currency: null,
      source_pages: true,
      visitor_email: { replies: true, reply_to: null, transcripts: true },
      identity: { require_for_actions: false, require_for_chat: false },
      tested: false,
      checklist_hidden: false,
      widget_seen: null,
      created_at: new Date(clock.now).toISOString(),
      knowledge: { documents: 0, passages: 0, products: 0, embedded_passages: 0, status: 'ready' },
    })
    const params = { botId: createResponse.body.id }
    const body = { site_url: null, fallback_message: 'Ask a human.', language: 'de' }
    const updateResponse = await call(`PATCH ${M}/bots/{botId}`, { token, params, body })
    expect(updateResponse.body).toEqual({ ...createResponse.body, ...body })
    expect((await call(`GET ${M}/bots/{botId}`, { token, params })).body).toEqual(updateResponse.body)
    // What people have done with the checklist is the same in every browser.
    const hideResponse = await call(`PATCH ${M}/bots/{botId}`, { token, params, body: { checklist_hidden: true } })
    expect(hideResponse.body).toEqual({ ...updateResponse.body, checklist_hidden: true })
    expect((await call(`POST ${M}/bots/{botId}/try`, { token, params, body: { message: 'Hello' } })).status).toBe(200)
    expect((await call(`GET ${M}/bots/{botId}`, { token, params })).body).toEqual({
      ...hideResponse.body,
      tested: true,
    })
    for (const wrong of [{ name: '' }, { language: 'german' }, { site_url: 'ftp://x' }, { fallback_message: '' }]) {
      expect((await call(`PATCH ${M}/bots/{botId}`, { token, params, body: wrong })).status).toBe(400)
    }
  })

  test('a bot with conversations counts as tested, also if nobody has opened its playground', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId } = await createBot()
    const isTested = async () =>
      (await call(`GET ${M}/bots/{botId}`, { token: ADMIN_TOKEN, params: { botId } })).body.tested
    expect(await isTested()).toBe(false)
    expect((await createVisitor(call, botId).say('Hello')).status).toBe(200)
    expect(await isTested()).toBe(true)
  })

  test('deleting a bot deletes its keys, documents and conversations', async () => {
    const { manage, ask, database } = await withTenant(engine)
    expect((await ask('What is the secret colour?')).status).toBe(200)
    expect((await manage(`DELETE ${M}/bots/{botId}`)).status).toBe(204)
    expect((await ask('What is the secret colour?')).status).toBe(401)
    for (const route of [`GET ${M}/bots/{botId}`, `GET ${DOCUMENTS}`, `DELETE ${M}/bots/{botId}`]) {
      const response = await manage(route)
      expect([response.status, response.body.error.code]).toEqual([404, 'bot_not_found'])
    }
    for (const table of ['keys', 'documents', 'passages', 'conversations', 'messages', 'quota_days']) {
      expect([table, await countRows(database, table)]).toEqual([table, 0])
    }
  })
})

test('creating a token that has already expired is refused', async () => {
  const { manage, clock } = await withTenant('sqlite')
  const expires_at = new Date(clock.now).toISOString()
  const response = await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body: { name: 'late', expires_at } })
  expect([response.status, response.body.error.code]).toEqual([400, 'validation_failed'])
})

test('a token that expires beyond the year 9999 is refused, and the list still works', async () => {
  const { manage } = await withTenant('sqlite')
  const body = { name: 'far', expires_at: '9999-12-31T23:59:59-05:00' }
  expect((await manage(`POST ${MEMBERS}/{memberId}/tokens`, { body })).status).toBe(400)
  expect((await manage(`GET ${MEMBERS}/{memberId}/tokens`)).status).toBe(200)
})

test('HEAD answers like GET, without a body', async () => {
  const { manage } = await withTenant('sqlite')
  for (const [route, spec] of routeTable) {
    if (!route.startsWith('GET ') || isEventStream(spec)) continue
    const query = paramNames(route).length > 0 && spec.query && 'q' in spec.query.properties ? { q: 'colour' } : {}
    const response = await manage(route, { query })
    const head = await manage(route.replace('GET', 'HEAD'), { query })
    expect([route, head.status, head.text]).toEqual([route, response.status, ''])
    expect(head.headers['content-type'], route).toBe(response.headers['content-type'])
  }
  expect((await manage(`HEAD ${M}/bots/{botId}`, { params: { botId: 'unknown' } })).status).toBe(404)
  expect((await manage(`HEAD ${M}/bots`, { token: 'wrong' })).status).toBe(401)
})
