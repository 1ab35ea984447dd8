// A bot as an MCP server, tested with the official client.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { brokenBodies, hostileStrings } from '../harness/samples/bad-input.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'

const MCP = 'POST /mcp'
const QUESTION = 'Within how many days can I send goods back?'
const returnsPage = { title: 'Returns', url: 'https://shop.test/returns' }
const documents = [
  { id: 'returns', ...returnsPage, text: 'You can send goods back within 30 days.' },
  { id: 'parcels', title: 'Parcels', text: 'A parcel to Norway takes nine days and costs 12 euros.' },
]
const allowLoopback = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }

interface ToolResult {
  content: { type: 'text'; text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  structuredContent?: any
  isError?: boolean
}

async function withServer(engine: Engine, options: object = {}) {
  const server = await startServer(engine, { environment: allowLoopback })
  const bot = await server.createBot({ documents, ...options })
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    server.call(MCP, { token: bot.key, body, headers })
  const callsToday = async () => {
    const params = { botId: bot.botId, keyId: bot.keyId }
    return (await server.call('GET /api/manage/v1/bots/{botId}/keys/{keyId}', { token: ADMIN_TOKEN, params })).body
      .calls_today
  }
  return { ...server, ...bot, post, callsToday }
}

async function connect(baseUrl: string, key: string, mode: 'legacy' | 'auto' = 'legacy') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }))
  const use = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as ToolResult
  return { client, use }
}

