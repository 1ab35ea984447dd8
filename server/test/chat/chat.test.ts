import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { languageData } from '../../src/language/languages.ts'
import type { ApiResponse } from '../harness/call.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    markdown:
      '# Returns\n\nYou can send goods back within 30 days.\n\n## Refunds\n\nThe refund reaches your account within five working days.',
  },
  {
    id: 'opening',
    title: 'Opening hours',
    text: 'The workshop in Lindenstrasse is open from nine to six, Monday to Saturday.',
  },
]

const CHAT = 'POST /api/v1/chat'

async function withBot(engine: (typeof engines)[number]) {
  const server = await startServer(engine)
  const bot = await server.createBot({ documents })
  const ask = (message: string, more: object = {}, headers: Record<string, string> = {}) =>
    server.call(CHAT, { token: bot.key, body: { bot_id: bot.botId, message, ...more }, headers })
  return { ...server, ...bot, ask }
}

describe.each(engines)('the chat API on %s', (engine) => {
  test('an answer has a text, sources, a session and a confidence', async () => {
    const { ask } = await withBot(engine)
    const response = await ask('Within how many days can I send goods back?')
    expect(response.status).toBe(200)
    expect(response.body.response).toContain('30 days')
    expect(response.body.sources[0]).toEqual({ title: 'Returns', url: 'https://shop.test/returns' })
    expect(response.body.session_id).toMatch(/^ses_[0-9a-v]{26}$/)
    expect(response.body.answered).toBe(true)
    expect(response.body.confidence).toBeGreaterThan(0.5)
    expect(response.headers['x-request-id']).toMatch(/^req_/)
  })

  test('a source without a URL links to a reading page with the cited section, or to the bot’s site', async () => {
    const { ask, call, botId, baseUrl } = await withBot(engine)
    const question = 'When is the workshop in Lindenstrasse open?'
    const [source] = (await ask(question)).body.sources
    const [address, section] = source.url.split('#')
    expect(source.title).toBe('Opening hours')
    expect(new URL(address).pathname).toBe(`/sources/${botId}/opening`)
    const page = await fetch(baseUrl + new URL(address).pathname)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const read = async (name: string, documentId = 'opening') =>
      (
        await call('GET /api/chat/{botId}/sources/{documentId}', {
          params: { botId, documentId },
          query: { section: name },
        })
      ).body
    expect(await read(section)).toMatchObject({ found: true, title: 'Opening hours', text: documents[1]?.text })
    // A guessed id, another document's section and a document with its own URL have no reading page; nor has a guessed
    // text, whose plain hash anybody can compute.
    const plainHash = createHash('sha256').update(`opening\n${documents[1]?.text}`).digest('base64url').slice(0, 16)
    for (const [name, documentId] of [
      ['', 'opening'],
      [`s0-${plainHash}`, 'opening'],
      [`s0-${'A'.repeat(16)}`, 'opening'],
      [section, 'returns'],
      [section, 'none'],
    ] as const)
      expect(await read(name, documentId)).toMatchObject({ found: false, title: null, headings: [] })

    const change = (body: object) =>
      call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId }, body })
    await change({ source_pages: false })
    expect((await ask(question)).body.sources).toEqual([{ title: 'Opening hours', url: 'https://shop.test' }])
    expect((await read(section)).found).toBe(false)
    await change({ site_url: null })
    // It never links to the dashboard.
    expect(new URL((await ask(question)).body.sources[0].url).pathname).toBe(`/chat/${botId}`)
  })

  test('a question that matches nothing gets the fallback, without sources', async () => {
    const { ask } = await withBot(engine)
    const response = await ask('Which planets have rings?')
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ sources: [], answered: false })
    expect(response.body.response).not.toBe('')
  })

  test('a bot with no knowledge yet still answers 200', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId, key } = await createBot()
    const response = await call(CHAT, { token: key, body: { bot_id: botId, message: 'What does delivery cost?' } })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ sources: [], answered: false })
  })

  test('a session continues with its history', async () => {
    const { ask } = await withBot(engine)
    const first = await ask('Can I send goods back?')
    const second = await ask('And within how many days?', { session_id: first.body.session_id })
    expect(second.status).toBe(200)
    expect(second.body.session_id).toBe(first.body.session_id)
    expect(second.body.response).toContain('30 days')
  })

  test('a document is found when the request that added it returns, and gone when its removal returns', async () => {
    const { call, ask, botId } = await withBot(engine)
    const document = { id: 'parking', title: 'Parking', text: 'Parking behind the zeppelin hangar is free of charge.' }
    await call('POST /api/manage/v1/bots/{botId}/documents', {
      token: ADMIN_TOKEN,
      params: { botId },
      body: { documents: [document] },
    })
    expect((await ask('Is parking at the zeppelin hangar free?')).body.response).toContain('free of charge')
    await call('DELETE /api/manage/v1/bots/{botId}/documents/{documentId}', {
      token: ADMIN_TOKEN,
      params: { botId, documentId: 'parking' },
    })
    expect((await ask('Is parking at the zeppelin hangar free?')).body.answered).toBe(false)
  })

  test('stream: true sends start, deltas that add up to the answer, and done with the full answer', async () => {
    const { ask } = await withBot(engine)
    const response = await ask('Can I send goods back?', { stream: true })
    expect(response.headers['content-type']).toContain('text/event-stream')
    const events = parseEvents(response.text)
    expect(events[0]?.name).toBe('start')
    const lastEvent = events.at(-1)
    expect(lastEvent?.name).toBe('done')
    const deltaTexts = events.filter(({ name }) => name === 'delta').map(({ data }) => data.text)
    expect(deltaTexts.join('')).toBe(lastEvent?.data.response)
    expect(lastEvent?.data.session_id).toBe(events[0]?.data.session_id)
  })

  test('says how each reply came about, and begins a hedged one with the hedge', async () => {
    const { ask, call, botId } = await withBot(engine)
    const params = { botId }
    const token = ADMIN_TOKEN
    const question = 'Within how many days can I send goods back?'
    const body = { question: 'Where can I redeem a gift voucher?', answer: 'Below the basket.' }
    await call('POST /api/manage/v1/bots/{botId}/answers', { token, params, body })
    for (const [message, decision] of [
      [question, 'answer'],
      ['Where can I redeem a gift voucher?', 'curated'],
      ['Hello!', 'small_talk'],
      ['I want to talk to a human', 'person'],
      ['Which planets have rings?', 'fall_back'],
    ] as const)
      expect((await ask(message)).body.decision, message).toBe(decision)

    const { hedge } = languageData.en.fallback.formal
    const sure = await ask(question)
    await call('PATCH /api/manage/v1/bots/{botId}', { token, params, body: { answer_threshold: 1 } })
    const unsureAnswer = await ask(question)
    expect(unsureAnswer.body).toMatchObject({ decision: 'suggest', answered: true, sources: sure.body.sources })
    expect(unsureAnswer.body.response).toBe(`${hedge}\n\n${sure.body.response}`)
    const events = parseEvents((await ask(question, { stream: true })).text)
    expect(events.at(-1)).toMatchObject({ name: 'done', data: { decision: 'suggest' } })
    const deltas = events.filter(({ name }) => name === 'delta').map(({ data }) => data.text)
    expect(deltas.join('')).toBe(unsureAnswer.body.response)
  })

  test('the same idempotency key and body replays the answer and runs no second turn', async () => {
    const { ask } = await withBot(engine)
    const first = await ask('Can I send goods back?', {}, { 'idempotency-key': 'order-1' })
    const replay = await ask('Can I send goods back?', {}, { 'idempotency-key': 'order-1' })
    expect(replay.status).toBe(200)
    expect(replay.body).toEqual(first.body)
    const conflict = await ask('Another question', {}, { 'idempotency-key': 'order-1' })
    expect(conflict.status).toBe(409)
    expect(conflict.body.error.code).toBe('idempotency_conflict')
  })

  test('parallel calls with one idempotency key run the bot once', async () => {
    const { ask } = await withBot(engine)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('Can I send goods back?', {}, { 'idempotency-key': 'parallel' })),
    )
    const sessions = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.session_id))
    expect(sessions.size).toBe(1)
    for (const { status } of answers) expect([200, 409]).toContain(status)
  })

  test('an idempotency key can be reused after 24 hours', async () => {
    const { ask, clock } = await withBot(engine)
    const first = await ask('Can I send goods back?', {}, { 'idempotency-key': 'daily' })
    clock.now += 24 * 3_600_000 + 1000
    const dayLater = await ask('Can I send goods back?', {}, { 'idempotency-key': 'daily' })
    expect(dayLater.status).toBe(200)
    expect(dayLater.body.session_id).not.toBe(first.body.session_id)
  })

  test('a failed call releases its idempotency key', async () => {
    const { ask } = await withBot(engine)
    const failure = await ask('Hi', { session_id: 'ses_unknown' }, { 'idempotency-key': 'retry' })
    expect(failure.status).toBe(404)
    const retry = await ask('Hi', {}, { 'idempotency-key': 'retry' })
    expect(retry.status).toBe(200)
  })
})

