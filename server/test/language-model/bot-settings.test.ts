// Language model settings: what is refused, what is kept, and that the key is never shown.
import { expect, test } from 'vitest'
import { startServer } from '../harness/start-server.ts'
import { says } from './fake-provider.ts'
import { BOT, CHAT, KEY, QUESTION, token, withModel } from './model-bot.ts'

test('a model can be tested before its settings are saved, with the stored key, and the call is counted', async () => {
  let isRefused = false
  const { call, provider, params, usage, saved } = await withModel('sqlite', (response, request) => {
    if (!isRefused) return says('From 9 to 6 [1].')(response, request)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"code":"invalid_api_key"}}')
  })
  const { provider: kind, base_url, model } = saved.body.language_model
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

test('a provider in a private network is refused when saved, unless the operator allows it', async () => {
  const server = await startServer('sqlite')
  const { botId } = await server.createBot()
  const params = { botId }
  for (const base_url of ['http://127.0.0.1:11434/v1', 'http://169.254.169.254/v1', 'http://user:pw@example.com/v1']) {
    const language_model = { provider: 'openai_compatible', base_url, model: 'm' }
    const answer = await server.call(`PATCH ${BOT}`, { token, params, body: { language_model } })
    expect([base_url, answer.status, answer.body.error.code]).toEqual([base_url, 400, 'validation_failed'])
    expect(answer.body.error.details).toEqual([
      { path: 'language_model.base_url', message: expect.stringMatching(/not allowed|must not contain|Enter a/) },
    ])
  }
  expect((await server.call(`GET ${BOT}`, { token, params })).body.language_model).toBeNull()
})

test('a provider that is no longer allowed is not called', async () => {
  const { provider, database, stop, key, botId } = await withModel('sqlite', says('Within 99 days [1].'))
  await stop()
  const again = await startServer('sqlite', { database })
  const answer = await again.call(CHAT, { token: key, body: { bot_id: botId, message: QUESTION } })
  expect(answer.body.response).toContain('within 30 days')
  expect(provider.requests).toEqual([])
})

test('the key is kept if omitted, removed by null, and never sent to another base URL', async () => {
  const { call, params, provider } = await withModel('sqlite', says('Yes [1].'))
  const patch = (language_model: object | null) => call(`PATCH ${BOT}`, { token, params, body: { language_model } })
  const settings = { provider: 'openai_compatible', base_url: provider.url, model: 'other' }
  expect((await patch(settings)).body.language_model).toMatchObject({ model: 'other', api_key_last_four: '8e21' })
  const elsewhere = await patch({ ...settings, base_url: 'http://127.0.0.1:9/v1' })
  expect(elsewhere.body.error.details).toEqual([
    { path: 'language_model.api_key', message: 'Enter the API key again when you change the provider or base URL.' },
  ])
  const other = await patch({ ...settings, provider: 'anthropic' })
  expect(other.body.error.details).toEqual([{ path: 'language_model.api_key', message: 'This field is required.' }])
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
  const answer = await call(`PATCH ${BOT}`, { token, params: { botId }, body: { language_model } })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toEqual([path])
})
