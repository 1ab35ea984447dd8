// Everything stored about a visitor can be found, exported and erased completely.
import { describe, expect, test } from 'vitest'
import type { ApiResponse } from '../harness/call.ts'
import { type Engine, engines, type TestDatabase } from '../harness/database/databases.ts'
import { countRows, queryRows, tableNames } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'
import { openAi, startEvents, startFakeProvider } from '../language-model/fake-provider.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'
const ONE = `${BOT}/visitors/{visitorId}`

async function withBot(engine: Engine) {
  const receiver = await startReceiver()
  const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  const { botId, workspaceId, key } = await server.createBot({ documents, webhookUrl: receiver.url })
  const token = server.adminToken
  const manage = (route: string, more: object = {}) => server.call(route, { token, params: { botId }, ...more })
  const find = async (q: string, more = {}) =>
    (await manage(`GET ${BOT}/visitors`, { query: { q, ...more } })).body.items
  const kept = (visitorId: string) => manage(`GET ${ONE}`, { params: { botId, visitorId } })
  const erase = (visitorId: string) => manage(`DELETE ${ONE}`, { params: { botId, visitorId } })
  const ask = (message: string, more = {}, headers = {}) =>
    server.call('POST /api/v1/chat', { token: key, headers, body: { bot_id: botId, message, ...more } })
  const visitor = () => createVisitor(server.call, botId)
  return { ...server, receiver, botId, workspaceId, manage, find, kept, erase, ask, visitor }
}

/** All rows of all tables that contain a text. */
async function traces(database: TestDatabase, text: string): Promise<string[]> {
  const tables: string[] = []
  for (const table of await tableNames(database)) {
    for (const row of await queryRows(database, `SELECT * FROM ${table}`)) {
      if (JSON.stringify(row).includes(text)) tables.push(table)
    }
  }
  return tables
}

