import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type ChatEvent,
  createClient,
  DocentConnectionError,
  DocentError,
  DocentTimeoutError,
  type InboxEvent,
} from '@docent/sdk'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'

const documents = [
  { id: 'returns', title: 'Returns', text: 'You can send goods back within 30 days. 📦 Ärger gibt es nicht.' },
]

async function withBot() {
  const server = await startServer('sqlite')
  const bot = await server.createBot({ documents })
  return {
    ...bot,
    baseUrl: server.baseUrl,
    owner: createClient({ baseUrl: `${server.baseUrl}/`, token: ADMIN_TOKEN }),
    caller: createClient({ baseUrl: server.baseUrl, token: bot.key }),
  }
}

async function failure(promise: Promise<unknown>): Promise<DocentError> {
  const error: unknown = await promise.catch((reason: unknown) => reason)
  if (error instanceof DocentError) return error
  throw new Error('it did not fail as a DocentError', { cause: error })
}

async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('a request', () => {
  test('fills in the path, sends query and body, and gives the typed answer', async () => {
    const { owner, botId } = await withBot()
    const newKey = await owner.request('POST /api/manage/v1/bots/{botId}/keys', {
      params: { botId },
      body: { name: 'two' },
    })
    expectTypeOf(newKey.key).toBeString()
    expect(newKey.key).toMatch(/^dct_chat_/)
    const page = await owner.request('GET /api/manage/v1/bots/{botId}/keys', { params: { botId }, query: { limit: 1 } })
    expectTypeOf(page.next_cursor).toEqualTypeOf<string | null>()
    expect(page.items).toHaveLength(1)
    expect(page.next_cursor).not.toBeNull()
  })

  test('takes ids with any character as one part of the path', async () => {
    const { owner, botId } = await withBot()
    const id = 'a:b=c;ü%20&+'
    const report = await owner.request('POST /api/manage/v1/bots/{botId}/documents', {
      params: { botId },
      body: { documents: [{ id, title: 'Odd', text: 'Odd names are names too.' }] },
    })
    expect(report.errors).toEqual([])
    const route = '/api/manage/v1/bots/{botId}/documents/{documentId}'
    const document = await owner.request(`GET ${route}`, { params: { botId, documentId: id } })
    expect(document.title).toBe('Odd')
    expect(await owner.request(`DELETE ${route}`, { params: { botId, documentId: id } })).toBeUndefined()
  })

  test('gives text for an answer that is text, and needs no options where the route needs none', async () => {
    const { owner } = await withBot()
    expect(await owner.request('GET /metrics')).toContain('process_start_time_seconds')
    expect((await owner.request('GET /livez')).status).toBe('alive')
  })

  test('takes a response without content, also as Chromium makes it, with an empty body', async () => {
    const empty = Object.defineProperty(new Response(null, { status: 204 }), 'body', { value: new ReadableStream() })
    const client = createClient({ baseUrl: 'http://docent.test', fetch: async () => empty })
    const params = { botId: 'bot_1' }
    expect(await client.request('DELETE /api/manage/v1/bots/{botId}', { params })).toBeUndefined()
  })

  test('does not compile with parts that are missing, wrong or too many', async () => {
    const { owner } = await withBot()
    const wrong = () => [
      // @ts-expect-error the bot is missing
      owner.request('GET /api/manage/v1/bots/{botId}'),
      // @ts-expect-error the name is missing
      owner.request('POST /api/manage/v1/bots/{botId}/keys', { params: { botId: 'b' }, body: {} }),
      // @ts-expect-error this route takes no body
      owner.request('GET /livez', { body: {} }),
      // @ts-expect-error there is no such route
      owner.request('GET /nowhere'),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})

describe('a failure', () => {
  test('is a DocentError with code, sentence, request id and one detail per field', async () => {
    const { caller, botId } = await withBot()
    const error = await failure(caller.chat({ bot_id: botId, message: '' }))
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', retryAfter: undefined })
    expect(error.details).toEqual([{ path: 'message', message: expect.any(String) }])
    expect(error.requestId).toMatch(/^req_/)
    expect(error.message).not.toBe('')
  })

  test('of the quota says when to come back', async () => {
    const { owner, baseUrl, botId } = await withBot()
    const { key } = await owner.request('POST /api/manage/v1/bots/{botId}/keys', {
      params: { botId },
      body: { name: 'none', daily_limit: 0 },
    })
    const error = await failure(createClient({ baseUrl, token: key }).chat({ bot_id: botId, message: 'Hi' }))
    expect(error).toMatchObject({ status: 429, code: 'daily_quota_exceeded' })
    expect(error.retryAfter).toBeGreaterThan(0)
  })

  test('that does not come from the service is reported as such', async () => {
    const broken = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const client = createClient({ baseUrl: 'http://docent.test', fetch: broken })
    expect(await failure(client.request('GET /livez'))).toMatchObject({ status: 502, code: 'unexpected_answer' })
  })
})

describe('the chat', () => {
  test('answers, goes on with its session, and repeats an idempotent call', async () => {
    const { caller, botId } = await withBot()
    const first = await caller.chat({ bot_id: botId, message: 'Can I send goods back?' })
    expect(first.response).toContain('30 days')
    const next = { bot_id: botId, message: 'Within how many days?', session_id: first.session_id }
    const headers = { 'idempotency-key': 'once' }
    const second = await caller.chat(next, { headers })
    expect(second.session_id).toBe(first.session_id)
    expect(await caller.chat(next, { headers })).toEqual(second)
  })

  test('streamed: start, deltas that join to the answer, done', async () => {
    const { caller, botId } = await withBot()
    const events = await collect(caller.chatStream({ bot_id: botId, message: 'Can I send goods back?' }))
    const lastEvent = events.at(-1)
    if (lastEvent?.type !== 'done') throw new Error('the last event is not done')
    expect(events[0]).toMatchObject({
      type: 'start',
      session_id: lastEvent.session_id,
      message_id: lastEvent.message_id,
    })
    expect(events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(lastEvent.response)
    expect(lastEvent.answered).toBe(true)
  })

  test('streamed: a refusal is thrown before the first event', async () => {
    const { caller } = await withBot()
    const error = await failure(collect(caller.chatStream({ bot_id: 'bot_other', message: 'Hi' })))
    expect(error.code).toBe('bot_not_found')
  })

  test('streamed: events are the same however the bytes are split, and unknown ones are skipped', async () => {
    const text =
      ': comment\r\n\r\nevent: start\r\ndata: {"session_id":"s",\r\ndata: "message_id":"m"}\r\n\r\nevent: later\ndata: 1\n\nevent: delta\ndata: {"text":"ü📦"}\n\nevent: done\ndata: {"response":"ü📦"}\n\n'
    const bytes = new TextEncoder().encode(text)
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const client = createClient({ baseUrl: 'http://docent.test', fetch: async () => new Response(pieces) })
    expect(await collect(client.chatStream({ bot_id: 'b', message: 'm' }))).toEqual([
      { type: 'start', session_id: 's', message_id: 'm' },
      { type: 'delta', text: 'ü📦' },
      { type: 'done', response: 'ü📦' },
    ])
  })

  test('streamed: whoever stops listening ends the request', async () => {
    let isCancelled = false
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('event: delta\ndata: {"text":"a"}\n\n')),
      cancel() {
        isCancelled = true
      },
    })
    const client = createClient({ baseUrl: 'http://docent.test', fetch: async () => new Response(endless) })
    for await (const event of client.chatStream({ bot_id: 'b', message: 'm' })) if (event.type === 'delta') break
    expect(isCancelled).toBe(true)
  })

  test('streamed: an error event in the middle is thrown', async () => {
    const text = 'event: error\ndata: {"code":"internal","status":500,"message":"Sorry.","request_id":"req_1"}\n\n'
    const client = createClient({ baseUrl: 'http://docent.test', fetch: async () => new Response(text) })
    const error = await failure(collect(client.chatStream({ bot_id: 'b', message: 'm' })))
    expect(error).toMatchObject({ status: 500, code: 'internal', message: 'Sorry.', requestId: 'req_1' })
  })
})

/** A server that answers as told, and what it was asked. */
async function serve(respond: (index: number) => RequestListener) {
  const requests: { method: string; url: string; key: unknown }[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, key: headers['idempotency-key'] })
    respond(requests.length - 1)(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const answering: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"response":"Yes."}')
const failing =
  (status: number, code: string, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(JSON.stringify({ error: { code, message: 'No.' } }))
const breaking: RequestListener = ({ socket }) => socket.destroy()
const silent: RequestListener = () => {}

describe('a connection', () => {
  const message = { bot_id: 'b', message: 'm' }

  test.each([
    ['breaks', breaking],
    ['is refused as overloaded', failing(503, 'unavailable', { 'retry-after': '0' })],
    ['meets a proxy without a server', failing(502, '')],
  ])('that %s is tried again with the same idempotency key', async (_, first) => {
    const { baseUrl, requests } = await serve((index) => (index === 0 ? first : answering))
    expect(await createClient({ baseUrl }).chat(message)).toEqual({ response: 'Yes.' })
    expect(requests).toHaveLength(2)
    expect(requests[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(requests[1]?.key).toBe(requests[0]?.key)
  })

  test('that breaks within the answer is tried again, and a stream that ends early is an error', async () => {
    const cut: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-length': 100, 'content-type': 'application/json' }).write('{')
      setTimeout(() => response.destroy(), 20)
    }
    const { baseUrl, requests } = await serve((index) => (index === 0 ? cut : answering))
    expect(await createClient({ baseUrl }).chat(message)).toEqual({ response: 'Yes.' })
    expect(requests).toHaveLength(2)
    const client = createClient({ baseUrl: 'http://docent.test', fetch: async () => new Response('') })
    await expect(collect(client.chatStream(message))).rejects.toThrow(DocentConnectionError)
  })

  test('that stays broken is a DocentConnectionError that names the address', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
    const error = await client.request('GET /livez').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DocentConnectionError)
    expect(error).toMatchObject({ url: 'http://127.0.0.1:1/livez', message: expect.stringContaining('/livez') })
  })

  test('that is silent is a DocentTimeoutError, before the response and within it', async () => {
    const { baseUrl, requests } = await serve((index) =>
      index < 2 ? silent : (_, response) => void response.writeHead(200).write('event: delta\ndata: {"text":"a"}\n\n'),
    )
    const client = createClient({ baseUrl, timeoutMs: 200, maxRetries: 1 })
    await expect(client.chat(message)).rejects.toThrow(DocentTimeoutError)
    expect(requests).toHaveLength(2)
    await expect(collect(client.chatStream(message))).rejects.toThrow(DocentTimeoutError)
    expect(requests).toHaveLength(3)
  })

  test.each([
    ['a change without an idempotency key', breaking, 'POST /api/manage/v1/bots'],
    ['a spent quota', failing(429, 'daily_quota_exceeded', { 'retry-after': '1' }), 'POST /api/v1/chat'],
    ['a long wait', failing(429, 'rate_limited', { 'retry-after': '900' }), 'POST /api/v1/chat'],
    ['an invalid request', failing(400, 'validation_failed'), 'POST /api/v1/chat'],
  ] as const)('does not repeat %s', async (_, respond, route) => {
    const { baseUrl, requests } = await serve(() => respond)
    const client = createClient({ baseUrl })
    const call = route === 'POST /api/v1/chat' ? client.chat(message) : client.request(route, { body: { name: 'n' } })
    await expect(call).rejects.toThrow()
    expect(requests).toHaveLength(1)
  })

  test('is given up as soon as the caller aborts, also between two attempts', async () => {
    const { baseUrl, requests } = await serve(() => failing(503, 'unavailable', { 'retry-after': '20' }))
    const signal = AbortSignal.timeout(300)
    await expect(createClient({ baseUrl }).chat(message, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(requests).toHaveLength(1)
  })

  test('tells by a header that an answer was replayed', async () => {
    const { caller, botId } = await withBot()
    const replayHeaders: (string | null)[] = []
    const extras = {
      headers: { 'Idempotency-Key': 'twice' },
      onResponse: ({ headers }: Response) => void replayHeaders.push(headers.get('idempotent-replayed')),
    }
    for (let time = 0; time < 2; time++) await caller.chat({ bot_id: botId, message: 'Can I send goods back?' }, extras)
    await collect(caller.chatStream({ bot_id: botId, message: 'Can I send goods back?' }, extras))
    expect(replayHeaders).toEqual([null, 'true', 'true'])
  })
})

test('the events of an inbox arrive as they happen, and whoever stops listening ends the request', async () => {
  const { owner, botId, baseUrl } = await withBot()
  const say = () =>
    fetch(`${baseUrl}/api/chat/${botId}/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Can I send goods back?' }),
    })
  const inboxEvents: InboxEvent[] = []
  for await (const event of owner.inboxEvents(botId)) {
    inboxEvents.push(event)
    if (event.type === 'alive') expect((await say()).status).toBe(200)
    else break
  }
  expect(inboxEvents).toEqual([
    { type: 'alive' },
    { type: 'conversation', kind: 'message', conversation_id: expect.any(String), bot_id: botId },
  ])
  expect((await failure(owner.inboxEvents('bot_none')[Symbol.asyncIterator]().next())).code).toBe('bot_not_found')
})
