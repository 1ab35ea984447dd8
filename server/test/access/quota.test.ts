// The daily quota: exact under concurrency, on one process, two nodes and two real processes.

import { Agent, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Engine, engines, type TestDatabase } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { createTestDatabase, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, startServer } from '../harness/start-server.ts'
import { createKey } from '../harness/tenants.ts'
import { pause } from '../harness/wait.ts'

const CHAT = 'POST /api/v1/chat'
const DAY_MS = 86_400_000
const LIMIT = 1000
const CALLS = 3000
const CONNECTIONS = 64

async function withKey(engine: Engine, options: { dailyLimit?: number } = {}) {
  const server = await startServer(engine)
  const bot = await server.createBot(options)
  const ask = (more: object = {}) =>
    server.call(CHAT, { token: bot.key, body: { bot_id: bot.botId, message: 'Hello' }, ...more })
  return { ...server, ...bot, ask }
}

describe.each(engines)('the daily quota on %s', (engine) => {
  test('every response states the limit, what is left and when the day ends', async () => {
    const { ask, clock } = await withKey(engine)
    clock.now = Date.UTC(2026, 10, 15, 23, 59, 30)
    for (const remaining of [999, 998]) {
      const { status, headers } = await ask()
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'ratelimit-policy': '"daily";q=1000;w=86400',
        ratelimit: `"daily";r=${remaining};t=30`,
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Date.UTC(2026, 10, 16) / 1000),
      })
      expect(headers).not.toHaveProperty('retry-after')
    }
  })

  test('a call over the limit is refused with a retry time, does not count and runs no bot', async () => {
    const { ask, call, clock, botId, keyId, database } = await withKey(engine, { dailyLimit: 2 })
    await ask()
    await ask()
    clock.now += 1500
    for (let attempt = 0; attempt < 3; attempt++) {
      const { status, headers, body } = await ask()
      expect([status, body.error.code]).toEqual([429, 'daily_quota_exceeded'])
      const secondsLeft = Math.ceil((Date.UTC(2026, 10, 16) - clock.now) / 1000)
      expect(headers).toMatchObject({
        'retry-after': String(secondsLeft),
        'ratelimit-policy': '"daily";q=2;w=86400',
        ratelimit: `"daily";r=0;t=${secondsLeft}`,
        'x-ratelimit-remaining': '0',
      })
    }
    expect(await countRows(database, 'conversations')).toBe(2)
    const params = { botId, keyId }
    const key = await call('GET /api/manage/v1/bots/{botId}/keys/{keyId}', { token: ADMIN_TOKEN, params })
    expect(key.body.calls_today).toBe(2)
  })

  test('every call with a valid key counts, whatever its outcome', async () => {
    const { ask, botId } = await withKey(engine)
    const message = { bot_id: botId, message: 'Hello' }
    const calls: [number, object][] = [
      [400, { body: {} }],
      [400, { raw: '{"bot_id":' }],
      [404, { body: { ...message, bot_id: 'bot_unknown' } }],
      [404, { body: { ...message, session_id: 'ses_unknown' } }],
      [406, { headers: { accept: 'text/html' } }],
      [413, { body: { ...message, padding: 'x'.repeat(257 * 1024) } }],
      [415, { headers: { 'content-type': 'text/plain' } }],
      [200, { headers: { 'idempotency-key': 'once' } }],
      [200, { headers: { 'idempotency-key': 'once' } }],
    ]
    for (const [index, [status, more]] of calls.entries()) {
      const response = await ask(more)
      expect([index, response.status]).toEqual([index, status])
      expect(response.headers['x-ratelimit-remaining']).toBe(String(999 - index))
    }
  })

  test('the next UTC day starts at zero, to the millisecond', async () => {
    const { ask, clock } = await withKey(engine, { dailyLimit: 1 })
    expect((await ask()).status).toBe(200)
    clock.now = Date.UTC(2026, 10, 16) - 1
    const last = await ask()
    expect([last.status, last.headers['retry-after']]).toEqual([429, '1'])
    clock.now++
    const first = await ask()
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, '0'])
    expect(first.headers.ratelimit).toBe('"daily";r=0;t=86400')
  })

  test('setting the clock back by a day and forward again does not grant a second quota', async () => {
    const { clock, ask } = await withKey(engine, { dailyLimit: 2 })
    const statuses = async () => [(await ask()).status, (await ask()).status, (await ask()).status]
    expect(await statuses()).toEqual([200, 200, 429])
    clock.now -= DAY_MS
    expect(await statuses()).toEqual([200, 200, 429])
    clock.now += DAY_MS
    expect(await statuses()).toEqual([429, 429, 429])
  })

  test('a workspace’s limit applies to its keys unless they have their own, both from the next call on', async () => {
    const { ask, call, workspaceId, botId, keyId } = await withKey(engine)
    const limitOf = async () => (await ask()).headers['x-ratelimit-limit']
    const limitWorkspace = (daily_limit: number | null) =>
      call('PATCH /api/manage/v1/workspaces/{workspaceId}', {
        token: ADMIN_TOKEN,
        params: { workspaceId },
        body: { daily_limit },
      })
    const limitKey = (daily_limit: number | null) =>
      call('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', {
        token: ADMIN_TOKEN,
        params: { botId, keyId },
        body: { daily_limit },
      })
    expect(await limitOf()).toBe('1000')
    await limitWorkspace(7)
    expect(await limitOf()).toBe('7')
    await limitKey(3)
    const third = await ask()
    expect([third.status, third.headers['x-ratelimit-remaining']]).toEqual([200, '0'])
    expect((await ask()).status).toBe(429)
    await limitKey(null)
    expect((await ask()).status).toBe(200)
    await limitWorkspace(0)
    expect((await ask()).status).toBe(429)
    await limitWorkspace(null)
    expect(await limitOf()).toBe('1000')
  })

  test('each key has a quota of its own', async () => {
    const { ask, call, botId } = await withKey(engine, { dailyLimit: 1 })
    await ask()
    expect((await ask()).status).toBe(429)
    const params = { botId }
    const otherKey = await call('POST /api/manage/v1/bots/{botId}/keys', {
      token: ADMIN_TOKEN,
      params,
      body: { name: 'other' },
    })
    expect((await ask({ token: otherKey.body.key })).headers['x-ratelimit-remaining']).toBe('999')
  })
})