describe.each(engines)('the official MCP client on %s', (engine) => {
  test('searches the products of a bot that has some', async () => {
    const { baseUrl, key, call, botId, callsToday } = await withServer(engine)
    const { client, use } = await connect(baseUrl, key)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('search_products')
    const products = [
      { id: 'T1', title: 'Alpine tent', description: 'A tent for two.', price: '249 EUR', availability: 'in_stock' },
      { id: 'T2', title: 'Family tent', price: '449 EUR', sale_price: '399 EUR', link: 'https://shop.test/t2' },
      { id: 'L1', title: 'Camping lamp', price: '29 EUR' },
    ]
    await syncProducts(call, await createSyncKey(call, botId), products)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      ...['search_knowledge', 'ask', 'search_products'],
    ])
    const cheap = await use('search_products', { query: 'tents under 300 euros' })
    expect(cheap.structuredContent).toMatchObject({
      products: [{ id: 'T1', title: 'Alpine tent', price: 249, currency: 'EUR', availability: 'in_stock' }],
      meets_all: true,
    })
    expect(cheap.content[0]?.text).toContain('Alpine tent\n249 EUR, in_stock')
    const all = await use('search_products', { query: 'tent', limit: 20 })
    const second = all.structuredContent.products.find(({ id }: { id: string }) => id === 'T2')
    expect(all.structuredContent.products).toHaveLength(2)
    expect(second).toMatchObject({ price: 399, regular_price: 449, url: 'https://shop.test/t2' })
    const far = await use('search_products', { query: 'tents under 100 euros' })
    expect(far.structuredContent.meets_all).toBe(false)
    const nothing = await use('search_products', { query: 'submarine' })
    expect(nothing.structuredContent).toEqual({ products: [], meets_all: false })
    expect(await use('search_products', { query: '' })).toMatchObject({ isError: true })
    expect(await callsToday()).toBe(5)
  })

  test('reads the documents of the bot as resources, page by page; listing and reading count', async () => {
    const { baseUrl, key, call, botId, callsToday, createBot } = await withServer(engine, { dailyLimit: 5 })
    const { client } = await connect(baseUrl, key)
    const { resources } = await client.listResources()
    expect(resources).toEqual([
      {
        uri: 'docent://documents/parcels',
        name: 'Parcels',
        title: 'Parcels',
        mimeType: 'text/markdown',
        annotations: { lastModified: expect.any(String) },
      },
      expect.objectContaining({ uri: 'docent://documents/returns', description: returnsPage.url }),
    ])
    expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe('docent://documents/{id}')
    expect(await callsToday()).toBe(1)
    const { contents } = await client.readResource({ uri: 'docent://documents/returns' })
    expect(contents).toEqual([
      {
        uri: 'docent://documents/returns',
        mimeType: 'text/markdown',
        text: `# Returns\n\n${returnsPage.url}\n\n${documents[0]?.text}`,
      },
    ])
    const otherBot = await createBot({ documents: [{ id: 'secret', title: 'Secret', text: 'Of another bot.' }] })
    expect(otherBot.botId).not.toBe(botId)
    await expect(client.readResource({ uri: 'docent://documents/secret' })).rejects.toMatchObject({ code: -32002 })
    expect(await callsToday()).toBe(3)

    const manyDocuments = Array.from({ length: 120 }, (_, at) => ({
      id: `a.${at}`,
      title: `Page ${at}`,
      text: `Text ${at}.`,
    }))
    const params = { botId }
    await call('POST /api/manage/v1/bots/{botId}/documents', {
      token: ADMIN_TOKEN,
      params,
      body: { documents: manyDocuments },
    })
    const uris: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await client.listResources(cursor === undefined ? {} : { cursor })
      uris.push(...page.resources.map(({ uri }) => uri))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    expect(new Set(uris).size).toBe(122)
    expect(uris).toContain('docent://documents/a.0')
    await expect(client.listResources()).rejects.toThrow(/quota|limit/i)
    await expect(client.readResource({ uri: 'docent://documents/returns' })).rejects.toThrow(/quota|limit/i)
  })

  test('gets an error for resources and cursors that do not exist', async () => {
    const { post } = await withServer(engine)
    const read = async (uri: unknown) =>
      (await post({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } })).body.error
    for (const uri of [
      'docent://documents/',
      'docent://documents/%',
      'docent://documents/a/b',
      'file:///etc/passwd',
      7,
    ])
      expect(await read(uri)).toMatchObject({ code: -32002 })
    for (const cursor of ['x', 7, 'WyJpZCJd']) {
      const response = await post({ jsonrpc: '2.0', id: 1, method: 'resources/list', params: { cursor } })
      expect(response.body.error).toMatchObject({ code: -32602 })
    }
  })

  test('finds both tools, searches and asks follow-ups; only tool calls count, and none beyond the quota', async () => {
    const { baseUrl, key, database, callsToday } = await withServer(engine, { dailyLimit: 4 })
    const { client, use } = await connect(baseUrl, key)
    expect(client.getServerVersion()).toMatchObject({ name: 'docent', title: 'Test bot' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search_knowledge', 'ask'])
    await client.ping()
    expect(await callsToday()).toBe(0)

    const result = await use('search_knowledge', { query: QUESTION, limit: 1 })
    expect(result.structuredContent.results).toEqual([
      { ...returnsPage, passage: documents[0]?.text, score: expect.any(Number) },
    ])
    expect(result.content[0]?.text).toBe(`Returns (${returnsPage.url})\n${documents[0]?.text}`)
    expect(await countRows(database, 'conversations')).toBe(0)

    const first = await use('ask', { question: 'How long does a parcel to Norway take?' })
    const { session_id } = first.structuredContent
    expect(first.content[0]?.text).toContain('nine days')
    const second = await use('ask', { question: 'And what does it cost?', session_id })
    expect(second.content[0]?.text).toMatch(
      /^A parcel to Norway takes nine days and costs 12 euros\.\n\n---\n- \[Parcels\]\(https:\/\/docent\.test\/sources\/[^)]+\)$/,
    )
    expect(second.structuredContent).toMatchObject({
      session_id,
      answered: true,
      decision: 'answer',
      sources: [{ title: 'Parcels' }],
    })
    expect(await countRows(database, 'conversations')).toBe(1)

    expect((await use('ask', { question: ' ' })).isError).toBe(true)
    for (const [name, args] of [
      ['ask', { question: QUESTION }] as const,
      ['search_knowledge', { query: 'x' }] as const,
    ])
      expect(await use(name, args)).toEqual({
        content: [{ type: 'text', text: 'The daily limit of this key is used up. It resets at midnight UTC.' }],
        isError: true,
      })
    expect(await callsToday()).toBe(4)
    expect(await countRows(database, 'conversations')).toBe(1)
    expect((await client.listTools()).tools).toHaveLength(2)
  })
})

test('a client with a newer protocol version falls back to one that the bot supports', async () => {
  const { baseUrl, key } = await withServer('sqlite')
  const { use } = await connect(baseUrl, key, 'auto')
  expect((await use('ask', { question: QUESTION })).structuredContent.sources).toEqual([returnsPage])
})

