// Vectors from an OpenAI-compatible provider instead of the built-in model, with a real server on loopback.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openProviderEmbedder } from '../../src/inference/provider-embedder.ts'
import type { Embedder } from '../../src/inference/types.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { says, startFakeProvider } from '../language-model/fake-provider.ts'

const KEY = 'EMBEDDING-CANARY-33d0'
const token = ADMIN_TOKEN
// The topics of a text, in any language; six of them, so that the vector length is not a multiple of four.
const concepts = [/hund|haustier|dog|pet/i, /wein|bar\b|wine/i, /sauna/i, /internet/i, /park/i, /./]

interface Sent {
  headers: IncomingHttpHeaders
  body: { model: string; input: string[] }
}
type Reply = (response: ServerResponse, sent: Sent) => void

const meaning: Reply = (response, { body }) => {
  const vectors = body.input.map((text) =>
    concepts.map((concept, at) => (concept.test(text) ? (at === 5 ? 0.1 : 2) : 0)),
  )
  // In a different order, as the index field allows.
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
}

async function startProvider(reply: Reply) {
  const sentRequests: Sent[] = []
  const provider = { reply, sent: sentRequests, url: '' }
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const one = { headers: request.headers, body: JSON.parse(raw) }
    sentRequests.push(one)
    if (request.url === '/v1/embeddings') provider.reply(response, one)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return provider
}

function environment(url: string) {
  return { EMBEDDINGS: 'on', EMBEDDING_BASE_URL: url, EMBEDDING_API_KEY: KEY, EMBEDDING_MODEL: 'multi-1' }
}

const documents = [
  { id: 'tiere', title: 'Hausordnung', text: 'Haustiere sind im ganzen Hotel willkommen.', language: 'de' },
  { id: 'bar', title: 'Bar', text: 'Die Bar im Erdgeschoss schenkt bis Mitternacht Wein aus.', language: 'de' },
  { id: 'sauna', title: 'Sauna', text: 'Die Sauna im Keller ist freitags geheizt.', language: 'de' },
]

describe.each(engines)('an embedding provider on %s', (engine: Engine) => {
  test('provides vectors for every language, which find by meaning what words cannot', async () => {
    const provider = await startProvider(meaning)
    const server = await startServer(engine, { environment: environment(provider.url) })
    const { botId } = await server.createBot({ documents, language: 'de' })
    const params = { botId }
    const knowledge = async () =>
      (await server.call('GET /api/manage/v1/bots/{botId}', { token, params })).body.knowledge
    await expect.poll(knowledge).toMatchObject({ embedded_passages: 3, status: 'ready' })
    const q = 'Darf mein Hund mitkommen?'
    const search = await server.call('GET /api/manage/v1/bots/{botId}/search', { token, params, query: { q } })
    expect(search.body.results[0]).toMatchObject({ document_id: 'tiere', signals: { words: 0 } })
    expect(search.body.results[0].signals.vector).toBeGreaterThan(0.9)

    expect(provider.sent.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true)
    expect(new Set(provider.sent.map(({ body }) => body.model))).toEqual(new Set(['multi-1']))
    const rows = await queryRows(server.database, 'SELECT DISTINCT model FROM document_vectors')
    expect(rows).toEqual([{ model: `multi-1 at ${new URL(provider.url).host}` }])
    expect((await server.call('GET /readyz')).body.details.embeddings).toContain('multi-1')
    expect(server.logs()).not.toContain(KEY)
  })
})

test('a new bot does not wait until a large one has all its vectors', async () => {
  // The provider answers once both bots wait.
  let begin = () => {}
  const bothBots = new Promise<void>((resolve) => {
    begin = resolve
  })
  const provider = await startProvider((response, request) => void bothBots.then(() => meaning(response, request)))
  const server = await startServer('sqlite', { environment: environment(provider.url) })
  const { botId } = await server.createBot()
  const manyDocuments = Array.from({ length: 120 }, (_, at) => ({
    id: `large-${at}`,
    title: 'Park',
    text: `Park ${at}`,
  }))
  const large = await server.createBot({ documents: manyDocuments })
  const add = (bot: string, document: object) =>
    server.call('POST /api/manage/v1/bots/{botId}/documents', {
      token,
      params: { botId: bot },
      body: { documents: [document] },
    })
  await add(botId, { id: 'new', title: 'Sauna', text: 'Freitags geheizt.' })
  // The large bot is still growing, as during a crawl.
  await add(large.botId, { id: 'large-more', title: 'Park', text: 'Park 120' })
  begin()
  // Some texts may be sent twice.
  const asked = () => [...new Set(provider.sent.flatMap(({ body: { input } }) => input))]
  await expect.poll(() => asked().filter((text) => /Park|geheizt/.test(text)).length).toBe(122)
  expect(asked().at(-1)).toContain('Park')
})

test('questions generated by a language model are part of the vectors', async () => {
  const [embeddings, model] = [
    await startProvider(meaning),
    await startFakeProvider(says('{"1": ["Wo ist der Wein?"]}')),
  ]
  const loopback = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' }
  const server = await startServer('sqlite', { environment: { ...environment(embeddings.url), ...loopback } })
  const { botId } = await server.createBot({ documents: documents.slice(2), language: 'de' })
  const BOT = '/api/manage/v1/bots/{botId}'
  const params = { botId }
  const similarity = async () => {
    const { body } = await server.call(`GET ${BOT}/search`, { token, params, query: { q: 'Welche Weine?' } })
    return body.results[0]?.signals.vector ?? 0
  }
  await expect
    .poll(async () => (await server.call(`GET ${BOT}`, { token, params })).body.knowledge.status)
    .toBe('ready')
  expect(await similarity()).toBeLessThan(0.1)
  const language_model = { provider: 'openai_compatible', base_url: model.url, model: 'm' }
  await server.call(`PATCH ${BOT}`, { token, params, body: { language_model } })
  await server.call(`PATCH ${BOT}/generated-questions`, { token, params, body: { enabled: true } })
  await expect.poll(similarity).toBeGreaterThan(0.6)
  expect(await queryRows(server.database, 'SELECT outdated FROM document_vectors')).toEqual([{ outdated: 0 }])
})