describe.each(engines)('refused by the chat API on %s', (engine) => {
  test('an invented session, another bot’s session: 404 session_not_found', async () => {
    const server = await withBot(engine)
    const otherBot = await server.createBot({ documents })
    const session = await server.call(CHAT, { token: otherBot.key, body: { bot_id: otherBot.botId, message: 'Hello' } })
    for (const session_id of ['ses_invented', session.body.session_id]) {
      const response = await server.ask('Hello', { session_id })
      expect(response.status).toBe(404)
      expect(response.body.error.code).toBe('session_not_found')
    }
  })

  test('an unknown bot and another key’s bot are indistinguishable: 404 bot_not_found', async () => {
    const server = await withBot(engine)
    const otherBot = await server.createBot()
    const responses = await Promise.all(
      [otherBot.botId, 'bot_invented'].map((bot_id) =>
        server.call(CHAT, { token: server.key, body: { bot_id, message: 'Hi' } }),
      ),
    )
    for (const { status, body } of responses) {
      expect(status).toBe(404)
      expect({ ...body.error, request_id: '' }).toEqual({ ...responses[0]?.body.error, request_id: '' })
    }
    expect(responses[0]?.body.error.code).toBe('bot_not_found')
  })

  test.each(['free', 'starter'] as const)('plan %s: 403 plan_required, and the call counts', async (plan) => {
    const { call, createBot } = await startServer(engine)
    const { key, botId } = await createBot({ plan })
    const response = await call(CHAT, { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect(response.status).toBe(403)
    expect(response.body.error.code).toBe('plan_required')
    expect(response.headers['x-ratelimit-remaining']).toBe('999')
  })

  test('after an upgrade of the plan the API works on the next call', async () => {
    const { call, createBot } = await startServer(engine)
    const { key, botId, workspaceId } = await createBot({ plan: 'free' })
    const ask = () => call(CHAT, { token: key, body: { bot_id: botId, message: 'Hi' } })
    expect((await ask()).status).toBe(403)
    await call('PATCH /api/manage/v1/workspaces/{workspaceId}', {
      token: ADMIN_TOKEN,
      params: { workspaceId },
      body: { plan: 'business' },
    })
    expect((await ask()).status).toBe(200)
  })
})

test('every invalid field is reported once', async () => {
  const { call, key } = await withBot('sqlite')
  const response = await call(CHAT, {
    token: key,
    body: { message: '   ', session_id: 7, stream: 'yes', metadata: { deep: {} } },
  })
  expect(response.status).toBe(400)
  expect(response.body.error.code).toBe('validation_failed')
  const paths = response.body.error.details.map(({ path }: { path: string }) => path)
  expect(paths.sort()).toEqual(['bot_id', 'message', 'metadata.deep', 'session_id', 'stream'])
})

test('an empty body is reported field by field, like an empty object', async () => {
  const { call, key, botId } = await withBot('sqlite')
  const paths = (response: ApiResponse) => response.body.error.details.map(({ path }: { path: string }) => path)
  for (const options of [{}, { raw: '' }, { raw: '{}' }]) {
    const response = await call(CHAT, { token: key, ...options })
    expect([response.status, paths(response)]).toEqual([400, ['bot_id', 'message']])
  }
  const keys = await call('POST /api/manage/v1/bots/{botId}/keys', { token: ADMIN_TOKEN, params: { botId } })
  expect([keys.status, paths(keys)]).toEqual([400, ['name']])
})

test('an invalid field is reported by its name, even with slashes and tildes in it', async () => {
  const { ask } = await withBot('sqlite')
  const response = await ask('Hi', { metadata: { 'a/b~c~1': {} } })
  expect(response.body.error.details).toEqual([{ path: 'metadata.a/b~c~1', message: expect.any(String) }])
})

test('metadata must be flat, even under a name with a line break', async () => {
  const { ask } = await withBot('sqlite')
  for (const name of ['deep', 'a\nb', '\n', '', '\u2028', '__proto__x']) {
    expect([name, (await ask('Hi', { metadata: { [name]: { deep: 1 } } })).status]).toEqual([name, 400])
    expect([name, (await ask('Hi', { metadata: { [name]: 1 } })).status]).toEqual([name, 200])
  }
})

test('a message has 1 to 10,000 characters after trimming', async () => {
  const { ask, call, key, botId } = await withBot('sqlite')
  const status = async (message: string) => (await ask(message)).status
  expect(await status(` ${'a'.repeat(10_000)}  \n`)).toBe(200)
  expect(await status('🙂'.repeat(10_000))).toBe(200)
  const raw = `{"bot_id":"${botId}","message":"${'\\ud83d\\ude42'.repeat(10_000)}"}`
  expect((await call(CHAT, { token: key, raw })).status).toBe(200)
  expect(await status('a'.repeat(10_001))).toBe(400)
  expect(await status(' \n ')).toBe(400)
})

test('metadata over 4 KB is refused', async () => {
  const { ask } = await withBot('sqlite')
  expect((await ask('Hi', { metadata: { note: 'x'.repeat(4000) } })).status).toBe(200)
  const response = await ask('Hi', { metadata: { note: 'x'.repeat(4100) } })
  expect(response.status).toBe(400)
  expect(response.body.error.details[0].path).toBe('metadata')
})

test('unknown fields are ignored', async () => {
  const { ask } = await withBot('sqlite')
  expect((await ask('Hi', { temperature: 2, __proto__x: {} })).status).toBe(200)
})

test('an Accept header that excludes the response type gets 406', async () => {
  const { ask } = await withBot('sqlite')
  const status = async (accept: string, more = {}) => (await ask('Hi', more, { accept })).status
  expect(await status('text/html')).toBe(406)
  expect(await status('application/json;q=0')).toBe(406)
  expect(await status('application/*')).toBe(200)
  expect(await status('application/json', { stream: true })).toBe(406)
  expect(await status('text/event-stream', { stream: true })).toBe(200)
})

function parseEvents(text: string): { name: string; data: Record<string, string> }[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [name = '', data = ''] = block.split('\n')
      return { name: name.replace('event: ', ''), data: JSON.parse(data.replace('data: ', '')) }
    })
}
