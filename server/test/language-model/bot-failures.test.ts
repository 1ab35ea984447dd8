// If the provider fails, the composer answers; if the client disconnects, usage is still counted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notifyOwners } from '../../src/conversations/model-call-limits.ts'
import { countRows, runStatement } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { startServer } from '../harness/start-server.ts'
import { expectInOneAttempt } from '../harness/timing.ts'
import { type Reply, says } from './fake-provider.ts'
import { allowLoopback, BOT, CHAT, events, KEY, QUESTION, saysInTwo, token, withModel } from './model-bot.ts'

// As documented in docs/guides/running.md.
const GIVE_UP_KEY =
  "INSERT INTO instance_values VALUES ('secret_key_fingerprint', 'lost') ON CONFLICT (name) DO UPDATE SET value = 'lost'"

test.each<[string, Reply, string]>([
  ['refuses the key', (response) => void response.writeHead(401).end('{}'), 'unauthorized'],
  ['is out of order', (response) => void response.writeHead(500).end('oh'), 'provider_error'],
  ['says nothing in time', () => {}, 'first_token_timeout'],
  ['cites nothing', says('Within 99 days, believe me.'), 'not_grounded'],
  [
    'sends a page',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('x'),
    'broken_response',
  ],
  ['redirects', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'bad_request'],
])('a provider that %s: the composer answers, and the reason is told', async (_, reply, reason) => {
  const isSilent = reason === 'first_token_timeout'
  const { ask, usage, logs } = await withModel('sqlite', reply, isSilent ? { timeout_ms: 1000 } : {})
  const { status, body } = await ask(QUESTION)
  expect(status).toBe(200)
  expect(body).toMatchObject({ answered: true, response: expect.stringContaining('within 30 days') })
  const { total, days } = await usage()
  expect(total).toMatchObject({ calls: 1, failed: 1 })
  expect(days[0].outcomes).toEqual({ [reason]: 1 })
  expect(logs()).toContain(`"failed":"${reason}"`)
  expect(logs()).not.toContain(KEY)
})

test('a provider that is down is not called for a while, so that the next visitor does not wait', async () => {
  await expectInOneAttempt(async (attempt) => {
    const { ask, provider, usage } = await withModel('sqlite', () => {}, { timeout_ms: 1000 * attempt })
    for (let visitor = 0; visitor < 3; visitor++)
      expect((await ask(QUESTION)).body.response).toContain('within 30 days')
    expect(provider.requests).toHaveLength(1)
    expect((await usage()).total.calls).toBe(1)
  })
})

test('if a bot is deleted while its model writes, the stream ends with the error and nothing is stored', async () => {
  const { reply, goOn } = saysInTwo('Within 30 days [1]. ', 'At no cost [1].')
  const { call, params, provider, ask, database } = await withModel('sqlite', reply)
  const responsePromise = ask(QUESTION, { stream: true })
  await expect.poll(() => provider.requests.length).toBe(1)
  expect((await call(`DELETE ${BOT}`, { token, params })).status).toBe(204)
  goOn()
  const all = events((await responsePromise).text)
  const data = { code: 'bot_not_found', status: 404, request_id: expect.any(String) }
  expect(all.at(-1)).toMatchObject({ name: 'error', data })
  expect(await countRows(database, 'messages')).toBe(0)
})

test('the mirror webhook gets the streamed answer, its replay, and the call whose client disconnected', async () => {
  let hanging = false
  const { reply } = saysInTwo('Within 30 days [1]. ', 'Never said [1].')
  const server = await withModel('sqlite', (response, request) =>
    hanging ? reply(response, request) : says('Within 30 days [1].')(response, request),
  )
  const { call, ask, params, keyId, key, botId, baseUrl, provider } = server
  const receiver = await startReceiver()
  const response = await call(`PATCH ${BOT}/keys/{keyId}`, {
    token,
    params: { ...params, keyId },
    body: { webhook_url: receiver.url },
  })
  expect(response.status, response.text).toBe(200)
  for (let time = 0; time < 2; time++) await ask(QUESTION, { stream: true }, { 'idempotency-key': 'once' })
  await receiver.waitForCount(2)
  hanging = true
  const controller = new AbortController()
  await fetch(`${baseUrl}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: botId, message: QUESTION, stream: true }),
    signal: controller.signal,
  })
  await expect.poll(() => provider.requests.length).toBe(2)
  controller.abort()
  const responses = (await receiver.waitForCount(3)).map(({ json }) => json.response)
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 408])
  expect(responses[0].body.response).toBe('Within 30 days.')
  expect(responses[1]).toEqual(responses[0])
})

test('if the model finds no answer in the passages, the visitor gets the fallback', async () => {
  const { ask, usage } = await withModel('sqlite', says('@@ not', ' found'))
  const { body } = await ask(QUESTION)
  expect(body).toMatchObject({ answered: false, sources: [] })
  expect(body.confidence).toBeLessThanOrEqual(0.2)
  expect((await usage()).days[0].outcomes).toEqual({ no_answer: 1 })
})

test('if SECRET_KEY was lost, the stored API key is unreadable: the composer answers, and nothing is sent', async () => {
  const { provider, database, stop, key, botId } = await withModel('sqlite', says('Within 99 days [1].'))
  expect(readFileSync(join(database.dataDir, 'secret-key'), 'utf8').length).toBeGreaterThan(32)
  await stop()
  await runStatement(database, GIVE_UP_KEY)
  const environment = { ...allowLoopback, SECRET_KEY: 'another-secret-of-32-characters-and-more' }
  const restartedServer = await startServer('sqlite', { database, environment })
  const response = await restartedServer.call(CHAT, { token: key, body: { bot_id: botId, message: QUESTION } })
  expect(response.body.response).toContain('within 30 days')
  expect(restartedServer.logs()).toContain('"failed":"misconfigured"')
  expect(provider.requests).toEqual([])
})

test('a mailbox that refuses mail does not prevent other owners from being told of a limit', async () => {
  const recipients: string[] = []
  const bot = { id: 'bot', workspaceId: 'ws', name: 'Helper', languageModel: null }
  const notification = notifyOwners(
    { bot, limit: 1, of: 'bot' },
    {
      members: { listOwners: async () => ['full', 'boss'].map((email) => ({ email })) as never },
      async sendMail({ to }) {
        if (to === 'full') throw new Error('mailbox full')
        recipients.push(String(to))
      },
      baseUrl: 'https://docent.test',
    },
  )
  await expect(notification).rejects.toThrow('1 of 2')
  expect(recipients).toEqual(['boss'])
})