test('an unknown key and a plan without the API are refused at once', async () => {
  const { baseUrl, createBot } = await withServer('sqlite')
  await expect(connect(baseUrl, 'dct_chat_unknown')).rejects.toThrow()
  const { key } = await createBot({ plan: 'free' })
  await expect(connect(baseUrl, key)).rejects.toThrow('plan_required')
})

test('only questions reach the key’s mirror webhook, in the format of the chat API', async () => {
  const receiver = await startReceiver()
  const { baseUrl, key, botId } = await withServer('sqlite', { webhookUrl: receiver.url, dailyLimit: 2 })
  const { client, use } = await connect(baseUrl, key)
  await client.listTools()
  await use('search_knowledge', { query: QUESTION })
  await use('ask', { question: QUESTION })
  await use('ask', { question: 'Anything else?' })
  const mirrored = () => receiver.received.flatMap(({ json }) => (json.event_type === 'chat.mirrored' ? [json] : []))
  await expect.poll(() => mirrored().length).toBe(2)
  const [answeredCall, refusedCall] = mirrored().sort((a, b) => a.response.status - b.response.status)
  expect(answeredCall.request).toEqual({ bot_id: botId, message: QUESTION })
  expect(answeredCall.response).toMatchObject({ status: 200, body: { answered: true, sources: [returnsPage] } })
  expect(refusedCall.request.message).toBe('Anything else?')
  expect(refusedCall.response).toMatchObject({ status: 429, body: { error: { code: 'daily_quota_exceeded' } } })
})

test('raw requests are answered by the protocol: versions, notifications, methods, origins and hostile bodies', async () => {
  const { call, post, key } = await withServer('sqlite', { dailyLimit: 100_000 })
  const message = (method: string, params?: object) => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    ...(params ? { params } : {}),
  })
  const initialize = async (protocolVersion?: unknown) =>
    (await post(message('initialize', { protocolVersion }))).body.result.protocolVersion
  expect(await initialize('2025-06-18')).toBe('2025-06-18')
  for (const version of ['2999-01-01', 7, undefined]) expect(await initialize(version)).toBe('2025-11-25')

  const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([response.status, response.text]).toEqual([202, ''])
  expect((await post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202)
  expect((await post(message('ping'))).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
  expect((await post(message('prompts/list'))).body.error.code).toBe(-32601)
  for (const params of [{}, { name: 'drop' }, { name: 'constructor' }, { name: ['ask'] }])
    expect((await post(message('tools/call', params))).body.error.code).toBe(-32602)
  for (const method of ['GET', 'DELETE']) {
    const response = await call(`${method} /mcp`, { token: key })
    expect([response.status, response.headers.allow]).toEqual([405, 'POST'])
  }
  const status = async (headers: Record<string, string>) => (await post(message('ping'), headers)).status
  expect(await status({ 'mcp-protocol-version': '2025-06-18' })).toBe(200)
  expect(await status({ 'mcp-protocol-version': '1999-01-01' })).toBe(400)
  expect(await status({ origin: 'https://evil.test' })).toBe(403)
  expect(await status({ origin: 'https://docent.test' })).toBe(200)
  expect(await status({ accept: 'text/html' })).toBe(406)
  expect(await status({ accept: 'application/json, text/event-stream' })).toBe(200)

  for (const [name, raw, code] of brokenBodies) {
    const { status, body } = await call(MCP, { token: key, raw })
    expect([name, status, body.error.code]).toEqual([name, 400, code])
  }
  const wrong: [string, unknown][] = [
    ['ask', null],
    ['ask', []],
    ['ask', { question: 7 }],
    ['ask', { question: 'x'.repeat(10_001) }],
    ['ask', { question: 'Hi', session_id: 'ses_unknown' }],
    ['search_knowledge', { query: 'Hi', limit: 1000 }],
    ['search_knowledge', 'Hi'],
  ]
  for (const [name, args] of wrong) {
    const { status, body } = await post(message('tools/call', { name, arguments: args }))
    expect([args, status, body.result.isError]).toEqual([args, 200, true])
  }
  for (const text of hostileStrings.slice(0, 40)) {
    const { status } = await post(message('tools/call', { name: 'ask', arguments: { question: text } }))
    const searchResponse = await post(message('tools/call', { name: 'search_knowledge', arguments: { query: text } }))
    expect([status, searchResponse.status]).toEqual([200, 200])
  }
})