describe('3,000 parallel calls on one key admit exactly 1,000', () => {
  test('on SQLite with one process', async () => {
    const { baseUrl, database, key, botId } = await withKey('sqlite')
    await expectExactlyTheLimit([baseUrl], database, key, botId)
  })

  test('on PostgreSQL with two nodes', async () => {
    const { baseUrl, database, key, botId } = await withKey('postgres')
    const otherServer = await startServer('postgres', { database })
    await expectExactlyTheLimit([baseUrl, otherServer.baseUrl], database, key, botId)
  })

  test('on PostgreSQL with two processes', async () => {
    await waitPastMidnight()
    const database = await createTestDatabase('postgres')
    const [firstNode, secondNode] = await Promise.all([startProcess({ database }), startProcess({ database })])
    const { key, botId } = await botCreator(firstNode.call)()
    await expectExactlyTheLimit([firstNode.baseUrl, secondNode.baseUrl], database, key, botId)
  })
})

async function expectExactlyTheLimit(baseUrls: string[], database: TestDatabase, key: string, botId: string) {
  const responses = await burst(baseUrls, key, JSON.stringify({ bot_id: botId, message: 'Hello' }))
  const successes = responses.filter(({ status }) => status === 200)
  const refusals = responses.filter(({ status }) => status === 429)
  expect([successes.length, refusals.length]).toEqual([LIMIT, CALLS - LIMIT])

  const remaining = successes.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b)
  expect(remaining).toEqual(Array.from({ length: LIMIT }, (_, index) => index))
  for (const { headers } of responses) {
    const [, r, t] = /^"daily";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? []
    expect(r).toBe(headers['x-ratelimit-remaining'])
    expect(Number(t)).toBeGreaterThan(0)
    expect(Number(headers['x-ratelimit-reset']) % (DAY_MS / 1000)).toBe(0)
  }
  for (const { headers } of refusals) {
    expect(headers['x-ratelimit-remaining']).toBe('0')
    expect(headers.ratelimit).toBe(`"daily";r=0;t=${headers['retry-after']}`)
  }
  expect(await countRows(database, 'conversations')).toBe(LIMIT)
}

