// Any input gets a response in the error format, never a 5xx, and the server keeps running.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toFault } from '../../src/http/server/errors.ts'
import { ExtractorFull } from '../../src/sources/extraction/extractor.ts'
import type { CallOptions } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { brokenBodies, hostileStrings } from '../harness/samples/bad-input.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { CHAT, exchange, expectDecent, expectFault, withBot } from './raw-requests.ts'

const evalFolder = new URL('../../../../shared/eval/', import.meta.url)
const parsingFolder = new URL('json_test_suite/test_parsing/', evalFolder)
const stringsFile = new URL('blns/blns.json', evalFolder)

describe.each(engines)('bad input on %s', (engine) => {
  test('invalid JSON gets 400 invalid_json, an invalid chat request gets 400 validation_failed', async () => {
    const { post, stillServes } = await withBot(engine)
    for (const [name, raw, code] of brokenBodies) expectFault(await post(raw), name, 400, code)
    await stillServes()
  })

  test('hostile strings are answered as messages, and refused as ids', async () => {
    const { ask, call, botId, key, stillServes } = await withBot(engine)
    for (const text of hostileStrings) {
      const label = JSON.stringify(text).slice(0, 60)
      const response = await ask(text, { user_id: `u${text}`.slice(0, 200), metadata: { note: text.slice(0, 500) } })
      expect([label, response.status]).toEqual([label, text.trim() === '' ? 400 : 200])
      expectDecent(await ask('Hello', { session_id: text }), label)
      expectDecent(await call(CHAT, { token: key, body: { bot_id: text, message: 'Hello' } }), label)
      expectDecent(
        await call('GET /api/manage/v1/bots/{botId}/search', {
          token: ADMIN_TOKEN,
          params: { botId },
          query: { q: text.toWellFormed() },
        }),
        label,
      )
    }
    await stillServes()
  })

  test('hostile strings can be stored as documents and read back', async () => {
    const { call, botId, stillServes } = await withBot(engine)
    const documents = hostileStrings.map((text, index) => ({ id: `d${index}`, title: `T${text}`.slice(0, 500), text }))
    const manage = { token: ADMIN_TOKEN, params: { botId } }
    const report = await call('POST /api/manage/v1/bots/{botId}/documents', { ...manage, body: { documents } })
    expect(report.body).toMatchObject({ created: documents.length, failed: 0, errors: [] })
    const list = await call('GET /api/manage/v1/bots/{botId}/documents', { ...manage, query: { limit: 200 } })
    expect(list.body.items).toHaveLength(documents.length + 1)
    await stillServes()
  })

  test.runIf(existsSync(stringsFile))('the big list of naughty strings gets no 5xx', async () => {
    const { ask, stillServes } = await withBot(engine)
    const strings: string[] = JSON.parse(readFileSync(stringsFile, 'utf8'))
    await inParallel(strings, async (text) => {
      const label = JSON.stringify(text).slice(0, 60)
      const response = await ask(text, { metadata: { note: text } })
      expectDecent(response, label)
      if (text.trim() !== '') expect(response.status, label).toBe(200)
    })
    await stillServes()
  })
})

test.runIf(existsSync(parsingFolder))(
  'the JSON parsing test suite gets no 5xx, and its valid files are accepted',
  async () => {
    const { post, botId, stillServes } = await withBot('sqlite')
    await inParallel(readdirSync(parsingFolder), async (name) => {
      const content = readFileSync(new URL(encodeURIComponent(name), parsingFolder))
      const response = await post(content)
      expectDecent(response, name)
      // Sent in an ignored field of an otherwise valid request.
      const start = Buffer.from(`{"bot_id":"${botId}","message":"Hello","more":`)
      const inside = await post(Buffer.concat([start, content, Buffer.from('}')]), { 'idempotency-key': name })
      expectDecent(inside, name)
      if (name.startsWith('y_')) {
        expect(response.body.error.code, name).toBe('validation_failed')
        expect(inside.status, name).toBe(200)
      }
      if (name.startsWith('n_') && content.length > 0) {
        expect(['invalid_json', 'payload_too_large'], name).toContain(response.body.error.code)
      }
    })
    await stillServes()
  },
)

