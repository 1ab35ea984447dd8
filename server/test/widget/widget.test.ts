// The widget's public endpoints.
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { languageData } from '../../src/language/languages.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, type ServerOptions, startServer } from '../harness/start-server.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'

const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    text: 'You can return every item within 30 days.',
  },
  {
    id: 'delivery',
    title: 'Delivery',
    url: 'https://shop.test/delivery',
    text: 'Delivery to Austria takes three working days.',
  },
]
const MESSAGE = 'POST /api/chat/{botId}/message'
const BOT = '/api/manage/v1/bots/{botId}'

async function withBot(engine: (typeof engines)[number], options: ServerOptions = {}) {
  const server = await startServer(engine, options)
  const { botId } = await server.createBot({ documents, plan: 'free' })
  const patch = (body: object) => server.call(`PATCH ${BOT}`, { token: server.adminToken, params: { botId }, body })
  return { ...server, botId, patch, visitor: () => createVisitor(server.call, botId) }
}

describe.each(engines)('a visitor’s message on %s', (engine) => {
  test('is answered with a reply, its confidence and sources on every plan, without any credential', async () => {
    const { call, botId } = await withBot(engine)
    const body = { session_id: 'my-session', message: ' How many days do I have to return an item? ' }
    const { status, body: reply } = await call(MESSAGE, { params: { botId }, body })
    expect(status).toBe(200)
    expect(reply.reply).toContain('within 30 days')
    expect(reply.confidence).toBeGreaterThan(0.2)
    expect(reply).toMatchObject({
      buttons: expect.any(Array),
      session_id: 'my-session',
      message_id: expect.stringMatching(/^msg_/),
      answered: true,
      decision: 'answer',
      sources: [{ title: 'Returns', url: 'https://shop.test/returns' }],
      products: [],
      handover: { status: 'none' },
      lead_form: null,
      language: 'en',
      created_at: expect.any(String),
      visitor_token: expect.stringMatching(/^dct_visitor_/),
    })
  })

  test('is told with the reply how it came about, streamed or not, and nothing while a person has the conversation', async () => {
    const { call, patch, visitor, botId, adminToken } = await withBot(engine)
    const question = 'How many days do I have to return an item?'
    await patch({ answer_threshold: 1 })
    const ada = visitor()
    const { body } = await ada.say(question)
    expect(body.decision).toBe('suggest')
    expect(body.reply).toBe(`${languageData.en.fallback.formal.hedge}\n\n${documents[0]?.text}`)
    const response = await ada.say(question, { stream: true })
    expect(response.text).toMatch(/event: done\ndata: .*"decision":"suggest"/)
    expect((await ada.say('Thank you!')).body.decision).toBe('small_talk')
    expect((await ada.say('What is the capital of Mongolia?')).body.decision).toBe('fall_back')
    expect((await ada.say('I want to talk to a human')).body.decision).toBe('person')
    const params = { botId }
    const { items } = (await call(`GET ${BOT}/conversations`, { token: adminToken, params })).body
    await call(`POST ${BOT}/conversations/{conversationId}/accept`, {
      token: adminToken,
      params: { botId, conversationId: items[0].id },
    })
    expect((await ada.say(question)).body).toMatchObject({ reply: '', decision: null })
  })

  test('without a session gets one that cannot be guessed, and a token on first contact only', async () => {
    const { visitor } = await withBot(engine)
    const ada = visitor()
    const first = await ada.say('How long does delivery to Austria take?')
    expect(first.body.session_id).toMatch(/^ses_[0-9a-v]{26}$/)
    const second = await ada.say('And returns?')
    expect(second.body.session_id).toBe(first.body.session_id)
    expect(second.body.visitor_token).toBeUndefined()
    expect((await ada.history()).body.messages).toHaveLength(4)
  })

  test('keeps the context of its session without the token, message after message', async () => {
    const { call, botId, adminToken } = await withBot(engine)
    const more = { id: 'swiss', title: 'Switzerland', text: 'Delivery to Switzerland takes eight working days.' }
    await call(`POST ${BOT}/documents`, { token: adminToken, params: { botId }, body: { documents: [more] } })
    const say = (message: string) => call(MESSAGE, { params: { botId }, body: { session_id: 'stable', message } })
    await say('How long does delivery to Austria take?')
    for (const [message, answer] of [
      ['And to Switzerland?', 'eight'],
      ['And to Austria?', 'three'],
    ] as const) {
      const { body } = await say(message)
      expect(body).toMatchObject({ session_id: 'stable', reply: expect.stringContaining(answer) })
      expect(body.visitor_token).toBeUndefined()
    }
  })

  test('starts one conversation, even if many arrive at once under one session', async () => {
    const { call, botId } = await withBot(engine)
    const body = { session_id: 'same', message: 'How long does delivery to Austria take?' }
    const responses = await Promise.all(Array.from({ length: 6 }, () => call(MESSAGE, { params: { botId }, body })))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const tokens = responses.flatMap((response) => response.body.visitor_token ?? [])
    expect(tokens).toHaveLength(1)
    const params = { botId }
    const inbox = 'GET /api/manage/v1/bots/{botId}/conversations'
    const { items } = (await call(inbox, { token: ADMIN_TOKEN, params })).body
    expect(items).toHaveLength(1)
    const conversationId = items[0].id as string
    const all = await call(`${inbox}/{conversationId}`, { token: ADMIN_TOKEN, params: { botId, conversationId } })
    expect(all.body.messages).toHaveLength(12)
    // Its visitor reads what came with the token, or made it.
    const headers = { 'x-visitor-token': tokens[0] }
    const history = await call('GET /api/chat/{botId}/history', { params, headers })
    expect(history.body.messages).toHaveLength(2)
  })

  test('streams as server-sent events whose last one has the complete reply', async () => {
    const { call, botId } = await withBot(engine)
    const body = { message: 'How many days do I have to return an item?', stream: true }
    const response = await call(MESSAGE, { params: { botId }, body })
    expect(response.headers['content-type']).toContain('text/event-stream')
    expect(response.headers['access-control-allow-origin']).toBe('*')
    const events = response.text
      .trim()
      .split('\n\n')
      .map((event) => {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
        return { name, data: JSON.parse(data ?? '{}') }
      })
    expect(events[0]?.name).toBe('start')
    const lastEvent = events.at(-1)
    expect(lastEvent?.name).toBe('done')
    const deltas = events.filter(({ name }) => name === 'delta').map(({ data }) => data.text)
    expect(deltas.join('')).toBe(lastEvent?.data.reply)
    expect(lastEvent?.data.visitor_token).toMatch(/^dct_visitor_/)
  })

  test('that is empty, too long, or has an invalid session or bot gets a clear error and starts nothing', async () => {
    const { call, botId, adminToken } = await withBot(engine)
    const refused = async (body: unknown, status: number, id = botId) => {
      const response = await call(MESSAGE, { params: { botId: id }, body })
      expect([response.status, JSON.stringify(body).slice(0, 60)]).toEqual([status, JSON.stringify(body).slice(0, 60)])
      expect(response.body.error.code).toBeDefined()
    }
    await refused({ message: '   ' }, 400)
    await refused({}, 400)
    await refused({ message: 'x'.repeat(4001) }, 400)
    await refused({ message: 'x', session_id: 'a b' }, 400)
    await refused({ message: 'x', session_id: 'x'.repeat(129) }, 400)
    await refused({ message: 'x', visitor: { email: 'no address' } }, 400)
    await refused({ message: 'x', page_url: 'javascript:alert(1)' }, 400)
    await refused({ message: 'x', more: 'y'.repeat(70_000) }, 413)
    await refused({ message: 'x' }, 404, 'bot_unknown')
    const list = await call(`GET ${BOT}/conversations`, { token: adminToken, params: { botId } })
    expect(list.body.items).toEqual([])
  })
})

