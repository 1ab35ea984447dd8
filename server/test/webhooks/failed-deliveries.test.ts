// Failed deliveries, and protection against misbehaving endpoints.
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/days.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows, runStatement } from '../harness/database/rows.ts'
import { startDnsServer } from '../harness/external/dns-server.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { hostileUrls, unsupportedUrls } from '../harness/samples/hostile-urls.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { expectBelow, measureMs } from '../harness/timing.ts'
import { pause, waitFor } from '../harness/wait.ts'
import { hooks, start } from './webhook-bot.ts'

const HOUR = 3_600_000

describe.each(engines)('a failed delivery on %s', (engine) => {
  test('is retried after about 5 seconds, then about 5 minutes, with the same id, until it is accepted', async () => {
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

  test('is retried on time even if the clock was set back by a day or its worker has died', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, database } = await start(engine)
    // Twice the time for a call, and 5 seconds.
    const leaseMs = 125_000
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 500
    await send(id)
    await tried(1, 'pending')
    clock.now -= DAY_MS
    const due = async () => Number((await queryRows(database, 'SELECT due_at FROM deliveries'))[0]?.due_at) - clock.now
    await waitFor(async () => (await due()) <= 6000, 'the wait to be cut short')
    await runStatement(database, `UPDATE deliveries SET taken_by = 'gone', due_at = ${clock.now + leaseMs}`)
    receiver.answer = 204
    clock.now -= DAY_MS
    await waitFor(async () => (await due()) <= leaseMs, 'the lease to be cut short')
    await pass(clock, leaseMs + 1)
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

  test('is abandoned after the tenth attempt, stays in the log, and can be resent', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, delivery, replay, list } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 503
    await send(id)
    for (let attempts = 1; attempts < 10; attempts++) {
      const { next_attempt_at } = await tried(attempts, 'pending')
      await pass(clock, Date.parse(next_attempt_at) - clock.now)
    }
    const failedDelivery = await tried(10, 'failed')
    expect((await delivery(failedDelivery.id)).log).toHaveLength(10)
    expect(await list({ state: 'failed' })).toHaveLength(1)
    receiver.answer = 200
    expect((await replay(failedDelivery.id)).status).toBe(201)
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
    await receiver.waitForCount(2)
  })

  test('five days of failure disable the endpoint and say so; failures far apart do not', async () => {
    const { subscribe, test: send, receiver, clock, tried, pass, webhook, logs, database } = await start(engine)
    const { id } = await subscribe({ event_types: ['lead.created'] })
    receiver.answer = 500
    await send(id)
    await tried(1, 'pending')
    // There were no attempts for a while, so this is a new series of failures.
    await pass(clock, 20 * 24 * HOUR)
    await tried(2, 'pending')
    // What is due is tried and recorded at the time on the clock, so that must not move on before.
    const isCalm = async () => {
      const pendingDeliveries = await queryRows(
        database,
        `SELECT due_at, taken_by FROM deliveries WHERE state = 'pending'`,
      )
      return pendingDeliveries.every(({ due_at, taken_by }) => taken_by === null && Number(due_at) > clock.now)
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

  test('a late response of the old URL does not disable the new one', async () => {
    const { subscribe, test: send, receiver, webhook, change } = await start(engine)
    const { id } = await subscribe()
    const old = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = (response) => old.resolve(response)
    await send(id)
    const response = await old.promise
    const next = await startReceiver()
    await change(id, { url: next.url })
    response.writeHead(410).end()
    await send(id)
    await next.waitForCount(1)
    expect(await webhook(id)).toMatchObject({ url: next.url, disabled_at: null })
  })

  test('a pause requested by the old URL does not apply to the new one', async () => {
    const { subscribe, test: send, receiver, tried, change } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '600' }).end()
    await send(id)
    await tried(1, 'pending')
    const next = await startReceiver()
    await change(id, { url: next.url })
    await send(id)
    await next.waitForCount(1)
  })

  test('what arrived counts as delivered, even when the endpoint was switched off meanwhile', async () => {
    const { subscribe, test: send, receiver, change, tried } = await start(engine)
    const { id } = await subscribe()
    const heldResponse = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = (response) => heldResponse.resolve(response)
    await send(id)
    const response = await heldResponse.promise
    await change(id, { enabled: false })
    response.end()
    await tried(1, 'delivered')
  })

  test('an attempt interrupted by a server stop does not count as a failure', async () => {
    const { subscribe, test: send, receiver, stop, database } = await start(engine)
    const { id } = await subscribe()
    receiver.answer = () => {}
    await send(id)
    await receiver.waitForCount(1)
    await stop()
    const [delivery] = await queryRows(database, 'SELECT state, attempts, taken_by FROM deliveries')
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0, taken_by: null })
    const [webhook] = await queryRows(database, 'SELECT failing_since FROM webhooks')
    expect(webhook?.failing_since).toBeNull()
  })

  test('an endpoint that asks for a pause gets it for all pending deliveries', async () => {
    const { subscribe, ask, receiver, pass, clock, list } = await start(engine)
    await subscribe({ event_types: ['conversation.started'] })
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '600' }).end()
    await ask('hi')
    await waitFor(
      async () => (await list({ state: 'pending' })).some((one) => 'attempts' in one && one.attempts === 1),
      'it',
    )
    for (let turn = 0; turn < 5; turn++) await ask('hi')
    await pause(300)
    expect(receiver.received).toHaveLength(1)
    receiver.answer = 200
    await pass(clock, 600_001)
    await receiver.waitForCount(7)
  })

  test('a hanging endpoint delays nobody else', async () => {
    const { subscribe, ask, receiver } = await start(engine)
    const quick = await startReceiver()
    receiver.answer = () => {}
    await subscribe()
    await subscribe({ url: quick.url })
    const askFiveTimes = async (attempt: number) => {
      for (let turn = 0; turn < 5; turn++) await ask('Can I return a jacket?')
      await quick.waitForCount(15 * (attempt + 1))
    }
    await expectBelow(5000, (attempt) => measureMs(() => askFiveTimes(attempt)))
    expect(receiver.received.length).toBeLessThanOrEqual(4)
  })

  test('a mirror that hangs holds a few calls and delays neither turns nor other endpoints; the rest waits its turn', async () => {
    const { mirror, subscribe, ask, receiver, list } = await start(engine)
    const quick = await startReceiver()
    await mirror()
    await subscribe({ url: quick.url, event_types: ['conversation.started'] })
    const hanging: import('node:http').ServerResponse[] = []
    receiver.answer = (response) => void hanging.push(response)
    let turns = 0
    const askSevenTimes = async () => {
      for (let turn = 0; turn < 7; turn++, turns++) await ask('Can I return a jacket?')
      await quick.waitForCount(turns)
    }
    await expectBelow(10_000, () => measureMs(askSevenTimes))
    expect(receiver.received).toHaveLength(4)
    receiver.answer = 200
    for (const response of hanging) response.end()
    await receiver.waitForCount(turns)
    const ids = receiver.received.map(({ json }) => json.id)
    expect(new Set(ids).size).toBe(turns)
    await waitFor(async () => (await list({ state: 'pending' })).length === 0, 'all to be recorded')
  })

  test('a mirrored call is in the log as being sent until it has arrived', async () => {
    const { mirror, ask, receiver, list, tried, database } = await start(engine)
    await mirror()
    const { promise: heldResponse, resolve } = Promise.withResolvers<import('node:http').ServerResponse>()
    receiver.answer = resolve
    await ask('hi')
    const response = await heldResponse
    expect(await list()).toMatchObject([{ state: 'pending', attempts: 0, next_attempt_at: null }])
    expect((await queryRows(database, 'SELECT taken_by FROM deliveries'))[0]?.taken_by).not.toBeNull()
    response.end()
    await tried(1, 'delivered')
    expect((await queryRows(database, 'SELECT taken_by FROM deliveries'))[0]?.taken_by).toBeNull()
  })

  test('to a closed port is reported as such in the log', async () => {
    const { subscribe, test: send, change, tried, delivery } = await start(engine)
    const { id } = await subscribe()
    await change(id, { url: 'http://127.0.0.1:9/' })
    await send(id)
    const { id: deliveryId } = await tried(1, 'pending')
    expect((await delivery(deliveryId)).log[0]).toMatchObject({ status: null, error: 'The connection was refused.' })
  })

  test('is cancelled when its endpoint is removed or disabled', async () => {
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
    const environment = { WEBHOOK_TIMEOUT_SECONDS: '1' }
    const { subscribe, test: send, receiver, tried, delivery } = await start(engine, environment)
    receiver.answer = answer
    await expectBelow(1900, async () => {
      const { id } = await subscribe()
      await send(id)
      const { id: deliveryId } = await tried(1, 'pending')
      const [attempt] = (await delivery(deliveryId)).log
      expect(attempt.error).toBe('No response within 1 seconds.')
      return attempt.duration_ms
    })
  })

  test.each([
    ['endless', {}, Buffer.alloc(65_536, 'x')],
    ['a compressed bomb', { 'content-encoding': 'gzip' }, Buffer.alloc(65_536)],
  ])('an answer that is %s is read no further than 16 KiB', async (_, headers, chunk) => {
    const { subscribe, test: send, receiver, tried, delivery } = await start(engine)
    const { id } = await subscribe()
    let sentBytes = 0
    receiver.answer = (response) => {
      response.writeHead(200, headers)
      const more = () => {
        while (!response.destroyed && sentBytes < 500_000_000 && response.write(chunk)) sentBytes += chunk.length
      }
      response.on('drain', more)
      more()
    }
    await send(id)
    const { id: deliveryId } = await tried(1, 'delivered')
    expect((await delivery(deliveryId)).log[0].answer.length).toBeLessThanOrEqual(16 * 1024)
    expect(sentBytes).toBeLessThan(50_000_000)
  })

  test('every hostile URL is refused when a webhook or a mirror is saved', async () => {
    const { call, bot, subscribe, change } = await start(engine, { ALLOWED_PRIVATE_NETWORKS: '192.0.2.77' })
    const { id } = await subscribe({ url: 'https://1.1.1.1/' })
    const token = ADMIN_TOKEN
    const params = { ...bot }
    for (const url of [...hostileUrls, ...unsupportedUrls]) {
      const responses = [
        await call(`POST ${hooks}`, { token, params, body: { url } }),
        await change(id, { url }),
        await call('POST /api/manage/v1/bots/{botId}/keys', { token, params, body: { name: 'k', webhook_url: url } }),
        await call('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', { token, params, body: { webhook_url: url } }),
      ]
      const outcomes = responses.map(({ status, body }) => [status, body.error?.code, body.error?.details?.[0]?.path])
      expect([url, ...outcomes.map(([status]) => status)]).toEqual([url, 400, 400, 400, 400])
      expect(outcomes.map(([, , path]) => path)).toEqual(['url', 'url', 'webhook_url', 'webhook_url'])
    }
  })

  test('a host that resolves to a private address after saving is not called', async () => {
    const names = await startDnsServer()
    names.addresses.set('rebind.example', [['8.8.8.8'], ['127.0.0.1']])
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