describe.each(engines)('visitors on %s', (engine) => {
  test('are found by name, email, phone number, id and the user_id of the chat API', async () => {
    const { visitor, ask, find, clock } = await withBot(engine)
    const ozlem = visitor()
    await ozlem.say('Hello', { visitor: { name: 'Özlem Ünal', email: 'Oezlem@Shop.example' } })
    await ozlem.say('Call me at +43 664 1234567')
    clock.now += 1000
    await visitor().post('lead', { fields: { name: 'Bob_100%', email: 'bob@shop.example' } })
    clock.now += 1000
    await ask('Hello', { user_id: 'Customer/17 é' })
    await ask('Hello again', { user_id: 'Customer/17 é' })

    const [person] = await find('özlem')
    expect(person).toMatchObject({
      id: expect.stringMatching(/^vis_/),
      channel: 'widget',
      name: 'Özlem Ünal',
      email: 'Oezlem@Shop.example',
      phone: '+436641234567',
      user_id: null,
      conversations: 1,
    })
    for (const q of ['ÜNAL', 'oezlem@shop', '0664/123 45', '+43 664 1234567', person.id]) {
      expect(await find(q), q).toEqual([person])
    }
    expect((await find('bob_100%')).map(({ name }: { name: string }) => name)).toEqual(['Bob_100%'])
    expect(await find('b_b')).toEqual([])
    const [user] = await find('customer/17')
    expect(user).toMatchObject({ id: 'user:Customer/17 é', channel: 'api', user_id: 'Customer/17 é', conversations: 2 })
    expect(await find(user.id)).toEqual([user])
    const everybody = await find('')
    expect(everybody.map(({ id }: { id: string }) => id)).toEqual([user.id, expect.any(String), person.id])
    expect(await find('@shop.example', { limit: 1 })).toHaveLength(1)
  })

  test('are paged, and the pages add up to the whole list', async () => {
    const { visitor, ask, manage, clock } = await withBot(engine)
    for (let index = 0; index < 3; index++) {
      await visitor().say('Hello')
      await ask('Hello', { user_id: `${'ü'.repeat(199)}${index}` })
      if (index === 1) clock.now += 1000
    }
    const page = async (query: object): Promise<ApiResponse['body']> =>
      (await manage(`GET ${BOT}/visitors`, { query })).body
    const wholeList = (await page({})).items
    expect(wholeList).toHaveLength(6)
    const items: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: ApiResponse['body'] = await page({ limit: 1, ...(cursor ? { cursor } : {}) })
      items.push(...next.items)
      cursor = next.next_cursor
    }
    expect(items).toEqual(wholeList)
  })

  test('are exported with everything stored about them', async () => {
    const { visitor, find, kept, manage, botId, call } = await withBot(engine)
    const ada = visitor()
    const first = await ada.say('How many days do I have to return an item?', {
      visitor: { name: 'Ada' },
      locale: 'de-AT',
    })
    await ada.post('feedback', { message_id: first.body.message_id, rating: 'down', reason: 'Too short' })
    await ada.post('lead', { fields: { email: 'ada@shop.example', message: 'Please call' } })
    const headers = { 'x-visitor-token': ada.token() }
    await call('POST /api/chat/{botId}/message', { params: { botId }, headers, body: { message: 'Me again' } })
    await visitor().say('Somebody else writes')
    const [person] = await find('ada@shop.example')
    expect(person.conversations).toBe(2)
    const conversations = await manage(`GET ${BOT}/conversations`, { query: { visitor_id: person.id } })
    const conversationId = conversations.body.items.at(-1).id
    const params = { botId, conversationId }
    await manage(`POST ${BOT}/conversations/{conversationId}/notes`, { params, body: { text: 'Called back' } })

    const response = await kept(person.id)
    expect(response.headers['content-disposition']).toContain('visitor.json')
    expect(response.body).toMatchObject({
      bot_id: botId,
      visitor: { id: person.id, name: 'Ada', email: 'ada@shop.example', locale: 'de-AT', channel: 'widget' },
      leads: [{ email: 'ada@shop.example', message: 'Please call' }],
    })
    expect(response.body.conversations).toHaveLength(2)
    const conversation = response.body.conversations.find(({ id }: { id: string }) => id === conversationId)
    expect(conversation.messages).toMatchObject([
      { role: 'visitor', text: 'How many days do I have to return an item?' },
      { role: 'bot', rating: 'down', rating_reason: 'Too short' },
    ])
    expect(conversation.notes).toMatchObject([{ text: 'Called back' }])
    // Whom the team mentions is none of the visitor's data.
    expect(conversation.notes[0]).not.toHaveProperty('mentions')
    expect(response.text).not.toContain('Somebody else')
  })

  test('of the widget are erased from every table, with unsent deliveries about them, and nobody else is', async () => {
    const { visitor, find, kept, erase, receiver, database, manage, botId, workspaceId } = await withBot(engine)
    receiver.answer = 500
    const [ada, bob] = [visitor(), visitor()]
    for (const [asker, name] of [
      [ada, 'adacanary'],
      [bob, 'bobcanary'],
    ] as const) {
      const first = await asker.say(`What would ${name} pay for a violin?`, { visitor: { name } })
      await asker.post('feedback', { message_id: first.body.message_id, rating: 'down', reason: `says ${name}` })
      await asker.post('lead', { fields: { email: `${name}@shop.example` } })
      await asker.post('handover')
    }
    receiver.answer = 200
    await ada.say('adacanary again')
    const [person] = await find('adacanary')
    const inbox = await manage(`GET ${BOT}/conversations`, { query: { visitor_id: person.id } })
    const params = { botId, conversationId: inbox.body.items[0].id }
    await manage(`POST ${BOT}/conversations/{conversationId}/notes`, { params, body: { text: 'adacanary is kind' } })
    const before = await traces(database, 'bobcanary')
    expect(new Set(await traces(database, 'adacanary'))).toEqual(
      new Set(['visitors', 'messages', 'conversation_notes', 'leads', 'sent_forms', 'deliveries']),
    )
    expect((await erase(person.id)).status).toBe(204)
    expect(await traces(database, 'adacanary')).toEqual([])
    expect(await traces(database, person.id)).toEqual([])
    expect(await traces(database, params.conversationId)).toEqual([])
    expect((await traces(database, 'bobcanary')).sort()).toEqual(before.sort())
    expect([(await erase(person.id)).status, (await kept(person.id)).status]).toEqual([404, 404])

    const { items: log } = (
      await manage(`GET /api/manage/v1/workspaces/{workspaceId}/audit`, { params: { workspaceId } })
    ).body
    expect(log[0]).toMatchObject({ action: 'visitor.erased', target: `Test bot (${botId})` })

    expect((await ada.history()).status).toBe(401)
    const anew = await ada.say('Hello')
    expect(anew.body.visitor_token).toBeDefined()
    expect((await ada.history()).body.messages).toHaveLength(2)
  })

  test('known by their user_id are erased with mirrored calls, including refused ones, and stored responses', async () => {
    const { ask, kept, erase, receiver, database } = await withBot(engine)
    const user_id = 'adacanary'
    const { body } = await ask('First of adacanary', { user_id }, { 'idempotency-key': 'one' })
    await ask('First of adacanary', { user_id }, { 'idempotency-key': 'one' })
    await ask('Second', { user_id, session_id: body.session_id, metadata: { plan: 'gold' } })
    await ask('Third, adacanary', { session_id: body.session_id, metadata: 'not an object' })
    await ask('Refused', { user_id, session_id: 'unknown' })
    await ask('From bobcanary', { user_id: 'bobcanary' }, { 'idempotency-key': 'two' })
    // 3 turns create 2 conversations with 6 messages in total; each of the 6 calls is mirrored.
    await receiver.waitForCount(2 + 6 + 6)
    const visitorExport = await kept(`user:${user_id}`)
    expect(visitorExport.body.visitor).toMatchObject({ user_id, channel: 'api', name: null })
    expect(visitorExport.body.conversations).toMatchObject([{ metadata: { plan: 'gold' }, messages: [{}, {}, {}, {}] }])

    const before = await traces(database, 'bobcanary')
    expect((await erase(`user:${user_id}`)).status).toBe(204)
    expect(await traces(database, 'adacanary')).toEqual([])
    expect(await traces(database, body.session_id)).toEqual([])
    expect((await traces(database, 'bobcanary')).sort()).toEqual(before.sort())
    const replay = await ask('First of adacanary', { user_id }, { 'idempotency-key': 'one' })
    expect(replay.body.session_id).not.toBe(body.session_id)
  })

  test('are erased completely, even by parallel requests and while they write', async () => {
    const { visitor, find, erase, manage, kept } = await withBot(engine)
    const ada = visitor()
    await ada.say('Hello', { visitor: { name: 'Ada' } })
    const [{ id }] = await find('Ada')
    const work = [ada.say('One more'), erase(id), ada.say('And another'), erase(id), erase(id)]
    const responses = await Promise.all(work)
    expect(responses.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
    const response = await erase(id)
    expect([204, 404]).toContain(response.status)
    expect((await kept(id)).status).toBe(404)
    expect((await manage(`GET ${BOT}/conversations`, { query: { visitor_id: id } })).body.items).toEqual([])
  })
})