test.each<[string, Reply, string]>([
  ['refuses the key', (response) => void response.writeHead(401).end(KEY), 'the provider answered 401'],
  ['hangs up', (response) => void response.destroy(), 'the provider cannot be reached'],
  ['redirects', (response) => void response.writeHead(307, { location: '/v1/other' }).end(), 'cannot be reached'],
  ['sends a page', (response) => void response.end('<html>'), 'cannot be read'],
  ['sends too few', (response) => void response.end('{"data":[]}'), 'cannot be read'],
  ['sends no numbers', (response) => void response.end('{"data":[{"embedding":["a",null]}]}'), 'cannot be read'],
  ['sends zeros', (response) => void response.end('{"data":[{"embedding":[0,0,0]}]}'), 'cannot be read'],
])('a provider that %s: answers go by words, and /readyz says why', async (_, reply, reason) => {
  const provider = await startProvider(reply)
  const server = await startServer('sqlite', { environment: environment(provider.url) })
  const { botId, key } = await server.createBot({ documents, language: 'de' })
  server.clock.now += 90_000
  const state = async () => (await server.call('GET /readyz')).body.details.embeddings
  await expect.poll(state).toContain(reason)
  expect(await state()).not.toContain(KEY)
  const backlog = async () => (await server.call('GET /readyz')).body.backlogs.vectors
  await expect.poll(backlog).toEqual({ depth: documents.length, oldest_seconds: 90 })
  const message = 'Wann ist die Sauna im Keller geheizt?'
  const response = await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
  expect(response.body.response).toContain('freitags')
})

describe('the embedder of a provider', () => {
  async function withEmbedder(reply: Reply) {
    const provider = await startProvider(reply)
    const startedModels: (string | null)[] = []
    const onStarted = (embedder: Embedder) => startedModels.push(embedder.model)
    const settings = { baseUrl: provider.url, apiKey: null, model: 'm' }
    const embedder = openProviderEmbedder({ ...settings, name: 'm', retryAfterMs: 30, onStarted })
    onTestFinished(() => embedder.close())
    await expect.poll(() => startedModels).toHaveLength(1)
    return { provider, embedder, startedModels }
  }

  test('requests texts in batches, returns unit vectors in order, and caches those of questions', async () => {
    const { provider, embedder } = await withEmbedder(meaning)
    const texts = Array.from({ length: 150 }, (_, index) => (index % 2 ? `dog ${index}` : `wine ${index}`))
    const vectors = await embedder.embed(texts)
    expect(provider.sent.slice(1).map(({ body }) => body.input.length)).toEqual([64, 64, 22])
    for (const [index, vector] of vectors.entries()) {
      expect(vector).toHaveLength(8)
      expect(vector?.[index % 2 ? 0 : 1]).toBeGreaterThan(0.99)
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
    }
    expect(await embedder.embed(texts)).toEqual(vectors)
    expect(provider.sent).toHaveLength(4)
  })

  test('recovers by itself after the provider was down, and reports it', async () => {
    const { provider, embedder, startedModels } = await withEmbedder((response) => void response.writeHead(503).end())
    expect(embedder.state).toEqual({ kind: 'absent', reason: 'the provider answered 503' })
    expect(await embedder.embed(['dog'])).toEqual([undefined])
    provider.reply = meaning
    await expect.poll(() => startedModels).toEqual([null, 'm'])
    expect((await embedder.embed(['dog']))[0]).toHaveLength(8)
    provider.reply = (response) => void response.destroy()
    expect(await embedder.embed(['wine'])).toEqual([undefined])
    expect(embedder.model).toBeNull()
    provider.reply = meaning
    await expect.poll(() => startedModels).toEqual([null, 'm', 'm'])
  })

  test('stops waiting at its time limit, and a late vector is used the next time', async () => {
    const { provider, embedder } = await withEmbedder(meaning)
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.reply = (response, request) => void promise.then(() => meaning(response, request))
    expect(await embedder.embed(['dog'], { budgetMs: 20 })).toEqual([undefined])
    resolve()
    await expect.poll(async () => (await embedder.embed(['dog'], { budgetMs: 1 }))[0]).toHaveLength(8)
  })

  test('leaves texts that the provider refuses without a vector, and embeds the others', async () => {
    const { provider, embedder } = await withEmbedder(meaning)
    provider.reply = (response, request) => {
      if (request.body.input.includes('bad')) response.writeHead(400).end()
      else meaning(response, request)
    }
    expect(await embedder.embed(['bad'])).toEqual([undefined])
    expect((await embedder.embed(['dog']))[0]).toHaveLength(8)
  })

  test('rejects vectors of a different length than the first', async () => {
    const { provider, embedder } = await withEmbedder(meaning)
    provider.reply = (response) => void response.end('{"data":[{"index":0,"embedding":[1,2,3]}]}')
    expect(await embedder.embed(['dog'])).toEqual([undefined])
    expect(embedder.state).toMatchObject({ reason: 'the provider’s vectors changed their length' })
  })
})
