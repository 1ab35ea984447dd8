// Language model settings: what is refused, what is kept, and that the key is never shown.
import { expect, test } from 'vitest'
import { startServer } from '../harness/start-server.ts'
import { type Reply, says } from './fake-provider.ts'
import { allowLoopback, BOT, CHAT, KEY, QUESTION, token, withModel } from './model-bot.ts'

test('a model can be tested before its settings are saved, with the stored key, and the call is counted', async () => {
  let isRefused = false
  const { call, provider, params, usage, settingsResponse } = await withModel('sqlite', (response, request) => {
    if (!isRefused) return says('From 9 to 6 [1].')(response, request)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"code":"invalid_api_key"}}')
  })
  const { provider: kind, base_url, model } = settingsResponse.body.language_model
  const language_model = { provider: kind, base_url, model, instructions: 'You are Kim.' }
  const test = async () =>
    (await call(`POST ${BOT}/language-model/test`, { token, params, body: { language_model } })).body
  expect(await test()).toMatchObject({ outcome: 'answered', reply: 'From 9 to 6.', status: null })
  expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(provider.requests[0]?.raw).toContain('You are Kim.')
  isRefused = true
  expect(await test()).toMatchObject({ outcome: 'unauthorized', reply: null, status: 401 })
  expect((await usage()).today.calls).toBe(2)
  expect((await call(`GET ${BOT}`, { token, params })).body.language_model.instructions).toBeNull()
})

const json =
  (status: number, error: object, headers = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }))

test.each<[string, Reply, object]>([
  [
    'a wrong key',
    json(401, { code: 'invalid_api_key' }),
    { problem: 'wrong_key', status: 401, code: 'invalid_api_key' },
  ],
  [
    'a wrong key, as Gemini words it',
    json(400, { message: 'API key not valid.' }),
    { problem: 'wrong_key', status: 400 },
  ],
  ['an unknown model', json(404, { code: 'model_not_found' }), { problem: 'unknown_model', outcome: 'unknown_model' }],
  ['an unknown model, as Ollama words it', json(404, { message: 'model "x" not found' }), { problem: 'unknown_model' }],
  [
    'an unknown model, as OpenRouter words it',
    json(400, { message: 'x is not a valid model ID' }),
    { problem: 'unknown_model' },
  ],
  ['a wrong path', (response) => void response.writeHead(404).end('<h1>Not here</h1>'), { problem: 'wrong_address' }],
  ['a closed connection', (response) => void response.destroy(), { problem: 'unreachable', status: null }],
  [
    'a rate limit',
    json(429, { type: 'rate_limit' }, { 'retry-after': '20' }),
    { problem: 'rate_limited', retry_after_seconds: 20 },
  ],
  ['an empty account', json(429, { code: 'insufficient_quota' }), { problem: 'no_credit' }],
  [
    'an empty account, as Anthropic words it',
    json(400, { message: 'Your credit balance is too low' }),
    { problem: 'no_credit' },
  ],
  ['a rejected request', json(400, { code: 'unsupported_value' }), { problem: 'request_rejected' }],
  ['an overloaded provider', json(503, {}), { problem: 'provider_error' }],
  ['silence', () => {}, { problem: 'too_slow' }],
  ['a web page', (response) => void response.writeHead(200).end('<h1>Log in</h1>'), { problem: 'unusable_reply' }],
  ['a reply without text', says(' \n'), { problem: 'empty_reply', outcome: 'empty', reply: null }],
  ['no citation', says('From 9 to 6.'), { problem: 'no_citation', reply: null }],
  ['no answer', says('@@ not found'), { problem: 'no_answer', outcome: 'no_answer' }],
])('the test of a model tells %s apart', async (_, reply, expected) => {
  const { call, params, settingsResponse } = await withModel('sqlite', reply)
  const { provider, base_url, model } = settingsResponse.body.language_model
  const language_model = { provider, base_url, model, timeout_ms: 1000 }
  const { body, text } = await call(`POST ${BOT}/language-model/test`, { token, params, body: { language_model } })
  expect(body).toMatchObject(expected)
  expect(text).not.toContain(KEY)
})