test('deep nesting in an ignored field is accepted, with and without an idempotency key', async () => {
  const { post, botId } = await withBot('sqlite')
  const depth = 130_000
  const body = `{"bot_id":"${botId}","message":"Hello","more":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expectDecent(await post(body), 'deep')
  expectDecent(await post(body, { 'idempotency-key': 'deep' }), 'deep with idempotency key')
})

test('keys of the object prototype are treated like any other data', async () => {
  const { post, botId } = await withBot('sqlite')
  const metadata = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":null}'
  const body = `{"bot_id":"${botId}","message":"Hello","metadata":${metadata},"__proto__":{"message":"x"},"constructor":{"prototype":{}}}`
  expect((await post(body)).status).toBe(200)
  const inherited = await post(`{"__proto__":{"bot_id":"${botId}","message":"Hello"}}`)
  expectFault(inherited, '__proto__ as body', 400, 'validation_failed')
  expect(({} as Record<string, unknown>).message).toBeUndefined()
})

test('every response has the security headers, whichever layer sends it', async () => {
  const environment = { WIDGET_REQUESTS_PER_MINUTE: '1' }
  const server = await startServer('sqlite', { environment })
  const { botId, key } = await server.createBot()
  const port = Number(new URL(server.baseUrl).port)
  const greeting = { params: { botId }, body: { message: 'Hello' } }
  const responses: Record<string, { status: number; headers: Record<string, string | undefined> }> = {
    answer: await server.call(CHAT, { token: key, body: { bot_id: botId, message: 'Hello' } }),
    stream: await server.call(CHAT, { token: key, body: { bot_id: botId, message: 'Hello', stream: true } }),
    'bad input': await server.call(CHAT, { token: key, body: {} }),
    'unknown caller': await server.call(CHAT),
    'unknown address': await server.call('GET /nowhere'),
    'wrong method': await server.call('PUT /api/v1/chat'),
    'bad address': await server.call('GET /%zz'),
    preflight: await server.call('OPTIONS /api/chat/{botId}/message', { params: { botId } }),
    docs: await server.call('GET /docs/api'),
    dashboard: await server.call('GET /'),
    script: await server.call('GET /widget.js'),
    'first message': await server.call('POST /api/chat/{botId}/message', greeting),
    refused: await server.call('POST /api/chat/{botId}/message', greeting),
    'refused from memory': await server.call('POST /api/chat/{botId}/message', greeting),
    garbage: await exchange(port, 'garbage\r\n\r\n'),
  }
  for (const [name, { headers }] of Object.entries(responses)) {
    expect([name, headers['x-content-type-options']]).toEqual([name, 'nosniff'])
    expect([name, headers['cross-origin-opener-policy']]).toEqual([name, 'same-origin'])
    expect([name, headers['permissions-policy']]).toEqual([name, expect.stringContaining('camera=()')])
    expect([name, headers['strict-transport-security']]).toEqual([name, 'max-age=31536000'])
  }
  expect(responses['refused from memory']?.status).toBe(429)

  const plain = await startServer('sqlite', { environment: { BASE_URL: 'http://docent.test' } })
  const { headers } = await plain.call('GET /livez')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers).not.toHaveProperty('strict-transport-security')
})

test('another content type, or none, gets 415', async () => {
  const { post, baseUrl, key, stillServes } = await withBot('sqlite')
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'x',
  ]) {
    expectFault(await post('{}', { 'content-type': type }), type, 415, 'unsupported_media_type')
  }
  expectFault(await post('{}', { 'content-type': 'application/x-ndjson' }), 'ndjson', 415, 'unsupported_media_type')
  // fetch sets no content type for bytes.
  const bare = await fetch(`${baseUrl}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: new Uint8Array([123, 125]),
  })
  const text = await bare.text()
  const headers = Object.fromEntries(bare.headers)
  const response = { status: bare.status, headers, cookies: [], text, body: JSON.parse(text) }
  expectFault(response, 'no content type', 415, 'unsupported_media_type')
  await stillServes()
})

