// Webhooks: who hears of what, how it is signed, and what becomes of it when the other side fails.
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { MirroredCall } from '../../src/conversations/mirror/mirror-call.ts'
import { createEndedCallMirror } from '../../src/conversations/mirror/mirror-ended-call.ts'
import { DAY_MS } from '../../src/days.ts'
import { engines } from '../harness/database/databases.ts'
import { change, rows } from '../harness/database/rows.ts'
import { startNameServer } from '../harness/outside/name-server.ts'
import { type Receiver, startReceiver, waitFor } from '../harness/outside/receiver.ts'
import { hostileUrls, wrongUrls } from '../harness/samples/hostile-urls.ts'
import { ADMIN_TOKEN, startServer, type TestBot, type TestServer } from '../harness/start-server.ts'
import { says, startFakeProvider } from '../language-model/fake-provider.ts'

const HOUR = 3_600_000
const SECRET_KEY = 'a-key-of-the-tests-with-enough-letters'
const hooks = '/api/manage/v1/bots/{botId}/webhooks'
const log = '/api/manage/v1/bots/{botId}/deliveries'
const page = { id: 'returns', title: 'Returns', text: 'You can return a jacket within 30 days of purchase.' }

type Engine = (typeof engines)[number]

async function start(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_SECONDS: '1', ...environment },
  })
  const bot = await server.createBot({ documents: [page] })
  const receiver = await startReceiver()
  return { ...server, bot, receiver, ...doing(server, bot, receiver) }
}

function doing({ call }: TestServer, { botId, key, keyId }: TestBot, receiver: Receiver) {
  const token = ADMIN_TOKEN
  const params = { botId }
  return {
    ask: (message: string, more: object = {}, headers: Record<string, string> = {}) =>
      call('POST /api/v1/chat', { token: key, headers, body: { bot_id: botId, message, ...more } }),
    async subscribe(body: object = {}) {
      const made = await call(`POST ${hooks}`, { token, params, body: { url: receiver.url, ...body } })
      expect(made.status).toBe(201)
      return made.body as { id: string; secret: string }
    },
    async mirror(url: string | null = receiver.url) {
      const route = 'PATCH /api/manage/v1/bots/{botId}/keys/{keyId}'
      return (await call(route, { token, params: { botId, keyId }, body: { webhook_url: url } })).body
    },
    webhook: async (webhookId: string) =>
      (await call(`GET ${hooks}/{webhookId}`, { token, params: { botId, webhookId } })).body,
    change: (webhookId: string, body: object) =>
      call(`PATCH ${hooks}/{webhookId}`, { token, params: { botId, webhookId }, body }),
    test: (webhookId: string) => call(`POST ${hooks}/{webhookId}/test`, { token, params: { botId, webhookId } }),
    rotate: (webhookId: string) =>
      call(`POST ${hooks}/{webhookId}/rotate-secret`, { token, params: { botId, webhookId } }),
    list: async (query: Record<string, string> = {}) =>
      (await call(`GET ${log}`, { token, params, query })).body.items as { id: string; state: string }[],
    delivery: async (deliveryId: string) =>
      (await call(`GET ${log}/{deliveryId}`, { token, params: { botId, deliveryId } })).body,
    replay: (deliveryId: string) => call(`POST ${log}/{deliveryId}/replay`, { token, params: { botId, deliveryId } }),
    replayFailed: (body: object) => call(`POST ${log}/replay`, { token, params, body }),
    /** Lets time pass; a turn of the bot wakes the worker, which would else look within a second. */
    async pass(clock: TestServer['clock'], ms: number) {
      clock.now += ms
      await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'hi' } })
    },
    /** Waits until the newest delivery has been tried so often. */
    async tried(times: number, state?: string) {
      await waitFor(
        async () => {
          const [newest] = (await call(`GET ${log}`, { token, params })).body.items
          return newest?.attempts === times && (!state || newest.state === state)
        },
        `${times} attempts${state ? `, then ${state}` : ''}`,
      )
      const [newest] = (await call(`GET ${log}`, { token, params })).body.items
      return newest as { id: string; state: string; next_attempt_at: string; webhook_id: string }
    },
  }
}

function isSigned(secret: string, { headers, body }: Receiver['received'][number], at: number): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const picked = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  // The library compares with the machine's own time, and the server's clock is the test's.
  const expected = new Verifier(secret).sign(String(headers['webhook-id']), new Date(at), body)
  return String(picked['webhook-signature']).split(' ').includes(expected)
}