test.each(engines)('a visitor who is erased while the bot answers stays erased on %s', async (engine) => {
  const { visitor, find, erase, manage, database } = await withBot(engine)
  const { promise, resolve } = Promise.withResolvers<void>()
  const modelCall = Promise.withResolvers<void>()
  const provider = await startFakeProvider(async (response) => {
    startEvents(response)
    modelCall.resolve()
    await promise
    response.end(openAi.delta('Within 30 days [1].') + openAi.finish() + openAi.usage(10, 5) + openAi.done)
  })
  const model = { provider: 'openai_compatible', base_url: provider.url, api_key: 'sk-test', model: 'test' }
  const ada = visitor()
  await ada.say('Hello', { visitor: { name: 'Ada' } })
  expect((await manage(`PATCH ${BOT}`, { body: { language_model: model } })).status).toBe(200)
  const answer = ada.say('Within how many days can I return an item?')
  await modelCall.promise
  const [{ id }] = await find('Ada')
  expect((await erase(id)).status).toBe(204)
  resolve()
  expect((await answer).body.error.code).toBe('session_not_found')
  for (const table of ['conversations', 'messages', 'visitors']) expect(await countRows(database, table)).toBe(0)
})

test('an erasure does not change the analytics', async () => {
  const { visitor, find, erase, manage } = await withBot('sqlite')
  const ada = visitor()
  await ada.say('What is the capital of Mongolia?', { visitor: { name: 'Ada' } })
  const read = async () => (await manage(`GET ${BOT}/analytics`)).body
  const before = await read()
  expect(before.top_questions).toHaveLength(1)
  await erase((await find('Ada'))[0].id)
  const after = await read()
  expect(after.totals).toEqual(before.totals)
  expect(after.top_questions).toEqual([])
})

test('pending deliveries about an erased visitor are not sent', async () => {
  const { visitor, find, erase, receiver, clock } = await withBot('sqlite')
  receiver.answer = 500
  const ada = visitor()
  await ada.say('What would adacanary pay?', { visitor: { name: 'Ada' } })
  await receiver.waitForCount(3)
  await erase((await find('Ada'))[0].id)
  const earlierCount = receiver.received.length
  receiver.answer = 200
  clock.now += 3_600_000
  const bob = visitor()
  await bob.say('Hello from Bob')
  await waitFor(() => receiver.received.some(({ json }) => JSON.stringify(json).includes('from Bob')), 'what Bob wrote')
  const laterDeliveries = receiver.received.slice(earlierCount).map(({ json }) => JSON.stringify(json))
  expect(laterDeliveries.filter((text) => text.includes('adacanary'))).toEqual([])
})