test('a session_id of null counts as absent in the chat API and the widget', async () => {
  const { ask, call, botId } = await withBot('sqlite')
  const chat = await ask('Hello', { session_id: null })
  expect([chat.status, typeof chat.body.session_id]).toEqual([200, 'string'])
  const body = { session_id: null, message: 'Hello' }
  const widget = await call('POST /api/chat/{botId}/message', { params: { botId }, body })
  expect([widget.status, typeof widget.body.session_id]).toEqual([200, 'string'])
  expectFault(await ask('Hello', { session_id: 7 }), 'a number', 400, 'validation_failed')
})

test('a JSON content type may have a charset and any case', async () => {
  const { post, botId } = await withBot('sqlite')
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']) {
    const response = await post(JSON.stringify({ bot_id: botId, message: 'Hello' }), { 'content-type': type })
    expect([type, response.status]).toEqual([type, 200])
  }
})

test('a body over 256 KiB gets 413, by its declared length before it is sent, or while it arrives in chunks', async () => {
  const { post, port, key, botId, stillServes } = await withBot('sqlite')
  const frame = (length: number) => {
    const start = `{"bot_id":"${botId}","message":"Hello","more":"`
    return `${start}${'x'.repeat(length - start.length - 2)}"}`
  }
  expect((await post(frame(256 * 1024))).status).toBe(200)
  const large = await post(frame(256 * 1024 + 1))
  expectFault(large, 'declared', 413, 'payload_too_large')
  expect(JSON.stringify(large.body)).toContain('It can have at most 256 KB.')

  const head = `POST /api/v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const response = await exchange(port, `${head}Content-Length: 1000000000\r\n\r\n`)
  expectFault(response, 'declared, not sent', 413, 'payload_too_large')
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  const chunked = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`)
  expectFault(chunked, 'chunked', 413, 'payload_too_large')
  await stillServes()
})