interface BriefResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
}

/** Sends all calls over a few connections, spread over the nodes. */
async function burst(baseUrls: string[], key: string, body: string): Promise<BriefResponse[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const responses = Array.from({ length: CALLS }, (_, index) =>
    post(agent, `${baseUrls[index % baseUrls.length]}/api/v1/chat`, key, body),
  )
  try {
    return await Promise.all(responses)
  } finally {
    agent.destroy()
  }
}

function post(agent: Agent, url: string, key: string, body: string): Promise<BriefResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Real processes use the real clock, and a run across midnight would admit twice as many. */
async function waitPastMidnight() {
  const msLeft = DAY_MS - (Date.now() % DAY_MS)
  if (msLeft < 90_000) await pause(msLeft)
}

describe.each(engines)('the limits beyond the key, on %s', (engine) => {
  test('a workspace may have a limit over all keys and bots, exact under concurrency; a call over it counts nowhere', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId, workspaceId, key, keyId } = await createBot()
    const token = ADMIN_TOKEN
    const route = 'PATCH /api/manage/v1/workspaces/{workspaceId}'
    const response = await call(route, { token, params: { workspaceId }, body: { total_daily_limit: 30 } })
    expect(response.body).toMatchObject({ daily_limit: null, total_daily_limit: 30 })
    const otherBot = await call('POST /api/manage/v1/bots', {
      token,
      body: { name: 'Other', workspace_id: workspaceId },
    })
    const otherId: string = otherBot.body.id
    const keys = await Promise.all([createKey(call, botId, token), createKey(call, otherId, token)])
    const callers = [
      { token: key, bot_id: botId },
      { token: keys[0].key, bot_id: botId },
      { token: keys[1].key, bot_id: otherId },
    ]
    const ask = (n: number) => {
      const { token: keyText, bot_id } = callers[n % 3] as (typeof callers)[number]
      return call(CHAT, { token: keyText, body: { bot_id, message: 'Hello' } })
    }
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)))
    const refusals = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(refusals).toHaveLength(30)
    for (const { body, headers } of refusals) {
      expect(body.error).toMatchObject({ code: 'daily_quota_exceeded', message: expect.stringContaining('workspace') })
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    const lists = await Promise.all(
      [botId, otherId].map((id) => call('GET /api/manage/v1/bots/{botId}/keys', { token, params: { botId: id } })),
    )
    const counts = lists.flatMap(({ body }) =>
      body.items.map(({ calls_today }: { calls_today: number }) => calls_today),
    )
    expect(counts.reduce((sum, calls) => sum + calls, 0)).toBe(30)
    await call(route, { token, params: { workspaceId }, body: { total_daily_limit: null } })
    expect((await ask(0)).status).toBe(200)
    expect(keyId).toBeDefined()
  })

  test('a bot has at most 50 valid keys, however they are made; revoked and expired ones do not count', async () => {
    const { call, createBot, clock } = await startServer(engine)
    const { botId, keyId } = await createBot()
    const token = ADMIN_TOKEN
    const keys = '/api/manage/v1/bots/{botId}/keys'
    const create = (body: object = {}) =>
      call(`POST ${keys}`, { token, params: { botId }, body: { name: 'more', ...body } })
    const expires_at = new Date(clock.now + 3_600_000).toISOString()
    const responses = await Promise.all(Array.from({ length: 55 }, (_, n) => create(n === 0 ? { expires_at } : {})))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(49)
    const refusal = responses.find(({ status }) => status !== 201)
    expect([refusal?.status, refusal?.body.error.code]).toEqual([409, 'too_many_keys'])
    const rotate = (overlap: string) =>
      call(`POST ${keys}/{keyId}/rotate`, { token, params: { botId, keyId }, body: { overlap } })
    expect((await rotate('24h')).body.error.code).toBe('too_many_keys')
    expect((await rotate('0')).status).toBe(201)
    expect((await create()).status).toBe(409)
    clock.now += 3_600_001
    expect((await create()).status).toBe(responses[0]?.status === 201 ? 201 : 409)
  })
})