describe('the history', () => {
  test('can be read only with the visitor’s token, not with a session id', async () => {
    const { call, botId, visitor } = await withBot('sqlite')
    const ada = visitor()
    await ada.say('My secret is teal. How long does delivery take?', { session_id: 'guessable' })
    const bob = visitor()
    await bob.say('Hello', { session_id: 'other' })
    for (const token of ['', 'dct_visitor_x', bob.token()]) {
      for (const route of ['history', 'events']) {
        const headers = token ? { 'x-visitor-token': token } : {}
        const query = { session_id: 'guessable' }
        const response = await call(`GET /api/chat/{botId}/${route}`, { params: { botId }, headers, query })
        expect([401, 404]).toContain(response.status)
        expect(response.text).not.toContain('teal')
      }
      for (const route of ['lead', 'handover', 'feedback', 'typing']) {
        const body = { session_id: 'guessable', fields: { email: 'a@b.example' }, message_id: 'msg_1', rating: 'up' }
        const headers = token ? { 'x-visitor-token': token } : {}
        const response = await call(`POST /api/chat/{botId}/${route}`, { params: { botId }, headers, body })
        expect(response.text).not.toContain('teal')
        // A request for a person opens a conversation of its own.
        if (route === 'handover') expect(response.body.session_id).not.toBe('guessable')
        else if (route !== 'typing') expect(response.status, route).toBeGreaterThanOrEqual(400)
      }
    }
    const stranger = await call(MESSAGE, { params: { botId }, body: { session_id: 'guessable', message: 'Hello' } })
    expect(stranger.text).not.toContain('teal')
    expect(stranger.body.visitor_token).toBeUndefined()
  })

  test('cannot be read by whoever used the session id first: messages without the token belong to nobody', async () => {
    const { call, botId, visitor } = await withBot('sqlite')
    const squatter = visitor()
    await squatter.say('Hello', { session_id: 'user-42' })
    await call(MESSAGE, {
      params: { botId },
      body: { session_id: 'user-42', message: 'I live in Teal Street. Delivery?' },
    })
    await squatter.say('How long does delivery take?', { session_id: 'user-42' })
    const { body } = await squatter.history()
    expect(body.messages.map(({ text }: { text: string }) => text).join(' ')).not.toContain('Teal')
    expect(body.messages).toHaveLength(4)
  })

  test('is returned in order, in pages, with sources and buttons', async () => {
    const { visitor, call, botId } = await withBot('sqlite')
    const ada = visitor()
    await ada.say('How long does delivery to Austria take?')
    await ada.say('What is the capital of Mongolia?')
    const { body } = await ada.history()
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(['visitor', 'bot', 'visitor', 'bot'])
    expect(body.messages[1].sources).toHaveLength(1)
    expect(body.messages[3].buttons).toEqual([expect.objectContaining({ type: 'handover' })])
    const headers = { 'x-visitor-token': ada.token() }
    const newest = await call('GET /api/chat/{botId}/history', { params: { botId }, headers, query: { limit: 1 } })
    expect(newest.body).toMatchObject({ has_more: true, messages: [{ id: body.messages[3].id }] })
    const query = { limit: 10, before: body.messages[2].id }
    const older = await call('GET /api/chat/{botId}/history', { params: { botId }, headers, query })
    expect(older.body.messages).toEqual(body.messages.slice(0, 2))
  })
})

