// Mirror webhooks: a copy of every call with a key, including refused ones.
import { describe, expect, test } from 'vitest'
import { type EndedCall, type MirroredCall, openEndedCallMirror } from '../../src/conversations/mirror.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { says, startFakeProvider } from '../language-model/fake-provider.ts'
import { doing, hooks, isSigned, start } from './webhook-bot.ts'

describe.each(engines)('mirror of a key on %s', (engine) => {
  test('gets every answered call, signed, with the request, the response and no secrets', async () => {
    const { ask, mirror, receiver, bot, clock } = await start(engine)
    const { webhook_secret } = await mirror()
    const answer = await ask('Can I return a jacket?', { user_id: 'u1', unknown: bot.key })
    const [delivery] = await receiver.waitForCount(1)
    expect(delivery?.json).toEqual({
      id: delivery?.headers['webhook-id'],
      event_type: 'chat.mirrored',
      timestamp: new Date(clock.now).toISOString(),
      bot_id: bot.botId,
      key_id: bot.keyId,
      session_id: answer.body.session_id,
      request: { bot_id: bot.botId, message: 'Can I return a jacket?', user_id: 'u1' },
      response: { status: 200, body: answer.body },
      latency_ms: expect.any(Number),
    })
    expect(delivery?.headers['user-agent']).toMatch(/^Docent-Webhooks\/\d/)
    expect(delivery && isSigned(webhook_secret, delivery, clock.now)).toBe(true)
    expect(JSON.stringify(delivery)).not.toContain(bot.key)
  })

  test.each([
    ['removed', 'no trace of it is left'],
    ['switched off', 'it can be replayed'],
  ])('gets nothing of a call that it was %s during; %s', async (change) => {
    const modelCall = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const provider = await startFakeProvider(async (response, request) => {
      if (request.raw.includes('slowly')) modelCall.resolve()
      if (request.raw.includes('slowly')) await goOn.promise
      await says('Within 30 days.')(response, request)
    })
    const { ask, call, bot, mirror, change: set, list, tried, replay, receiver } = await start(engine)
    const language_model = { provider: 'openai_compatible', base_url: provider.url, api_key: 'sk-test', model: 'test' }
    const params = { botId: bot.botId }
    await call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params, body: { language_model } })
    const { webhook_id } = await mirror()
    // The worker knows the endpoint from here on.
    await ask('Can I return a jacket?')
    await tried(1, 'delivered')

    const responsePromise = ask('Can I return a jacket slowly?')
    await modelCall.promise
    if (change === 'removed') await mirror(null)
    else await set(webhook_id, { enabled: false })
    goOn.resolve()
    expect((await responsePromise).status).toBe(200)
    const withdrawnDelivery = expect.objectContaining({ state: 'failed', attempts: 0 })
    const expected = change === 'removed' ? [] : [withdrawnDelivery, expect.objectContaining({ state: 'delivered' })]
    await expect.poll(() => list()).toEqual(expected)
    expect(receiver.received).toHaveLength(1)
    if (change === 'removed') return
    await set(webhook_id, { enabled: true })
    await replay((await list())[0]?.id ?? '')
    await receiver.waitForCount(2)
  })

  test('gets the calls that were refused, each with its status and error', async () => {
    const { ask, call, mirror, receiver, bot } = await start(engine)
    await mirror()
    const refusals = [
      await ask(''),
      await ask('hi', { session_id: 'ses_unknown' }),
      await call('POST /api/v1/chat', { token: bot.key, body: { bot_id: 'bot_other', message: 'hi' } }),
      await call('POST /api/v1/chat', {
        token: bot.key,
        raw: '{"bot_id":',
      }),
      await ask('hi', {}, { accept: 'image/png' }),
    ]
    const deliveries = await receiver.waitForCount(refusals.length)
    const byRequest = new Map(deliveries.map(({ json }) => [json.response.body.error.request_id, json]))
    for (const { status, body } of refusals) {
      expect(byRequest.get(body.error.request_id)?.response).toEqual({ status, body })
    }
    expect(refusals.map(({ status }) => status)).toEqual([400, 404, 404, 400, 406])
    expect(byRequest.get(refusals[3]?.body.error.request_id)?.request).toEqual({ raw: '{"bot_id":' })
  })

  test('gets calls beyond the quota and of a plan without the chat API', async () => {
    const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
    const receiver = await startReceiver()
    for (const options of [{ dailyLimit: 0 }, { plan: 'starter' as const }]) {
      const bot = await server.createBot(options)
      const { ask, mirror } = doing(server, bot, receiver)
      await mirror()
      await ask('hi', { session_id: 'ses_1', metadata: { page: 'cart' } })
    }
    const mirroredCalls = (await receiver.waitForCount(2)).map(({ json }) => json)
    expect(mirroredCalls.map(({ response }) => response.status).sort()).toEqual([403, 429])
    for (const { request, bot_id } of mirroredCalls)
      expect(request).toEqual({ bot_id, message: 'hi', session_id: 'ses_1', metadata: { page: 'cart' } })
  })

  test('gets calls whose body was never parsed with what was sent, whichever API was called', async () => {
    const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
    const receiver = await startReceiver()
    const bot = await server.createBot({ dailyLimit: 0 })
    const { mirror } = doing(server, bot, receiver)
    await mirror()
    const token = bot.key
    const completion = { model: bot.botId, user: 'u1', messages: [{ role: 'user', content: 'hello' }] }
    await server.call('POST /v1/chat/completions', { token, body: completion })
    await server.call('POST /v1/chat/completions', { token, body: { model: 'x', messages: 'none' } })
    await server.call('POST /api/v1/chat', { token, raw: `message=hi&key=${bot.key}` })
    await server.call('POST /api/v1/chat', { token, raw: 'x'.repeat(300_000) })
    await server.call('POST /api/v1/chat', { token, raw: 'hi', headers: { 'content-type': 'text/plain' } })
    const all = (await receiver.waitForCount(5)).map(({ json }) => json)
    expect(all.map(({ response }) => response.status)).toEqual([429, 429, 429, 429, 429])
    const requests = all.map(({ request }) => request)
    expect(requests).toContainEqual({ bot_id: bot.botId, message: 'hello', user_id: 'u1' })
    expect(requests).toContainEqual({ model: 'x', messages: 'none' })
    expect(requests).toContainEqual({ raw: 'message=hi&key=dct_chat_…' })
    expect(requests).toContainEqual({ raw: 'x'.repeat(16 * 1024) })
    expect(requests).toContainEqual({ raw: 'hi' })
  })

  test('gets a call of another media type as it came', async () => {
    const { call, mirror, receiver, bot } = await start(engine)
    await mirror()
    await call('POST /api/v1/chat', { token: bot.key, raw: 'hi', headers: { 'content-type': 'text/plain' } })
    const [delivery] = await receiver.waitForCount(1)
    expect(delivery?.json).toMatchObject({ request: { raw: 'hi' }, response: { status: 415 } })
  })

  test('gets a replayed idempotent call as a separate call', async () => {
    const { ask, mirror, receiver } = await start(engine)
    await mirror()
    await ask('Can I return a jacket?', {}, { 'idempotency-key': 'one' })
    await ask('Can I return a jacket?', {}, { 'idempotency-key': 'one' })
    const [first, second] = await receiver.waitForCount(2)
    expect(second?.json.response).toEqual(first?.json.response)
    expect(second?.json.id).not.toBe(first?.json.id)
  })

  test('goes with its key: a rotated key mirrors to the same place under the same secret', async () => {
    const { call, mirror, receiver, bot, clock } = await start(engine)
    const { webhook_secret } = await mirror()
    const route = 'POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate'
    const rotation = await call(route, { token: ADMIN_TOKEN, params: { ...bot }, body: {} })
    expect(rotation.body.webhook_url).toBe(receiver.url)
    await call('POST /api/v1/chat', { token: rotation.body.key, body: { bot_id: bot.botId, message: 'hi' } })
    const [delivery] = await receiver.waitForCount(1)
    expect(delivery?.json.key_id).toBe(rotation.body.id)
    expect(delivery && isSigned(webhook_secret, delivery, clock.now)).toBe(true)
  })

  test('is shown with its key, keeps its secret when the URL changes, and can be removed', async () => {
    const { call, mirror, receiver, bot, webhook, ask, subscribe, test: send } = await start(engine)
    const first = await mirror('https://hooks.example.com/a')
    expect(first.webhook_secret).toMatch(/^whsec_/)
    const second = await mirror()
    expect(second).not.toHaveProperty('webhook_secret')
    expect(second.webhook_id).toBe(first.webhook_id)
    expect(await webhook(first.webhook_id)).toMatchObject({ kind: 'mirror', key_id: bot.keyId, url: receiver.url })
    expect((await mirror(null)).webhook_url).toBeNull()
    await ask('hi')
    const webhooks = await call(`GET ${hooks}`, { token: ADMIN_TOKEN, params: { botId: bot.botId } })
    expect(webhooks.body.items).toEqual([])
    const { id } = await subscribe({ event_types: ['lead.created'] })
    await send(id)
    expect((await receiver.waitForCount(1)).map(({ json }) => json.event_type)).toEqual(['webhook.test'])
  })

  test('can be set when the key is created', async () => {
    const { call, receiver, bot } = await start(engine)
    const key = await call('POST /api/manage/v1/bots/{botId}/keys', {
      token: ADMIN_TOKEN,
      params: { botId: bot.botId },
      body: { name: 'mirrored', webhook_url: receiver.url },
    })
    expect(key.body).toMatchObject({ webhook_url: receiver.url, webhook_secret: expect.stringMatching(/^whsec_/) })
    await call('POST /api/v1/chat', { token: key.body.key, body: { bot_id: bot.botId, message: 'hi' } })
    expect((await receiver.waitForCount(1))[0]?.json.key_id).toBe(key.body.id)
  })
})

