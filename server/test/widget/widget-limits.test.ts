// Rate limits per visitor, IP address and session, and the cost of refusing.
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { type ServerOptions, startServer, type TestServer } from '../harness/start-server.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'

const MESSAGE = 'POST /api/chat/{botId}/message'

async function withBot(engine: (typeof engines)[number], options: ServerOptions = {}) {
  const server = await startServer(engine, options)
  const { botId } = await server.createBot({ plan: 'free' })
  return { ...server, botId, visitor: () => createVisitor(server.call, botId) }
}

describe.each(engines)('limits on %s', (engine) => {
  const refusal = { status: 429, code: 'rate_limited' }
  const told = ({ status, body }: { status: number; body: { error?: { code: string } } }) => ({
    status,
    code: body.error?.code,
  })

  test('of a session apply only to it', async () => {
    const { visitor } = await withBot(engine, { environment: { WIDGET_MESSAGES_PER_MINUTE: '2' } })
    const [ada, bob] = [visitor(), visitor()]
    for (const text of ['one', 'two']) expect((await ada.say(text, { session_id: 'ada' })).status).toBe(200)
    const response = await ada.say('three', { session_id: 'ada' })
    expect(told(response)).toEqual(refusal)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect((await bob.say('one', { session_id: 'bob' })).status).toBe(200)
  })

  test('of an IP address apply per bot, and end with their minute', async () => {
    const { call, createBot, botId, clock } = await withBot(engine, {
      environment: { WIDGET_REQUESTS_PER_MINUTE: '2' },
    })
    const otherBot = await createBot()
    const say = (id: string) => call(MESSAGE, { params: { botId: id }, body: { message: 'Hello' } })
    await say(botId)
    await say(botId)
    expect(told(await say(botId))).toEqual(refusal)
    expect((await say(otherBot.botId)).status).toBe(200)
    clock.now += 61_000
    expect((await say(botId)).status).toBe(200)
  })

  test('of an IP address hold over all bots together: for messages, reading, files and open streams', async () => {
    const environment = {
      WIDGET_REQUESTS_PER_MINUTE: '3',
      WIDGET_BOTS_PER_ADDRESS: '2',
      WIDGET_SESSIONS_PER_HOUR: '5',
      WIDGET_STREAMS_PER_ADDRESS: '1',
      DOWNLOADS_PER_MINUTE: '2',
    }
    const { call, createBot, botId, adminToken: token, baseUrl, clock } = await withBot(engine, { environment })
    const others = [await createBot(), await createBot(), await createBot()].map((bot) => bot.botId)
    const visitors = [botId, ...others].map((id) => createVisitor(call, id))
    const statuses: number[] = []
    // Two per bot, so that none has used up its own limit.
    for (const visitor of visitors) for (const text of ['one', 'two']) statuses.push((await visitor.say(text)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])

    const open = (n: number) =>
      openStream(`${baseUrl}/api/chat/${[botId, ...others][n]}/events`, {
        'x-visitor-token': visitors[n]?.token() ?? '',
      })
    expect([(await open(0)).status, (await open(1)).status, (await open(2)).status]).toEqual([200, 200, 429])

    clock.now += 61_000
    const reads = async (visitor: (typeof visitors)[number]) => (await visitor.history()).status
    for (const visitor of visitors.slice(0, 2)) for (let n = 0; n < 15; n++) expect(await reads(visitor)).toBe(200)
    expect(await reads(visitors[2] as (typeof visitors)[number])).toBe(429)

    const content = (id: string) =>
      call('GET /api/manage/v1/bots/{botId}/files/{fileId}/content', { token, params: { botId: id, fileId: 'none' } })
    const responses = [await content(botId), await content(others[0] ?? ''), await content(others[1] ?? '')]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 429])
    clock.now += 61_000
    expect((await content(botId)).status).toBe(404)
  })

  test('of downloads do not count the pages of an inbox, which a team reads all the time', async () => {
    const { call, botId, adminToken: token } = await withBot(engine, { environment: { DOWNLOADS_PER_MINUTE: '2' } })
    const statuses = async (route: string, query: Record<string, string>) => {
      const all: number[] = []
      for (let n = 0; n < 3; n++) all.push((await call(route, { token, params: { botId }, query })).status)
      return all
    }
    expect(await statuses('GET /api/manage/v1/bots/{botId}/conversations', {})).toEqual([200, 200, 200])
    expect(await statuses('GET /api/manage/v1/bots/{botId}/leads', {})).toEqual([200, 200, 200])
    expect(await statuses('GET /api/manage/v1/bots/{botId}/leads', { format: 'csv' })).toEqual([200, 200, 429])
    expect(await statuses('GET /api/manage/v1/bots/{botId}/answers/export', {})).toEqual([429, 429, 429])
  })

  test('neither block for long nor lapse when the clock is set back by a day', async () => {
    const { call, botId, clock } = await withBot(engine, { environment: { WIDGET_REQUESTS_PER_MINUTE: '2' } })
    const say = async () => (await call(MESSAGE, { params: { botId }, body: { message: 'Hello' } })).status
    for (const status of [200, 200, 429, 429]) expect(await say()).toBe(status)
    clock.now -= 86_400_000
    for (const status of [200, 200, 429, 429]) expect(await say()).toBe(status)
    clock.now += 61_000
    expect(await say()).toBe(200)
  })

  test('on new sessions apply per IP address, and do not affect existing ones', async () => {
    const { visitor } = await withBot(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1' } })
    const ada = visitor()
    await ada.say('one')
    expect(told(await visitor().say('one'))).toEqual(refusal)
    expect((await ada.say('two')).status).toBe(200)
  })

  test('take a forwarded address from trusted proxies only', async () => {
    const oneRequest = { WIDGET_REQUESTS_PER_MINUTE: '1' }
    const say = ({ call }: TestServer, botId: string, address: string) =>
      call(MESSAGE, { params: { botId }, body: { message: 'Hello' }, headers: { 'x-forwarded-for': address } })
    const openServer = await withBot(engine, { environment: oneRequest })
    await say(openServer, openServer.botId, '203.0.113.1')
    expect((await say(openServer, openServer.botId, '203.0.113.2')).status).toBe(429)
    const proxiedServer = await withBot(engine, { environment: { ...oneRequest, TRUSTED_PROXIES: '127.0.0.0/8' } })
    await say(proxiedServer, proxiedServer.botId, '203.0.113.1')
    expect((await say(proxiedServer, proxiedServer.botId, '203.0.113.2')).status).toBe(200)
    expect((await say(proxiedServer, proxiedServer.botId, '198.51.100.9, 203.0.113.2')).status).toBe(429)
    // A provider's customer has a whole network of them.
    expect((await say(proxiedServer, proxiedServer.botId, '2001:db8:1:2::1')).status).toBe(200)
    expect((await say(proxiedServer, proxiedServer.botId, '2001:db8:1:2::99')).status).toBe(429)
  })
})