describe('origins', () => {
  test('are all allowed when the bot lists none, and only the listed ones otherwise', async () => {
    const { call, botId, patch, clock } = await withBot('sqlite')
    const from = (origin: string | null) =>
      call('GET /api/chat/{botId}/config', { params: { botId }, headers: origin ? { origin } : {} })
    const openResponse = await from('https://anywhere.test')
    expect(openResponse.headers['access-control-allow-origin']).toBe('*')
    // Otherwise the browser would answer a second page from its cache, and nobody would know of it.
    expect(openResponse.headers.vary).toBe('Origin')
    await patch({ allowed_origins: ['https://Shop.test'] })
    clock.now += 60_000
    const allowedResponse = await from('https://shop.test')
    expect([allowedResponse.status, allowedResponse.headers['access-control-allow-origin']]).toEqual([
      200,
      'https://shop.test',
    ])
    expect(allowedResponse.headers.vary).toBe('Origin')
    const refusal = await from('https://evil.test')
    expect([refusal.status, refusal.body.error.code]).toEqual([403, 'origin_not_allowed'])
    expect((await from('https://docent.test')).status).toBe(200)
    expect((await from(null)).status).toBe(200)
    // The owner sees where it was installed; pages of our own do not count.
    const bot = await call('GET /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
    expect(bot.body.widget_seen).toEqual({ origin: 'https://shop.test', at: expect.any(String) })
    expect(allowedResponse.headers['access-control-allow-credentials']).toBeUndefined()
    expect(allowedResponse.headers['set-cookie']).toBeUndefined()
  })

  test('of pages that only send messages count as installed', async () => {
    const { call, botId } = await withBot('sqlite')
    const headers = { origin: 'http://localhost:3000' }
    await call('POST /api/chat/{botId}/message', { params: { botId }, headers, body: { message: 'Hello' } })
    const bot = await call('GET /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId } })
    expect(bot.body.widget_seen).toMatchObject({ origin: headers.origin })
  })

  test('can send preflight requests', async () => {
    const { baseUrl, botId } = await withBot('sqlite')
    const response = await fetch(`${baseUrl}/api/chat/${botId}/message`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.test', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('x-visitor-token')
  })

  test.each(engines)('that a bot does not list are refused in preflight requests too, on %s', async (engine) => {
    const { baseUrl, botId, patch } = await withBot(engine)
    await patch({ allowed_origins: ['https://Shop.test'] })
    const ask = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const response = await fetch(`${baseUrl}/api/chat/${botId}/message`, { method: 'OPTIONS', headers })
      const code = response.status === 204 ? null : JSON.parse(await response.text()).error.code
      return [response.status, response.headers.get('access-control-allow-origin'), response.headers.get('vary'), code]
    }
    expect(await ask('https://shop.test')).toEqual([204, 'https://shop.test', 'Origin', null])
    expect(await ask('https://docent.test')).toEqual([204, 'https://docent.test', 'Origin', null])
    expect(await ask('https://evil.test')).toEqual([403, null, 'Origin', 'origin_not_allowed'])
  })

  test('that are invalid are refused when saved', async () => {
    const { patch } = await withBot('sqlite')
    for (const origin of ['shop.test', 'https://shop.test/path', 'https://user@shop.test', 'javascript:x', '*']) {
      expect([origin, (await patch({ allowed_origins: [origin] })).status]).toEqual([origin, 400])
    }
  })
})

test('the appearance is public and follows the settings at once; invalid settings are refused', async () => {
  const { call, botId, patch } = await withBot('sqlite')
  const config = async () => (await call('GET /api/chat/{botId}/config', { params: { botId } })).body
  expect(await config()).toMatchObject({ bot_id: botId, title: null, colour: '#2f6f4f', handover: { open: true } })
  await patch({ widget: { title: 'Ask us', colour: '#112233' }, handover: { wait_seconds: 30 } })
  await patch({ widget: { position: 'left' } })
  expect(await config()).toMatchObject({ title: 'Ask us', colour: '#112233', position: 'left' })
  expect((await config()).handover.wait_seconds).toBe(30)
  for (const body of [
    { widget: { colour: 'red' } },
    { widget: { logo_url: 'javascript:alert(1)' } },
    { handover: { hours: { timezone: 'Nowhere/Here', open: [] } } },
    { lead_form: { intro: null, consent_text: null, fields: [] } },
  ]) {
    expect([body, (await patch(body)).status]).toEqual([body, 400])
  }
})

test('with a separate widget host, the widget is served only there and the rest only on the main host', async () => {
  const environment = { BASE_URL: 'https://docent.test', WIDGET_BASE_URL: 'https://chat.test' }
  const { baseUrl, botId } = await withBot('sqlite', { environment })
  const status = (path: string, host: string) =>
    new Promise<number | undefined>((done, reject) => {
      const { port } = new URL(baseUrl)
      get({ port, path, host: '127.0.0.1', headers: { host } }, (response) => done(response.resume().statusCode)).on(
        'error',
        reject,
      )
    })
  const config = `/api/chat/${botId}/config`
  expect(await status(config, 'chat.test')).toBe(200)
  expect(await status(config, 'docent.test')).toBe(404)
  expect(await status('/openapi.json', 'docent.test')).toBe(200)
  expect(await status('/openapi.json', 'chat.test')).toBe(404)
  expect(await status('/api/manage/v1/bots', 'chat.test')).toBe(404)
  expect(await status('/livez', 'chat.test')).toBe(200)
  // Of the page that people see at any other address.
  expect(await status('/docs/guides.css', 'chat.test')).toBe(200)
  expect(await status('/docs/guides.css', 'docent.test')).toBe(200)
  expect(await status(config, '10.0.0.7')).toBe(200)
  // Its links lead to the host that has a dashboard and guides.
  const notFoundHtml = await new Promise<string>((done) => {
    const headers = { host: 'chat.test', accept: 'text/html' }
    get({ port: new URL(baseUrl).port, path: '/nothing', host: '127.0.0.1', headers }, async (response) =>
      done(await text(response)),
    )
  })
  expect(notFoundHtml).toContain('href="https://docent.test/"')
  expect(notFoundHtml).toContain('href="https://docent.test/docs"')
})

test.each(['é', '你', '🙂'])('4,000 characters fit, however a client writes %s', async (character) => {
  const { call, botId } = await withBot('sqlite')
  const message = character.repeat(4000)
  const escapes = Array.from(
    { length: message.length },
    (_, at) => `\\u${message.charCodeAt(at).toString(16).padStart(4, '0')}`,
  )
  const raw = `{"message":"${escapes.join('')}"}`
  const response = await call('POST /api/chat/{botId}/message', { params: { botId }, raw })
  expect(response.status).toBe(200)
})

test.each(engines)('the event stream of a bot includes conversations of the chat API, on %s', async (engine) => {
  const { baseUrl, call, createBot } = await startServer(engine)
  const { botId, key } = await createBot()
  const stream = await openStream(`${baseUrl}/api/manage/v1/bots/${botId}/events`, {
    authorization: `Bearer ${ADMIN_TOKEN}`,
  })
  const params = { botId }
  await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hello' } })
  await stream.waitForEvent('conversation')
  const { body } = await call('GET /api/manage/v1/bots/{botId}/conversations', { token: ADMIN_TOKEN, params })
  expect(stream.events[0]?.data).toMatchObject({ conversation_id: body.items[0].id })
})