describe.each(engines)('mirror of a key on %s', (engine) => {
  test('gets every answered call, signed, with the request, the answer and nothing secret', async () => {
    const { ask, mirror, receiver, bot, clock } = await start(engine)
    const { webhook_secret } = await mirror()
    const answer = await ask('Can I return a jacket?', { user_id: 'u1', unknown: bot.key })
    const [received] = await receiver.until(1)
    expect(received?.json).toEqual({
      id: received?.headers['webhook-id'],
      event_type: 'chat.mirrored',
      timestamp: new Date(clock.now).toISOString(),
      bot_id: bot.botId,
      key_id: bot.keyId,
      session_id: answer.body.session_id,
      request: { bot_id: bot.botId, message: 'Can I return a jacket?', user_id: 'u1' },
      response: { status: 200, body: answer.body },
      latency_ms: expect.any(Number),
    })
    expect(received?.headers['user-agent']).toMatch(/^Docent-Webhooks\/\d/)
    expect(received && isSigned(webhook_secret, received, clock.now)).toBe(true)
    expect(JSON.stringify(received)).not.toContain(bot.key)
  })

  test.each([
    ['removed', 'no trace of it is left'],
    ['switched off', 'it can be replayed'],
  ])('gets nothing of a call that it was %s during; %s', async (change) => {
    const asked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const provider = await startFakeProvider(async (response, seen) => {
      if (seen.raw.includes('slowly')) asked.resolve()
      if (seen.raw.includes('slowly')) await goOn.promise
      await says('Within 30 days.')(response, seen)
    })
    const { ask, call, bot, mirror, change: set, list, tried, replay, receiver } = await start(engine)
    const language_model = { provider: 'openai_compatible', base_url: provider.url, api_key: 'sk-test', model: 'test' }
    const params = { botId: bot.botId }
    await call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params, body: { language_model } })
    const { webhook_id } = await mirror()
    // The worker knows the endpoint from here on.
    await ask('Can I return a jacket?')
    await tried(1, 'delivered')

    const answering = ask('Can I return a jacket slowly?')
    await asked.promise
    if (change === 'removed') await mirror(null)
    else await set(webhook_id, { enabled: false })
    goOn.resolve()
    expect((await answering).status).toBe(200)
    const withdrawn = expect.objectContaining({ state: 'failed', attempts: 0 })
    const expected = change === 'removed' ? [] : [withdrawn, expect.objectContaining({ state: 'delivered' })]
    await expect.poll(() => list(), { timeout: 10_000 }).toEqual(expected)
    expect(receiver.received).toHaveLength(1)
    if (change === 'removed') return
    await set(webhook_id, { enabled: true })
    await replay((await list())[0]?.id ?? '')
    await receiver.until(2)
  })

  test('gets the calls that were refused, each with its status and error', async () => {
    const { ask, call, mirror, receiver, bot } = await start(engine)
    await mirror()
    const refused = [
      await ask(''),
      await ask('hi', { session_id: 'ses_unknown' }),
      await call('POST /api/v1/chat', { token: bot.key, body: { bot_id: 'bot_other', message: 'hi' } }),
      await call('POST /api/v1/chat', {
        token: bot.key,
        raw: '{"bot_id":',
      }),
      await ask('hi', {}, { accept: 'image/png' }),
    ]
    const received = await receiver.until(refused.length)
    const byRequest = new Map(received.map(({ json }) => [json.response.body.error.request_id, json]))
    for (const { status, body } of refused) {
      expect(byRequest.get(body.error.request_id)?.response).toEqual({ status, body })
    }
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 404, 400, 406])
    expect(byRequest.get(refused[3]?.body.error.request_id)?.request).toEqual({ raw: '{"bot_id":' })
  })

  test('gets calls beyond the quota and of a plan without the chat API', async () => {
    const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
    const receiver = await startReceiver()
    for (const options of [{ dailyLimit: 0 }, { plan: 'starter' as const }]) {
      const bot = await server.createBot(options)
      const { ask, mirror } = doing(server, bot, receiver)
      await mirror()
      await ask('hi')
    }
    const statuses = (await receiver.until(2)).map(({ json }) => json.response.status)
    expect(statuses.sort()).toEqual([403, 429])
  })

  test('gets a replayed idempotent call as a call of its own', async () => {
    const { ask, mirror, receiver } = await start(engine)
    await mirror()
    await ask('Can I return a jacket?', {}, { 'idempotency-key': 'one' })
    await ask('Can I return a jacket?', {}, { 'idempotency-key': 'one' })
    const [first, second] = await receiver.until(2)
    expect(second?.json.response).toEqual(first?.json.response)
    expect(second?.json.id).not.toBe(first?.json.id)
  })

  test('goes with its key: a rotated key mirrors to the same place under the same secret', async () => {
    const { call, mirror, receiver, bot, clock } = await start(engine)
    const { webhook_secret } = await mirror()
    const route = 'POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate'
    const rotated = await call(route, { token: ADMIN_TOKEN, params: { ...bot }, body: {} })
    expect(rotated.body.webhook_url).toBe(receiver.url)
    await call('POST /api/v1/chat', { token: rotated.body.key, body: { bot_id: bot.botId, message: 'hi' } })
    const [received] = await receiver.until(1)
    expect(received?.json.key_id).toBe(rotated.body.id)
    expect(received && isSigned(webhook_secret, received, clock.now)).toBe(true)
  })

  test('is shown with its key, keeps its secret at another address, and can be taken away', async () => {
    const { call, mirror, receiver, bot, webhook, ask, subscribe, test: send } = await start(engine)
    const first = await mirror('https://hooks.example.com/a')
    expect(first.webhook_secret).toMatch(/^whsec_/)
    const second = await mirror()
    expect(second).not.toHaveProperty('webhook_secret')
    expect(second.webhook_id).toBe(first.webhook_id)
    expect(await webhook(first.webhook_id)).toMatchObject({ kind: 'mirror', key_id: bot.keyId, url: receiver.url })
    expect((await mirror(null)).webhook_url).toBeNull()
    await ask('hi')
    const shown = await call(`GET ${hooks}`, { token: ADMIN_TOKEN, params: { botId: bot.botId } })
    expect(shown.body.items).toEqual([])
    const { id } = await subscribe({ event_types: ['lead.created'] })
    await send(id)
    expect((await receiver.until(1)).map(({ json }) => json.event_type)).toEqual(['webhook.test'])
  })

  test('can be given when the key is made', async () => {
    const { call, receiver, bot } = await start(engine)
    const key = await call('POST /api/manage/v1/bots/{botId}/keys', {
      token: ADMIN_TOKEN,
      params: { botId: bot.botId },
      body: { name: 'mirrored', webhook_url: receiver.url },
    })
    expect(key.body).toMatchObject({ webhook_url: receiver.url, webhook_secret: expect.stringMatching(/^whsec_/) })
    await call('POST /api/v1/chat', { token: key.body.key, body: { bot_id: bot.botId, message: 'hi' } })
    expect((await receiver.until(1))[0]?.json.key_id).toBe(key.body.id)
  })
})