test('a body that is no JSON is mirrored as it came, cut and without credentials', async () => {
  const { call, mirror, receiver, bot } = await start('sqlite')
  await mirror()
  const send = (raw: string) => call('POST /api/v1/chat', { token: bot.key, raw })
  await send(`key=${bot.key}&message=hi`)
  await send('é'.repeat(20_000))
  await send('["hi"]')
  await send('visitor_token=dct_visitor_abc')
  const raws = (await receiver.waitForCount(4))
    .map(({ json }) => json.request.raw as string)
    .sort((a, b) => a.length - b.length)
  expect(raws.slice(0, 3)).toEqual(['["hi"]', 'key=dct_chat_…&message=hi', 'visitor_token=dct_visitor_…'])
  expect(Buffer.byteLength(raws[3] ?? '')).toBe(16 * 1024)
})

test('of calls beyond the quota, some per minute are mirrored and the others counted in one event', async () => {
  const server = await startServer('sqlite', { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  const receiver = await startReceiver()
  const bot = await server.createBot({ dailyLimit: 0 })
  const { ask, mirror } = doing(server, bot, receiver)
  await mirror()
  for (let call = 0; call < 130; call++) await ask('hi')
  await receiver.waitForCount(120)
  server.clock.now += 60_000
  await ask('hi')
  const deliveries = await receiver.waitForCount(122)
  const summaries = deliveries.map(({ json }) => json).filter(({ suppressed }) => suppressed !== undefined)
  expect(summaries).toMatchObject([{ suppressed: 10, request: null, response: { status: 429 } }])
  // What is not told yet is told before the end.
  for (let call = 0; call < 125; call++) await ask('hi')
  await server.stop()
  const rows = await queryRows(server.database, 'SELECT payload FROM deliveries')
  expect(rows.filter(({ payload }) => JSON.parse(String(payload)).suppressed === 6)).toHaveLength(1)
})

test('calls that were only counted are told later when the database fails, with those counted meanwhile', async () => {
  let now = 0
  let isDown = false
  const statements: MirroredCall[] = []
  const { mirror, flush } = openEndedCallMirror({
    deliveries: {
      async write([statement]) {
        await null
        if (isDown) throw new Error('the database is down')
        statements.push(statement as never)
      },
    },
    mirrorCall: (call) => call as never,
    onEvents: () => {},
    clock: () => now,
  })
  const call = {
    key: { id: 'key', mirrorId: 'hook' },
    status: 429,
    readRequest: async () => null,
  } as unknown as EndedCall
  for (let count = 0; count < 130; count++) await mirror(call)
  now += 60_000
  isDown = true
  const failedFlush = flush()
  // A new minute begins while the old one is being told.
  const rest = Array.from({ length: 123 }, () => mirror(call))
  await expect(failedFlush).rejects.toThrow('down')
  await Promise.allSettled(rest)
  isDown = false
  now += 60_000
  await flush()
  expect(statements.flatMap(({ suppressed }) => suppressed ?? [])).toEqual([13])
})