test('a wrong method gets 405 with the allowed methods', async () => {
  const { call, port } = await withBot('sqlite')
  const allowedMethods: [string, string[]][] = [
    ['GET /api/v1/chat', ['POST']],
    ['PUT /api/v1/chat', ['POST']],
    ['OPTIONS /api/v1/chat', ['POST']],
    ['DELETE /livez', ['GET', 'HEAD']],
    ['PUT /api/manage/v1/bots', ['GET', 'HEAD', 'POST']],
    ['POST /api/manage/v1/bots/bot_1', ['DELETE', 'GET', 'HEAD', 'PATCH']],
  ]
  for (const [route, methods] of allowedMethods) {
    const response = await call(route)
    expectFault(response, route, 405, 'method_not_allowed')
    expect(response.headers.allow?.split(', ').sort(), route).toEqual(methods)
  }
  const unusual = await exchange(port, 'PROPFIND /api/v1/chat HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expectFault(unusual, 'PROPFIND', 405, 'method_not_allowed')
})

test('a wrong method and an unknown path are refused without reading the body', async () => {
  const { call } = await withBot('sqlite')
  const bodies: CallOptions[] = [
    { raw: '{"broken' },
    { raw: 'x'.repeat(300_000) },
    { raw: '<a/>', headers: { 'content-type': 'application/xml' } },
    { raw: 'x', headers: { 'content-type': 'x' } },
  ]
  for (const options of bodies) {
    expectFault(await call('PUT /api/v1/chat', options), 'wrong method', 405, 'method_not_allowed')
    expectFault(await call('POST /nope', options), 'unknown address', 404, 'not_found')
  }
})

test.each([
  ['POST /api/v1/chats', 'POST /api/v1/chat'],
  ['GET /api/manage/v1/bot', 'GET /api/manage/v1/bots'],
  ['GET /api/manage/bots', 'GET /api/manage/v1/bots'],
  ['GET /api/manage/v1/bots/bot_1/document', 'GET /api/manage/v1/bots/{botId}/documents'],
  ['POST /v1/chat/completion', 'POST /v1/chat/completions'],
])('an unknown route names the nearest one: %s', async (name, nearest) => {
  const { call } = await withBot('sqlite')
  const { status, body } = await call(name, { token: ADMIN_TOKEN })
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect(body.error.message).toBe(
    `There is no such route. Did you mean ${nearest}? All routes are listed at /docs/api.`,
  )
})

test('an unknown page is a 404 page for people, and JSON for programs', async () => {
  const { call } = await withBot('sqlite')
  for (const path of ['/nowhere', '/docs/nothing', '/sources/bot_none/doc', '/sources/bot_none']) {
    const forPeople = await call(`GET ${path}`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([path, forPeople.status, forPeople.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(forPeople.text).toContain('There is no page at this address')
    expectFault(await call(`GET ${path}`, { headers: { accept: '*/*' } }), path, 404, 'not_found')
  }
  const api = await call('GET /api/v1/nothing', { headers: { accept: 'text/html' } })
  expectFault(api, 'a route of the API', 404, 'not_found')
})

test('text that is no URL is called that, not too short', async () => {
  const { call, botId } = await withBot('sqlite')
  const post = (url: string) =>
    call('POST /api/manage/v1/bots/{botId}/webhooks', { token: ADMIN_TOKEN, params: { botId }, body: { url } })
  for (const url of ['notaurl', 'nothing that is a URL'])
    expect((await post(url)).body.error.details).toEqual([
      { path: 'url', message: expect.stringMatching(/^This is not a URL\./) },
    ])
  const [ftp] = (await post('ftp://example.com')).body.error.details
  expect(ftp.message).toBe('Enter a URL that starts with http:// or https://.')
})

test('an unknown path gets 404, a malformed one 404 or 400, each in the error format', async () => {
  const { call, port, stillServes } = await withBot('sqlite')
  for (const path of ['/nowhere', '/api/v1/chat/', '/api/v1/chat/more', '/API/V1/CHAT']) {
    expectFault(await call(`GET ${path}`, { token: ADMIN_TOKEN }), path, 404, 'not_found')
  }
  const paths = [
    '/api/manage/v1/bots/%',
    '/api/manage/v1/bots/%zz',
    '/api/manage/v1/bots/%ff%fe',
    '/api/manage/v1/bots/%00',
    '/%',
    '/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '/../../etc/passwd',
    '//',
    '/api/manage/v1/bots/',
    `/api/manage/v1/bots/${'a'.repeat(1000)}`,
    '/api/manage/v1/bots/a%2Fb',
    '/livez%00',
  ]
  for (const path of paths) {
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\nConnection: close\r\n\r\n`
    const response = await exchange(port, request)
    expectFault(response, path)
    expect([400, 404], path).toContain(response.status)
  }
  await stillServes()
})

test('malformed query strings are refused or ignored', async () => {
  const { call } = await withBot('sqlite')
  const status = async (query: string) => {
    const response = await call(`GET /api/manage/v1/bots?${query}`, { token: ADMIN_TOKEN })
    expectDecent(response, query)
    return response.status
  }
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'limit=1&limit=2', 'limit=1e400', 'limit=']) {
    expect([query, await status(query)]).toEqual([query, 400])
  }
  for (const query of ['cursor=', 'cursor=%00', 'cursor=%ff', 'cursor=a&cursor=b', `cursor=${'a'.repeat(501)}`]) {
    expect([query, await status(query)]).toEqual([query, 400])
  }
  for (const query of ['%', '&&&==', '__proto__=1', 'unknown=1', '[]']) expect(await status(query)).toBe(200)
})

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>) {
  const queue = [...items]
  const workers = Array.from({ length: 16 }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  })
  await Promise.all(workers)
}

test.each([
  ['a full disk', Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
  ['a disk that can only be read', Object.assign(new Error('read-only'), { code: 'EROFS' })],
  ['a disk quota that is used up', Object.assign(new Error('quota'), { code: 'EDQUOT' })],
  ['a full queue of what is to be parsed', new ExtractorFull('full')],
])('%s is answered with 503 and a retry time', (_, error) => {
  expect(toFault(error)).toMatchObject({ code: 'unavailable', status: 503, headers: { 'retry-after': '2' } })
})