test('limits are counted by all nodes together', async () => {
  const environment = { WIDGET_MESSAGES_PER_MINUTE: '3' }
  const one = await withBot('postgres', { environment })
  const two = await startServer('postgres', { environment, database: one.database })
  const say = ({ call }: TestServer) =>
    call(MESSAGE, { params: { botId: one.botId }, body: { session_id: 'shared', message: 'Hello' } })
  for (const node of [one, two, one]) expect((await say(node)).status).toBe(200)
  expect((await say(two)).status).toBe(429)
})

test('of several limits, only those before the one that refuses are counted, by all nodes together', async () => {
  const environment = { WIDGET_REQUESTS_PER_MINUTE: '2', WIDGET_BOTS_PER_ADDRESS: '2' }
  const first = await withBot('postgres', { environment })
  const second = await startServer('postgres', { environment, database: first.database })
  const otherBot = await first.createBot({ plan: 'free' })
  const say = async ({ call }: Pick<TestServer, 'call'>, botId: string) =>
    (await call(MESSAGE, { params: { botId }, body: { message: 'Hello' } })).status
  expect([await say(first, first.botId), await say(first, first.botId)]).toEqual([200, 200])
  // The second node has not counted any of this bot's calls itself.
  expect(await say(second, first.botId)).toBe(429)
  expect([await say(first, otherBot.botId), await say(second, otherBot.botId)]).toEqual([200, 200])
})

