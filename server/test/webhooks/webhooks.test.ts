// Webhooks: which events are sent, how they are signed, and which node delivers them.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { pause } from '../harness/wait.ts'
import { hooks, isSigned, start } from './webhook-bot.ts'

const HOUR = 3_600_000
const SECRET_KEY = 'a-key-of-the-tests-with-enough-letters'

describe.each(engines)('events of a bot on %s', (engine) => {
  test('a conversation reports its beginning, every message, and its end after 30 idle minutes', async () => {
    const { ask, subscribe, receiver, bot, clock } = await start(engine)
    const { secret } = await subscribe()
    const response = await ask('Can I return a jacket?', { user_id: 'u1', metadata: { shop: 'north' } })
    const events = (await receiver.waitForCount(3)).map(({ json }) => json)
    const of = (type: string) => events.filter(({ event_type }) => event_type === type)
    expect(of('conversation.started')).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event_type: 'conversation.started',
        timestamp: new Date(clock.now).toISOString(),
        bot_id: bot.botId,
        session_id: response.body.session_id,
        conversation_id: expect.stringMatching(/^cnv_/),
        data: { channel: 'api', user_id: 'u1', page_url: null, metadata: { shop: 'north' }, visitor: null },
      },
    ])
    const messages = of('conversation.message').map(({ data }) => data.message)
    expect(messages.map(({ role, text }) => [role, text]).sort()).toEqual([
      ['bot', response.body.response],
      ['visitor', 'Can I return a jacket?'],
    ])
    expect(messages.find(({ role }) => role === 'bot')).toMatchObject({
      id: response.body.message_id,
      sources: response.body.sources,
      confidence: response.body.confidence,
      answered: true,
    })
    expect(receiver.received.every((one) => isSigned(secret, one, clock.now))).toBe(true)

    clock.now += HOUR / 2
    await ask('And a tent?', { session_id: response.body.session_id })
    await receiver.waitForCount(5)
    clock.now += HOUR / 2 + 1
    await receiver.waitForCount(6)
    expect(receiver.received[5]?.json).toMatchObject({
      event_type: 'conversation.ended',
      session_id: response.body.session_id,
      data: { channel: 'api', reason: 'idle', message_count: 4 },
    })
    // A later message goes on with it.
    const laterResponse = await ask('And a stove?', { session_id: response.body.session_id })
    expect(laterResponse.status).toBe(200)
    expect((await receiver.waitForCount(8)).slice(6).map(({ json }) => json.event_type)).toEqual([
      'conversation.message',
      'conversation.message',
    ])
  })

  test('each endpoint gets the types it chose, under one event id, and other bots hear nothing', async () => {
    const { ask, subscribe, createBot, call, receiver } = await start(engine)
    const otherReceiver = await startReceiver()
    const foreign = await startReceiver()
    await subscribe()
    await subscribe({ url: otherReceiver.url, event_types: ['conversation.started', 'lead.created'] })
    const { botId } = await createBot()
    const body = { url: foreign.url }
    const stranger = (await call(`POST ${hooks}`, { token: ADMIN_TOKEN, params: { botId }, body })).body
    await ask('Can I return a jacket?')
    await receiver.waitForCount(3)
    const [firstDelivery] = await otherReceiver.waitForCount(1)
    expect(otherReceiver.received).toHaveLength(1)
    expect(receiver.received.map(({ json }) => json.id)).toContain(firstDelivery?.json.id)
    await call(`POST ${hooks}/{webhookId}/test`, { token: ADMIN_TOKEN, params: { botId, webhookId: stranger.id } })
    expect((await foreign.waitForCount(1)).map(({ json }) => json.event_type)).toEqual(['webhook.test'])
  })

  test('a test event goes the same way and can be read back, the signature masked', async () => {
    const { subscribe, test: send, receiver, bot, delivery, tried } = await start(engine)
    const { id, secret } = await subscribe({ event_types: ['lead.created'] })
    const testDelivery = await send(id)
    expect(testDelivery.status).toBe(201)
    const [receivedDelivery] = await receiver.waitForCount(1)
    expect(receivedDelivery?.json).toMatchObject({ event_type: 'webhook.test', bot_id: bot.botId })
    await tried(1, 'delivered')
    const details = await delivery(testDelivery.body.id)
    expect(details.body).toBe(receivedDelivery?.body)
    expect(details.log).toEqual([
      {
        at: expect.any(String),
        duration_ms: expect.any(Number),
        status: 200,
        error: null,
        answer: 'noted',
        headers: expect.objectContaining({
          'webhook-id': receivedDelivery?.headers['webhook-id'],
          'webhook-signature': 'v1,…',
        }),
      },
    ])
    expect(JSON.stringify(details)).not.toContain(secret)
  })

  test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
    const { subscribe, rotate, test: send, receiver, clock } = await start(engine)
    const { id, secret } = await subscribe()
    const rotation = (await rotate(id)).body
    expect(Date.parse(rotation.previous_secret_until)).toBe(clock.now + 24 * HOUR)
    await send(id)
    const [firstDelivery] = await receiver.waitForCount(1)
    expect(
      firstDelivery &&
        isSigned(secret, firstDelivery, clock.now) &&
        isSigned(rotation.secret, firstDelivery, clock.now),
    ).toBe(true)
    clock.now += 24 * HOUR
    await send(id)
    const [, one] = await receiver.waitForCount(2)
    expect(one && isSigned(rotation.secret, one, clock.now)).toBe(true)
    expect(one && isSigned(secret, one, clock.now)).toBe(false)
  })

  test('the secret is shown once and stored encrypted', async () => {
    const { subscribe, webhook, logs, database } = await start(engine)
    const { id, secret } = await subscribe()
    expect(JSON.stringify(await webhook(id))).not.toContain(secret)
    expect(logs()).not.toContain(secret)
    const rows = await queryRows(database, 'SELECT secret FROM webhooks')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
  })

  test('a bot has at most 20 endpoints, even if they are created in parallel', async () => {
    const { call, bot } = await start(engine)
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        call(`POST ${hooks}`, {
          token: ADMIN_TOKEN,
          params: { botId: bot.botId },
          body: { url: `https://hooks.example.com/${index}` },
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ body }) => body.error?.code === 'too_many_webhooks')).toHaveLength(5)
  })
})

test('a node that only answers requests wakes the worker of another node', async () => {
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const web = await startServer('postgres', { environment: { ...environment, SECRET_KEY, ROLE: 'web' } })
  const receiver = await startReceiver()
  const bot = await web.createBot({ webhookUrl: receiver.url })
  await web.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: 'hi' } })
  await pause(300)
  expect(receiver.received).toEqual([])

  const worker = await startServer('postgres', {
    environment: { ...environment, SECRET_KEY, ROLE: 'worker' },
    database: web.database,
  })
  await receiver.waitForCount(4)
  await web.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: 'hi' } })
  await receiver.waitForCount(8)
  await worker.stop()
})

test('two workers on one queue deliver every event once', async () => {
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const receiver = await startReceiver()
  const first = await startServer('postgres', { environment })
  const second = await startServer('postgres', { environment, database: first.database })
  const bot = await first.createBot({ webhookUrl: receiver.url, dailyLimit: 10_000 })
  await Promise.all(
    [first, second].flatMap(({ call }) =>
      Array.from({ length: 40 }, () =>
        call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: 'hi' } }),
      ),
    ),
  )
  await receiver.waitForCount(320)
  const ids = receiver.received.map(({ json }) => json.id)
  expect([ids.length, new Set(ids).size]).toEqual([320, 320])
  await second.stop()
})