test('well-known providers come with settings that only lack a key', async () => {
  const { call, createBot } = await startServer('sqlite', { environment: allowLoopback })
  const { botId } = await createBot()
  const { items } = (await call('GET /api/manage/v1/language-model-presets', { token })).body
  const names = 'openai anthropic azure gemini mistral groq openrouter ollama vllm lmstudio'
  expect(items.map(({ id }: { id: string }) => id).join(' ')).toBe(names)
  for (const { provider, base_url, model, needs_key, context_tokens, timeout_ms } of items) {
    const address = base_url?.replace('localhost', '127.0.0.1') ?? null
    // Names outside this machine cannot be looked up in a test.
    if (address && !address.includes('127.0.0.1')) continue
    const key = { api_key: needs_key ? 'sk-example' : null }
    const language_model = { provider, base_url: address, model, context_tokens, timeout_ms, ...key }
    const response = await call(`PATCH ${BOT}`, { token, params: { botId }, body: { language_model } })
    expect([model, response.status]).toEqual([model, 200])
  }
})

test('a provider in a private network is refused when saved, unless the operator allows it', async () => {
  const server = await startServer('sqlite')
  const { botId } = await server.createBot()
  const params = { botId }
  for (const base_url of ['http://127.0.0.1:11434/v1', 'http://169.254.169.254/v1', 'http://user:pw@example.com/v1']) {
    const language_model = { provider: 'openai_compatible', base_url, model: 'm' }
    const response = await server.call(`PATCH ${BOT}`, { token, params, body: { language_model } })
    expect([base_url, response.status, response.body.error.code]).toEqual([base_url, 400, 'validation_failed'])
    expect(response.body.error.details).toEqual([
      { path: 'language_model.base_url', message: expect.stringMatching(/not allowed|must not contain|Enter a/) },
    ])
  }
  expect((await server.call(`GET ${BOT}`, { token, params })).body.language_model).toBeNull()
})

test('a provider that is no longer allowed is not called', async () => {
  const { provider, database, stop, key, botId } = await withModel('sqlite', says('Within 99 days [1].'))
  await stop()
  const restartedServer = await startServer('sqlite', { database })
  const response = await restartedServer.call(CHAT, { token: key, body: { bot_id: botId, message: QUESTION } })
  expect(response.body.response).toContain('within 30 days')
  expect(provider.requests).toEqual([])
})

test('the key is kept if omitted, removed by null, and never sent to another base URL', async () => {
  const { call, params, provider } = await withModel('sqlite', says('Yes [1].'))
  const patch = (language_model: object | null) => call(`PATCH ${BOT}`, { token, params, body: { language_model } })
  const settings = { provider: 'openai_compatible', base_url: provider.url, model: 'other' }
  expect((await patch(settings)).body.language_model).toMatchObject({ model: 'other', api_key_last_four: '8e21' })
  const otherUrlResponse = await patch({ ...settings, base_url: 'http://127.0.0.1:9/v1' })
  expect(otherUrlResponse.body.error.details).toEqual([
    { path: 'language_model.api_key', message: 'Enter the API key again when you change the provider or base URL.' },
  ])
  const otherProviderResponse = await patch({ ...settings, provider: 'anthropic' })
  expect(otherProviderResponse.body.error.details).toEqual([
    { path: 'language_model.api_key', message: 'This field is required.' },
  ])
  expect((await patch({ ...settings, api_key: null })).body.language_model).toMatchObject({ api_key_set: false })
  expect((await patch(null)).body.language_model).toBeNull()
})

test.each([
  [{ model: '' }, 'language_model.model'],
  [{ api_key: 'with space' }, 'language_model.api_key'],
  [{ base_url: 'ftp://example.com' }, 'language_model.base_url'],
  [{ base_url: null }, 'language_model.base_url'],
  [{ timeout_ms: 5 }, 'language_model.timeout_ms'],
  [{ provider: 'oracle' }, 'language_model.provider'],
  [{ input_price_per_million: -1 }, 'language_model.input_price_per_million'],
])('settings with %j are refused, naming the field', async (change, path) => {
  const { call, createBot } = await startServer('sqlite')
  const { botId } = await createBot()
  const language_model = { provider: 'openai_compatible', base_url: 'https://api.example.com', model: 'm', ...change }
  const response = await call(`PATCH ${BOT}`, { token, params: { botId }, body: { language_model } })
  expect(response.status).toBe(400)
  expect(response.body.error.details.map((detail: { path: string }) => detail.path)).toEqual([path])
})