test('calls admitted by other nodes are read from the database once, then refused without it', async () => {
  const environment = { WIDGET_REQUESTS_PER_MINUTE: '2' }
  const one = await withBot('postgres', { environment })
  const two = await startServer('postgres', { environment, database: one.database })
  const say = ({ call }: TestServer) => call(MESSAGE, { params: { botId: one.botId }, body: { message: 'Hello' } })
  for (const node of [one, one]) expect((await say(node)).status).toBe(200)
  expect((await say(two)).status).toBe(429)
  await queryRows(one.database, 'DELETE FROM throttles')
  expect((await say(two)).status).toBe(429)
})

describe('a caller who has used up the minute', () => {
  const environment = { WIDGET_REQUESTS_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.0/8' }

  test('gets the same error each time, with its own id and remaining time, and without a log line', async () => {
    const { call, botId, clock, logs } = await withBot('sqlite', { environment })
    const say = (headers: Record<string, string> = {}) =>
      call(MESSAGE, { params: { botId }, body: { message: 'Hello' }, headers })
    await say()
    await say()
    const first = await say()
    const lines = logs().length
    clock.now += 20_000
    const second = await say()
    expect(logs().length).toBe(lines)
    expect([first.headers['retry-after'], second.headers['retry-after']]).toEqual(['60', '40'])
    const ids = [first, second].map(({ headers, body }) => {
      expect(body.error.request_id).toBe(headers['x-request-id'])
      return headers['x-request-id']
    })
    expect(ids[0]).not.toBe(ids[1])
    const alike = ({ status, headers, body }: typeof first) => ({
      status,
      code: body.error.code,
      message: body.error.message,
      names: Object.keys(headers).sort(),
      cors: headers['access-control-allow-origin'],
    })
    expect(alike(second)).toEqual(alike(first))
    const { text: figures } = await call('GET /metrics')
    expect(figures).toContain('docent_requests_total{route="POST /api/chat/{botId}/message",status="429"} 2')
    // Other addresses are not affected, and the minute ends.
    expect((await say({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
    clock.now += 41_000
    expect((await say()).status).toBe(200)
  })

  test('has counted broken bodies too, and no body is read to refuse one', async () => {
    const { call, baseUrl, botId } = await withBot('sqlite', { environment })
    for (const body of ['{', '[]']) {
      const response = await call(MESSAGE, { params: { botId }, raw: body })
      expect(response.status).toBe(400)
    }
    for (let attempt = 0; attempt < 2; attempt++) {
      const head = `POST /api/chat/${botId}/message HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
      // Announced and never sent.
      expect(await firstLine(baseUrl, `${head}content-length: 9\r\n\r\n`)).toBe('HTTP/1.1 429 Too Many Requests')
    }
  })

  test('still gets the usual responses for other bots, origins and routes', async () => {
    const server = await withBot('sqlite', { environment })
    const { call, botId, createBot } = server
    const allowed_origins = ['https://shop.test']
    const token = server.adminToken
    await call('PATCH /api/manage/v1/bots/{botId}', { token, params: { botId }, body: { allowed_origins } })
    const say = (origin: string, id = botId) =>
      call(MESSAGE, { params: { botId: id }, body: { message: 'Hello' }, headers: { origin } })
    for (let count = 0; count < 2; count++) await say('https://shop.test')
    for (let count = 0; count < 2; count++) {
      const response = await say('https://shop.test')
      expect([response.status, response.headers['access-control-allow-origin']]).toEqual([429, 'https://shop.test'])
      const foreign = await say('https://evil.test')
      expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, 'https://evil.test'])
    }
    expect((await call('GET /api/chat/{botId}/config', { params: { botId } })).status).toBe(200)
    expect((await say('https://shop.test', (await createBot()).botId)).status).toBe(200)
  })
})

function firstLine(baseUrl: string, request: string): Promise<string> {
  return new Promise((done, reject) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => socket.write(request))
    socket.once('error', reject).once('data', (data) => {
      socket.destroy()
      done(String(data).split('\r\n')[0] ?? '')
    })
  })
}