describe.each(engines)('events of a bot on %s', (engine) => {
  test('a conversation reports its beginning, every message, and its end after 30 idle minutes', async () => {
    const { ask, subscribe, receiver, bot, clock } = await start(engine)
    const { secret } = await subscribe()
    const answer = await ask('Can I return a jacket?', { user_id: 'u1', metadata: { shop: 'north' } })
    const events = (await receiver.until(3)).map(({ json }) => json)
    const of = (type: string) => events.filter(({ event_type }) => event_type === type)
    expect(of('conversation.started')).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event_type: 'conversation.started',
        timestamp: new Date(clock.now).toISOString(),
        bot_id: bot.botId,
        session_id: answer.body.session_id,
        conversation_id: expect.stringMatching(/^cnv_/),
        data: { channel: 'api', user_id: 'u1', page_url: null, metadata: { shop: 'north' } },
      },
    ])
    const messages = of('conversation.message').map(({ data }) => data.message)
    expect(messages.map(({ role, text }) => [role, text]).sort()).toEqual([
      ['bot', answer.body.response],
      ['visitor', 'Can I return a jacket?'],
    ])
    expect(messages.find(({ role }) => role === 'bot')).toMatchObject({
      id: answer.body.message_id,
      sources: answer.body.sources,
      confidence: answer.body.confidence,
      answered: true,
    })
    expect(receiver.received.every((one) => isSigned(secret, one, clock.now))).toBe(true)

    clock.now += HOUR / 2
    await ask('And a tent?', { session_id: answer.body.session_id })
    await receiver.until(5)
    clock.now += HOUR / 2 + 1
    await receiver.until(6)
    expect(receiver.received[5]?.json).toMatchObject({
      event_type: 'conversation.ended',
      session_id: answer.body.session_id,
      data: { channel: 'api', reason: 'idle', message_count: 4 },
    })
    // A later message goes on with it.
    const later = await ask('And a stove?', { session_id: answer.body.session_id })
    expect(later.status).toBe(200)
    expect((await receiver.until(8)).slice(6).map(({ json }) => json.event_type)).toEqual([
      'conversation.message',
      'conversation.message',
    ])
  })

  test('each endpoint gets the types it chose, under one event id, and other bots hear nothing', async () => {
    const { ask, subscribe, createBot, call, receiver } = await start(engine)
    const other = await startReceiver()
    const foreign = await startReceiver()
    await subscribe()
    await subscribe({ url: other.url, event_types: ['conversation.started', 'lead.created'] })
    const { botId } = await createBot()
    const body = { url: foreign.url }
    const stranger = (await call(`POST ${hooks}`, { token: ADMIN_TOKEN, params: { botId }, body })).body
    await ask('Can I return a jacket?')
    await receiver.until(3)
    const [started] = await other.until(1)
    expect(other.received).toHaveLength(1)
    expect(receiver.received.map(({ json }) => json.id)).toContain(started?.json.id)
    await call(`POST ${hooks}/{webhookId}/test`, { token: ADMIN_TOKEN, params: { botId, webhookId: stranger.id } })
    expect((await foreign.until(1)).map(({ json }) => json.event_type)).toEqual(['webhook.test'])
  })

  test('a test event goes the same way and can be read back, the signature masked', async () => {
    const { subscribe, test: send, receiver, bot, delivery, tried } = await start(engine)
    const { id, secret } = await subscribe({ event_types: ['lead.created'] })
    const sent = await send(id)
    expect(sent.status).toBe(201)
    const [received] = await receiver.until(1)
    expect(received?.json).toMatchObject({ event_type: 'webhook.test', bot_id: bot.botId })
    await tried(1, 'delivered')
    const shown = await delivery(sent.body.id)
    expect(shown.body).toBe(received?.body)
    expect(shown.log).toEqual([
      {
        at: expect.any(String),
        duration_ms: expect.any(Number),
        status: 200,
        error: null,
        answer: 'noted',
        headers: expect.objectContaining({
          'webhook-id': received?.headers['webhook-id'],
          'webhook-signature': 'v1,…',
        }),
      },
    ])
    expect(JSON.stringify(shown)).not.toContain(secret)
  })

  test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
    const { subscribe, rotate, test: send, receiver, clock } = await start(engine)
    const { id, secret } = await subscribe()
    const rotated = (await rotate(id)).body
    expect(Date.parse(rotated.previous_secret_until)).toBe(clock.now + 24 * HOUR)
    await send(id)
    const [both] = await receiver.until(1)
    expect(both && isSigned(secret, both, clock.now) && isSigned(rotated.secret, both, clock.now)).toBe(true)
    clock.now += 24 * HOUR
    await send(id)
    const [, one] = await receiver.until(2)
    expect(one && isSigned(rotated.secret, one, clock.now)).toBe(true)
    expect(one && isSigned(secret, one, clock.now)).toBe(false)
  })

  test('the secret is shown once and lies sealed in the database', async () => {
    const { subscribe, webhook, logs, database } = await start(engine)
    const { id, secret } = await subscribe()
    expect(JSON.stringify(await webhook(id))).not.toContain(secret)
    expect(logs()).not.toContain(secret)
    const stored = await rows(database, 'SELECT secret FROM webhooks')
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length))
  })

  test('at most 20 endpoints a bot, also when they are made at once', async () => {
    const { call, bot } = await start(engine)
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        call(`POST ${hooks}`, {
          token: ADMIN_TOKEN,
          params: { botId: bot.botId },
          body: { url: `https://hooks.example.com/${index}` },
        }),
      ),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(made.filter(({ body }) => body.error?.code === 'too_many_webhooks')).toHaveLength(5)
  })
})

describe.each(engines)('a failed delivery on %s', (engine) => {
  test('is tried again after about 5 seconds, then about 5 minutes, with the same id, until it is taken', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, webhook } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 500
    await send(id)
    const first = await tried(1, 'pending')
    const delay = Date.parse(first.next_attempt_at) - clock.now
    expect(delay).toBeGreaterThanOrEqual(4000)
    expect(delay).toBeLessThanOrEqual(6000)
    expect(await webhook(id)).toMatchObject({ state: 'failing', pending: 1 })

    await pass(clock, 6001)
    const second = await tried(2, 'pending')
    expect(Date.parse(second.next_attempt_at) - clock.now).toBeGreaterThanOrEqual(240_000)
    receiver.answer = 204
    await pass(clock, 360_001)
    await tried(3, 'delivered')
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
    expect(await webhook(id)).toMatchObject({ state: 'active', pending: 0 })
  })

  test('is tried again in its time though the clock was set back by a day, also when its worker is gone', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, database } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 500
    await send(id)
    await tried(1, 'pending')
    clock.now -= DAY_MS
    const due = async () => Number((await rows(database, 'SELECT due_at FROM deliveries'))[0]?.due_at) - clock.now
    await waitFor(async () => (await due()) <= 6000, 'the wait to be cut short')
    await change(database, `UPDATE deliveries SET taken_by = 'gone', due_at = ${clock.now + 7000}`)
    receiver.answer = 204
    clock.now -= DAY_MS
    await waitFor(async () => (await due()) <= 7000, 'the lease to be cut short')
    await pass(clock, 7001)
    await tried(2, 'delivered')
  })

  test('waits as long as the endpoint asks for', async () => {
    const { subscribe, test: send, receiver, clock, tried } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '7200' }).end()
    await send(id)
    const { next_attempt_at } = await tried(1)
    expect(Date.parse(next_attempt_at) - clock.now).toBe(7_200_000)
  })

  test('is given up after the tenth attempt, stays in the log, and can be sent again', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, delivery, replay, list } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 503
    await send(id)
    for (let attempts = 1; attempts < 10; attempts++) {
      const { next_attempt_at } = await tried(attempts, 'pending')
      await pass(clock, Date.parse(next_attempt_at) - clock.now)
    }
    const failed = await tried(10, 'failed')
    expect((await delivery(failed.id)).log).toHaveLength(10)
    expect(await list({ state: 'failed' })).toHaveLength(1)
    receiver.answer = 200
    expect((await replay(failed.id)).status).toBe(201)
    await tried(1, 'delivered')
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('410 disables the endpoint at once; what waits is kept and can be replayed since a time', async () => {
    const { subscribe, test: send, ask, receiver, clock, webhook, change, list, replayFailed } = await start(engine)
    const { id } = await subscribe({ event_types: ['conversation.started'] })
    receiver.answer = 410
    const since = new Date(clock.now).toISOString()
    await send(id)
    await waitFor(async () => (await webhook(id)).state === 'disabled', 'the endpoint to be disabled')
    expect(await webhook(id)).toMatchObject({ disabled_reason: 'gone', pending: 0 })
    expect((await send(id)).body.error.code).toBe('webhook_disabled')
    await ask('Can I return a jacket?')
    expect(await list()).toHaveLength(1)
    expect((await replayFailed({ since })).body.replayed).toBe(0)

    receiver.answer = 200
    expect((await change(id, { enabled: true })).body).toMatchObject({ state: 'active', disabled_reason: null })
    expect((await replayFailed({ since: new Date(clock.now + 1000).toISOString() })).body.replayed).toBe(0)
    expect((await replayFailed({ since, webhook_id: 'whk_other' })).body.replayed).toBe(0)
    expect((await replayFailed({ since, webhook_id: id })).body.replayed).toBe(1)
    await receiver.until(2)
  })

  test('five days of failure disable the endpoint and say so; failures far apart do not', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, webhook, logs, database } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 500
    await send(id)
    await tried(1, 'pending')
    // Nobody tried for a while, so this is a new row of failures.
    await pass(clock, 20 * 24 * HOUR)
    await tried(2, 'pending')
    // What is due is tried and recorded at the time on the clock, so that must not move on before.
    const isCalm = async () => {
      const waiting = await rows(database, `SELECT due_at, taken_by FROM deliveries WHERE state = 'pending'`)
      return waiting.every(({ due_at, taken_by }) => taken_by === null && Number(due_at) > clock.now)
    }
    for (let day = 1; day < 5; day++) {
      await pass(clock, 24 * HOUR)
      await send(id)
      await waitFor(isCalm, 'all that is due to be tried')
      expect([day, (await webhook(id)).state]).toEqual([day, 'failing'])
    }
    await pass(clock, 24 * HOUR)
    await send(id)
    await waitFor(async () => (await webhook(id)).state === 'disabled', 'the endpoint to be disabled')
    expect((await webhook(id)).disabled_reason).toBe('failing')
    await waitFor(() => logs().includes('webhook disabled'), 'the log to say so')
  })

  test('a late answer of the old address does not disable the new one', async () => {
    const { subscribe, test: send, receiver, webhook, change } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '5' })
    const { id } = await subscribe()
    const old = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = (response) => old.resolve(response)
    await send(id)
    const response = await old.promise
    const next = await startReceiver()
    await change(id, { url: next.url })
    response.writeHead(410).end()
    await send(id)
    await next.until(1)
    expect(await webhook(id)).toMatchObject({ url: next.url, disabled_at: null })
  })

  test('a rest that the old address asked for does not hold for the new one', async () => {
    const { subscribe, test: send, receiver, tried, change } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '600' }).end()
    await send(id)
    await tried(1, 'pending')
    const next = await startReceiver()
    await change(id, { url: next.url })
    await send(id)
    await next.until(1)
  })

  test('what arrived counts as delivered, even when the endpoint was switched off meanwhile', async () => {
    const { subscribe, test: send, receiver, change, tried } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '5' })
    const { id } = await subscribe()
    const under = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = (response) => under.resolve(response)
    await send(id)
    const response = await under.promise
    await change(id, { enabled: false })
    response.end()
    await tried(1, 'delivered')
  })

  test('a stop in the middle of an attempt is not held against the endpoint', async () => {
    const { subscribe, test: send, receiver, stop, database } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '30' })
    const { id } = await subscribe()
    receiver.answer = () => {}
    await send(id)
    await receiver.until(1)
    await stop()
    const [delivery] = await rows(database, 'SELECT state, attempts, taken_by FROM deliveries')
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0, taken_by: null })
    const [webhook] = await rows(database, 'SELECT failing_since FROM webhooks')
    expect(webhook?.failing_since).toBeNull()
  })

  test('an endpoint that asks for time gets it for all that waits', async () => {
    const { subscribe, ask, receiver, pass, clock, list } = await start(engine)
    await subscribe({ event_types: ['conversation.started'] })
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '600' }).end()
    await ask('hi')
    await waitFor(
      async () => (await list({ state: 'pending' })).some((one) => 'attempts' in one && one.attempts === 1),
      'it',
    )
    for (let turn = 0; turn < 5; turn++) await ask('hi')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(receiver.received).toHaveLength(1)
    receiver.answer = 200
    await pass(clock, 600_001)
    await receiver.until(7)
  })

  test('a hanging endpoint delays nobody else', async () => {
    const { subscribe, ask, receiver } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '30' })
    const quick = await startReceiver()
    receiver.answer = () => {}
    await subscribe()
    await subscribe({ url: quick.url })
    const begun = Date.now()
    for (let turn = 0; turn < 5; turn++) await ask('Can I return a jacket?')
    await quick.until(15)
    expect(Date.now() - begun).toBeLessThan(5000)
    expect(receiver.received.length).toBeLessThanOrEqual(4)
  })

  test('a mirror that hangs holds a few calls and delays neither turns nor other endpoints; the rest waits its turn', async () => {
    const { mirror, subscribe, ask, receiver, list } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '30' })
    const quick = await startReceiver()
    await mirror()
    await subscribe({ url: quick.url, event_types: ['conversation.started'] })
    const hanging: import('node:http').ServerResponse[] = []
    receiver.answer = (response) => void hanging.push(response)
    const begun = Date.now()
    for (let turn = 0; turn < 7; turn++) await ask('Can I return a jacket?')
    await quick.until(7)
    expect(Date.now() - begun).toBeLessThan(10_000)
    expect(receiver.received).toHaveLength(4)
    receiver.answer = 200
    for (const response of hanging) response.end()
    await receiver.until(7)
    const ids = receiver.received.map(({ json }) => json.id)
    expect(new Set(ids).size).toBe(7)
    await waitFor(async () => (await list({ state: 'pending' })).length === 0, 'all to be recorded')
  })

  test('a mirrored call is in the log as being sent until it has arrived', async () => {
    const { mirror, ask, receiver, list, tried, database } = await start(engine, { WEBHOOK_TIMEOUT_SECONDS: '30' })
    await mirror()
    const { promise: under, resolve } = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = resolve
    await ask('hi')
    const response = await under
    expect(await list()).toMatchObject([{ state: 'pending', attempts: 0, next_attempt_at: null }])
    expect((await rows(database, 'SELECT taken_by FROM deliveries'))[0]?.taken_by).not.toBeNull()
    response.end()
    await tried(1, 'delivered')
    expect((await rows(database, 'SELECT taken_by FROM deliveries'))[0]?.taken_by).toBeNull()
  })

  test('one that nobody listens to says so in the log', async () => {
    const { subscribe, test: send, change, tried, delivery } = await start(engine)
    const { id } = await subscribe()
    await change(id, { url: 'http://127.0.0.1:9/' })
    await send(id)
    const { id: deliveryId } = await tried(1, 'pending')
    expect((await delivery(deliveryId)).log[0]).toMatchObject({ status: null, error: 'The connection was refused.' })
  })

  test('goes with its endpoint when that is removed or switched off', async () => {
    const { call, bot, subscribe, test: send, receiver, tried, change, list } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = 500
    await send(id)
    await tried(1, 'pending')
    await change(id, { enabled: false })
    expect(await list({ state: 'pending' })).toEqual([])
    expect(await list({ webhook_id: id, event_type: 'webhook.test' })).toHaveLength(1)
    await call(`DELETE ${hooks}/{webhookId}`, { token: ADMIN_TOKEN, params: { botId: bot.botId, webhookId: id } })
    expect(await list()).toEqual([])
  })
})

// How the other side is called does not depend on the database.
describe('an endpoint that misbehaves', () => {
  const engine = 'sqlite'

  test('a redirect is a failure, and its target is never visited', async () => {
    const { subscribe, test: send, receiver, tried, delivery } = await start(engine)
    const target = await startReceiver()
    const { id } = await subscribe()
    receiver.answer = (response) => response.writeHead(307, { location: target.url }).end()
    await send(id)
    const { id: deliveryId } = await tried(1, 'pending')
    expect((await delivery(deliveryId)).log[0]).toMatchObject({
      status: 307,
      error: expect.stringContaining('Redirects are not followed'),
    })
    expect(target.received).toEqual([])
  })

  test.each([
    ['never answers', () => {}],
    [
      'answers a byte at a time',
      (response: import('node:http').ServerResponse) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('.'), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('an endpoint that %s is left after the time limit', async (_, answer) => {
    const { subscribe, test: send, receiver, tried, delivery } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = answer
    await send(id)
    const { id: deliveryId } = await tried(1, 'pending')
    const [attempt] = (await delivery(deliveryId)).log
    expect(attempt.error).toBe('No response within 1 seconds.')
    expect(attempt.duration_ms).toBeLessThan(1900)
  })

  test.each([
    ['endless', {}, Buffer.alloc(65_536, 'x')],
    ['a compressed bomb', { 'content-encoding': 'gzip' }, Buffer.alloc(65_536)],
  ])('an answer that is %s is read no further than 16 KiB', async (_, headers, chunk) => {
    const { subscribe, test: send, receiver, tried, delivery } = await start(engine)
    const { id } = await subscribe()
    let sent = 0
    receiver.answer = (response) => {
      response.writeHead(200, headers)
      const more = () => {
        while (!response.destroyed && sent < 500_000_000 && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', more)
      more()
    }
    await send(id)
    const { id: deliveryId } = await tried(1, 'delivered')
    expect((await delivery(deliveryId)).log[0].answer.length).toBeLessThanOrEqual(16 * 1024)
    expect(sent).toBeLessThan(50_000_000)
  })

  test('every hostile address is refused when a webhook or a mirror is saved', async () => {
    const { call, bot, subscribe, change } = await start(engine, { ALLOWED_PRIVATE_NETWORKS: '192.0.2.77' })
    const { id } = await subscribe({ url: 'https://1.1.1.1/' })
    const token = ADMIN_TOKEN
    const params = { ...bot }
    for (const url of [...hostileUrls, ...wrongUrls]) {
      const answers = [
        await call(`POST ${hooks}`, { token, params, body: { url } }),
        await change(id, { url }),
        await call('POST /api/manage/v1/bots/{botId}/keys', { token, params, body: { name: 'k', webhook_url: url } }),
        await call('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', { token, params, body: { webhook_url: url } }),
      ]
      const told = answers.map(({ status, body }) => [status, body.error?.code, body.error?.details?.[0]?.path])
      expect([url, ...told.map(([status]) => status)]).toEqual([url, 400, 400, 400, 400])
      expect(told.map(([, , path]) => path)).toEqual(['url', 'url', 'webhook_url', 'webhook_url'])
    }
  })

  test('a name that turns private after it was saved is not called', async () => {
    const names = await startNameServer()
    names.names.set('rebind.example', [['8.8.8.8'], ['127.0.0.1']])
    const {
      subscribe,
      test: send,
      receiver,
      tried,
      delivery,
    } = await start(engine, {
      ALLOWED_PRIVATE_NETWORKS: '192.0.2.77',
      DNS_SERVERS: names.address,
    })
    const port = new URL(receiver.url).port
    const { id } = await subscribe({ url: `http://rebind.example:${port}/` })
    await send(id)
    const { id: deliveryId } = await tried(1, 'pending')
    expect((await delivery(deliveryId)).log[0].error).toContain('not allowed')
    expect(receiver.received).toEqual([])
  })
})

test('a node that only answers requests wakes the worker of another node', async () => {
  const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' }
  const web = await startServer('postgres', { environment: { ...environment, SECRET_KEY, ROLE: 'web' } })
  const receiver = await startReceiver()
  const bot = await web.createBot({ webhookUrl: receiver.url })
  await web.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: 'hi' } })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.received).toEqual([])

  const worker = await startServer('postgres', {
    environment: { ...environment, SECRET_KEY, ROLE: 'worker' },
    database: web.database,
  })
  await receiver.until(4)
  await web.call('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: 'hi' } })
  await receiver.until(8)
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
  await receiver.until(320)
  const ids = receiver.received.map(({ json }) => json.id)
  expect([ids.length, new Set(ids).size]).toEqual([320, 320])
  await second.stop()
})

test('a body that is no JSON is mirrored as it came, cut and without credentials', async () => {
  const { call, mirror, receiver, bot } = await start('sqlite')
  await mirror()
  const send = (raw: string) => call('POST /api/v1/chat', { token: bot.key, raw })
  await send(`key=${bot.key}&message=hi`)
  await send('é'.repeat(20_000))
  await send('["hi"]')
  await send('visitor_token=dct_visitor_abc')
  const raws = (await receiver.until(4))
    .map(({ json }) => json.request.raw as string)
    .sort((a, b) => a.length - b.length)
  expect(raws.slice(0, 3)).toEqual(['["hi"]', 'key=dct_chat_…&message=hi', 'visitor_token=dct_visitor_…'])
  expect(Buffer.byteLength(raws[3] ?? '')).toBe(16 * 1024)
})

test('of calls beyond the quota, some of every minute are mirrored, the others counted into one event', async () => {
  const server = await startServer('sqlite', { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  const receiver = await startReceiver()
  const bot = await server.createBot({ dailyLimit: 0 })
  const { ask, mirror } = doing(server, bot, receiver)
  await mirror()
  for (let call = 0; call < 130; call++) await ask('hi')
  await receiver.until(120)
  server.clock.now += 60_000
  await ask('hi')
  const received = await receiver.until(122)
  const summaries = received.map(({ json }) => json).filter(({ suppressed }) => suppressed !== undefined)
  expect(summaries).toMatchObject([{ suppressed: 10, request: null, response: { status: 429 } }])
  // What is not told yet is told before the end.
  for (let call = 0; call < 125; call++) await ask('hi')
  await server.stop()
  const stored = await rows(server.database, 'SELECT payload FROM deliveries')
  expect(stored.filter(({ payload }) => JSON.parse(String(payload)).suppressed === 6)).toHaveLength(1)
})

test('calls that were only counted are told later when the database fails, with those counted meanwhile', async () => {
  let now = 0
  let isDown = false
  const written: MirroredCall[] = []
  const { mirror, flush } = createEndedCallMirror({
    deliveries: {
      async write([statement]) {
        await null
        if (isDown) throw new Error('the database is down')
        written.push(statement as never)
      },
    },
    mirrorCall: (call) => call as never,
    onEvents: () => {},
    clock: () => now,
  })
  const call = { key: { id: 'key', mirrorId: 'hook' }, status: 429 } as MirroredCall
  for (let count = 0; count < 130; count++) await mirror(call)
  now += 60_000
  isDown = true
  const failing = flush()
  // A new minute begins while the old one is being told.
  const rest = Array.from({ length: 123 }, () => mirror(call))
  await expect(failing).rejects.toThrow('down')
  await Promise.allSettled(rest)
  isDown = false
  now += 60_000
  await flush()
  expect(written.flatMap(({ suppressed }) => suppressed ?? [])).toEqual([13])
})
