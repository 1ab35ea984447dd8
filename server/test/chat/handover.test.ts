// Handover from the bot to an agent and back: who has a conversation, and who is notified.

import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, type ServerOptions, startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'
const ONE = `${BOT}/conversations/{conversationId}`
const UNKNOWN = 'What is the capital of Mongolia?'

async function withAgent(engine: (typeof engines)[number], options: ServerOptions = {}) {
  const receiver = await startReceiver()
  const server = await startServer(engine, {
    ...options,
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', ...options.environment },
  })
  const { botId, workspaceId } = await server.createBot({ documents, webhookUrl: receiver.url })
  const member = await createMember(server.call, workspaceId, 'agent', 'Grace')
  const { token } = member
  const patch = (body: object) => server.call(`PATCH ${BOT}`, { token: server.adminToken, params: { botId }, body })
  const open = async () => {
    const list = await server.call(`GET ${BOT}/conversations`, {
      token,
      params: { botId },
      query: { handover: 'open' },
    })
    return list.body.items
  }
  const act = (action: string, conversationId: string, body?: object, as = token) =>
    server.call(`POST ${ONE}/${action}`, { token: as, params: { botId, conversationId }, ...(body ? { body } : {}) })
  const events = (type: string) =>
    receiver.received.map(({ json }) => json).filter(({ event_type }) => event_type.startsWith(type))
  const heard = async (type: string, count: number) => {
    await waitFor(() => events(type).length >= count, `${count} events ${type}`)
    return events(type)
  }
  const visitor = () => createVisitor(server.call, botId)
  return { ...server, botId, workspaceId, member, token, patch, open, act, heard, events, visitor }
}

describe.each(engines)('handover on %s', (engine) => {
  test('goes from requested to active to closed, with the bot silent in between, and every step is reported', async () => {
    const { visitor, open, act, heard } = await withAgent(engine)
    const ada = visitor()
    const response = await ada.say('I want to talk to a human, please')
    expect(response.body).toMatchObject({ handover: { status: 'requested' }, buttons: [], rateable: false })
    expect(response.body.reply).toContain('passed your conversation on')
    const [conversation] = await open()
    expect(conversation.handover).toMatchObject({ status: 'requested', reason: 'visitor_request', agent_name: null })
    // A request for a person does not count as an unanswered question.
    expect(conversation.unanswered).toBe(false)
    expect((await ada.history()).body.messages.at(-1)).toMatchObject({ role: 'bot', rateable: false })

    const acceptance = await act('accept', conversation.id)
    expect(acceptance.body.handover).toMatchObject({ status: 'active', agent_name: 'Grace', reason: 'visitor_request' })
    const silent = await ada.say('How many days do I have to return an item?')
    expect(silent.body).toMatchObject({ reply: '', message_id: null, handover: { status: 'active' }, answered: false })
    expect((await act('messages', conversation.id, { text: '30 days, Ada.' })).status).toBe(201)
    const history = (await ada.history()).body
    expect(history.messages.at(-1)).toMatchObject({ role: 'agent', agent_name: 'Grace', text: '30 days, Ada.' })
    expect(history.handover).toEqual({ status: 'active', agent_name: 'Grace' })

    expect((await act('close', conversation.id)).body.handover.status).toBe('closed')
    const laterReply = await ada.say('How many days do I have to return an item?')
    expect(laterReply.body.reply).toContain('30 days')
    expect(laterReply.body.handover).toEqual({ status: 'closed' })

    const steps = await heard('handover.', 3)
    expect(steps.map(({ event_type }) => event_type).sort()).toEqual([
      'handover.accepted',
      'handover.closed',
      'handover.requested',
    ])
    expect(steps.find(({ event_type }) => event_type === 'handover.requested').data).toEqual({
      reason: 'visitor_request',
      message: 'I want to talk to a human, please',
      visitor: { id: expect.stringMatching(/^vis_/), level: 'anonymous', user_id: null },
    })
    const messages = await heard('conversation.message', 6)
    const decisions = messages.map(({ data }) => data.message.decision).filter(Boolean)
    expect(decisions.sort()).toEqual(['answer', 'person'])
    expect(messages.map(({ data }) => data.message.role)).toContain('agent')
  })

  test('is requested by the bot after two unanswered questions in a row, not after one', async () => {
    const { visitor, heard } = await withAgent(engine)
    const ada = visitor()
    expect((await ada.say(UNKNOWN)).body.handover.status).toBe('none')
    expect((await ada.say('How many days do I have to return an item?')).body.answered).toBe(true)
    expect((await ada.say(UNKNOWN)).body.handover.status).toBe('none')
    expect((await ada.say('Who painted the Mona Lisa?')).body.handover.status).toBe('requested')
    expect((await heard('handover.requested', 1))[0].data.reason).toBe('low_confidence')
  })

  test('is requested once, even by parallel requests', async () => {
    const { visitor, heard, events } = await withAgent(engine)
    const ada = visitor()
    await ada.say('Hello')
    await Promise.all(Array.from({ length: 5 }, () => ada.post('handover')))
    await heard('handover.requested', 1)
    await ada.say('Hello')
    await heard('conversation.message', 4)
    expect(events('handover.requested')).toHaveLength(1)
  })

  test('once an agent has taken over, a message without the token starts a separate conversation', async () => {
    const { call, botId, visitor, open, act } = await withAgent(engine)
    const stranger = () =>
      call('POST /api/chat/{botId}/message', {
        params: { botId },
        body: { session_id: 'guessable', message: 'How many days do I have to return an item?' },
      })
    const ada = visitor()
    await ada.say('I want to talk to a human, please', { session_id: 'guessable' })
    const [conversation] = await open()
    expect((await stranger()).body).toMatchObject({ session_id: 'guessable', handover: { status: 'none' } })
    await act('accept', conversation.id)
    const expectSeparate = async () => {
      const { body } = await stranger()
      expect(body.session_id).toMatch(/^ses_/)
      expect(body).toMatchObject({ handover: { status: 'none' }, visitor_token: expect.any(String) })
      expect(body.reply).toContain('30 days')
      const headers = { 'x-visitor-token': body.visitor_token }
      const history = await call('GET /api/chat/{botId}/history', { params: { botId }, headers })
      expect(history.body.messages).toHaveLength(2)
    }
    await expectSeparate()
    const adaReply = await ada.say('Hello Grace')
    expect(adaReply.body).toMatchObject({ session_id: 'guessable', handover: { status: 'active' } })
    await act('messages', conversation.id, { text: 'Hello Ada' })
    await act('close', conversation.id)
    await expectSeparate()
    await ada.say('I want to talk to a human, please')
    await expectSeparate()
    expect((await ada.history()).body.messages).toHaveLength(6)
  })

  test('if two agents take over at once, one of them gets the conversation', async () => {
    const { call, workspaceId, visitor, open, act } = await withAgent(engine)
    const second = await createMember(call, workspaceId, 'agent', 'Alan')
    await visitor().say('I want to talk to a human, please')
    const [conversation] = await open()
    const responses = await Promise.all([
      act('accept', conversation.id),
      act('accept', conversation.id, undefined, second.token),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const [takenConversation] = await open()
    expect(['Grace', 'Alan']).toContain(takenConversation.handover.agent_name)
  })
})

describe('handover', () => {
  test('is requested by the bot’s keywords, as whole words', async () => {
    const { visitor, patch, heard } = await withAgent('sqlite')
    await patch({ handover: { keywords: ['lawyer', '投诉'] } })
    expect((await visitor().say('Do you sell lawyerly books?')).body.handover.status).toBe('none')
    expect((await visitor().say('I will call my Lawyer!')).body.handover.status).toBe('requested')
    expect((await visitor().say('我要投诉你们')).body.handover.status).toBe('requested')
    expect((await heard('handover.requested', 2))[0].data.reason).toBe('rule')
  })

  test('outside office hours offers the contact form instead, and notifies nobody', async () => {
    const { visitor, patch, clock, open } = await withAgent('sqlite')
    const hours = { timezone: 'Europe/Vienna', open: [{ days: ['mon', 'tue'], from: '09:00', to: '17:00' }] }
    await patch({ handover: { hours } })
    clock.now = Date.UTC(2026, 10, 16, 16, 30)
    const lateReply = await visitor().say('I want to talk to a human')
    expect(lateReply.body).toMatchObject({ handover: { status: 'none' }, lead_form: { fields: expect.any(Array) } })
    const response = await visitor().post('handover')
    expect(response.body).toMatchObject({ handover: { status: 'none' }, lead_form: { fields: expect.any(Array) } })
    expect(response.body.visitor_token).toMatch(/^dct_visitor_/)
    expect(await open()).toEqual([])
    clock.now = Date.UTC(2026, 10, 16, 15, 30)
    expect((await visitor().say('I want to talk to a human')).body.handover.status).toBe('requested')
  })

  test('is not offered where handover is turned off', async () => {
    const { visitor, patch } = await withAgent('sqlite')
    await patch({ handover: { enabled: false } })
    const ada = visitor()
    const first = await ada.say(UNKNOWN)
    expect(first.body.buttons).toEqual([expect.objectContaining({ type: 'lead_form' })])
    expect((await ada.say(UNKNOWN)).body.handover.status).toBe('none')
    await patch({ lead_form: null })
    expect((await ada.say(UNKNOWN)).body.buttons).toEqual([])
    expect((await ada.say('I want to talk to a human')).body).toMatchObject({
      lead_form: null,
      handover: { status: 'none' },
    })
  })

  test('can be ended by the visitor, and requested again', async () => {
    const { visitor, open } = await withAgent('sqlite')
    const ada = visitor()
    await ada.post('handover')
    expect(await open()).toHaveLength(1)
    expect((await ada.post('handover', { action: 'end' })).body.handover.status).toBe('closed')
    expect((await ada.post('handover')).body.handover.status).toBe('requested')
  })

  test('an agent’s reply takes over the conversation; chat API conversations cannot be replied to', async () => {
    const { call, botId, token, createBot, visitor, act, adminToken } = await withAgent('sqlite')
    await visitor().say('Hello')
    const list = () => call(`GET ${BOT}/conversations`, { token, params: { botId } })
    const [conversation] = (await list()).body.items
    await act('messages', conversation.id, { text: 'Hello, I am Grace' })
    expect((await list()).body.items[0].handover).toMatchObject({ status: 'active', agent_name: 'Grace', reason: null })
    const { key, botId: otherBotId } = await createBot({ documents })
    await call('POST /api/v1/chat', { token: key, body: { bot_id: otherBotId, message: 'Hello' } })
    const ofApi = await call(`GET ${BOT}/conversations`, { token: adminToken, params: { botId: otherBotId } })
    const params = { botId: otherBotId, conversationId: ofApi.body.items[0].id }
    for (const [action, body] of [
      ['messages', { text: 'Hi' }],
      ['accept', undefined],
    ] as const) {
      const response = await call(`POST ${ONE}/${action}`, { token: adminToken, params, ...(body ? { body } : {}) })
      expect([action, response.body.error?.code]).toEqual([action, 'not_a_widget_conversation'])
    }
  })

  test('notes are visible to members and never to the visitor', async () => {
    const { call, botId, token, visitor, act } = await withAgent('sqlite')
    const ada = visitor()
    await ada.say('Hello')
    const list = await call(`GET ${BOT}/conversations`, { token, params: { botId } })
    const conversationId = list.body.items[0].id
    expect((await act('notes', conversationId, { text: 'difficult customer' })).status).toBe(201)
    const details = await call(`GET ${ONE}`, { token, params: { botId, conversationId } })
    expect(details.body.notes).toEqual([expect.objectContaining({ text: 'difficult customer', author: 'Grace' })])
    expect((await ada.history()).text).not.toContain('difficult')
  })

  test('the inbox can be filtered by state, text and visitor', async () => {
    const { call, botId, token, visitor } = await withAgent('sqlite')
    await visitor().say('How many days do I have to return 100%_items?', {
      visitor: { name: 'Ada', email: 'ada@shop.test' },
    })
    await visitor().say(UNKNOWN)
    const find = async (query: Record<string, string>) =>
      (await call(`GET ${BOT}/conversations`, { token, params: { botId }, query })).body.items
    expect(await find({})).toHaveLength(2)
    expect(await find({ unanswered: 'true' })).toEqual([expect.objectContaining({ unanswered: true })])
    expect(await find({ q: '100%_ITEMS' })).toHaveLength(1)
    expect(await find({ q: '100%%items' })).toEqual([])
    const [ada] = await find({ q: 'return' })
    expect(ada.visitor).toMatchObject({ name: 'Ada', email: 'ada@shop.test' })
    expect(await find({ visitor_id: ada.visitor.id })).toHaveLength(1)
    expect(await find({ channel: 'api' })).toEqual([])
    expect(await find({ handover: 'open' })).toEqual([])
  })
})

describe.each(engines)('live updates on %s', (engine) => {
  test('a visitor gets replies, states and typing as they happen, and what was missed', async () => {
    const { baseUrl, botId, visitor, open, act } = await withAgent(engine)
    const ada = visitor()
    await ada.say('I want to talk to a human, please')
    const url = `${baseUrl}/api/chat/${botId}/events`
    const headers = { 'x-visitor-token': ada.token() }
    const stream = await openStream(url, headers)
    expect(stream.status).toBe(200)
    await stream.waitForEvent('handover')
    const [conversation] = await open()
    await act('accept', conversation.id)
    await act('typing', conversation.id)
    await act('messages', conversation.id, { text: 'Hello Ada' })
    await stream.waitForEvent('message')
    await stream.waitForEvent('typing')
    await stream.waitForEvent('handover', 2)
    expect(stream.events.at(-1)?.data).toMatchObject({ role: 'agent', text: 'Hello Ada', agent_name: 'Grace' })
    await stream.hangUp()
    await act('messages', conversation.id, { text: 'Are you there?' })
    const { messages } = (await ada.history()).body
    const laterStream = await openStream(`${url}?after=${messages.at(-2).id}`, headers)
    await laterStream.waitForEvent('message')
    expect(laterStream.events.filter(({ name }) => name === 'message').map(({ data }) => data.text)).toEqual([
      'Are you there?',
    ])
  })

  test('agents get the events of all conversations of the bot, and of no other bot', async () => {
    const { baseUrl, botId, token, createBot, call, visitor } = await withAgent(engine)
    const { botId: otherBotId } = await createBot({ documents })
    const stream = await openStream(`${baseUrl}/api/manage/v1/bots/${botId}/events`, {
      authorization: `Bearer ${token}`,
    })
    await createVisitor(call, otherBotId).say('Hello there')
    const ada = visitor()
    await ada.say('I want to talk to a human, please')
    await ada.post('typing')
    await stream.waitForEvent('typing')
    const kinds = stream.events.map(({ name, data }) => (name === 'typing' ? data.by : data.kind))
    expect(kinds).toEqual(['message', 'handover', 'visitor'])
    expect(new Set(stream.events.map(({ data }) => data.conversation_id)).size).toBe(1)
  })
})

test('an agent’s reply on one node reaches the visitor on another', async () => {
  const one = await withAgent('postgres')
  const two = await startServer('postgres', { database: one.database })
  const ada = one.visitor()
  await ada.say('I want to talk to a human, please')
  const stream = await openStream(`${two.baseUrl}/api/chat/${one.botId}/events`, { 'x-visitor-token': ada.token() })
  const [conversation] = await one.open()
  await one.act('messages', conversation.id, { text: 'Hello from the other side' })
  await stream.waitForEvent('message')
  expect(stream.events.at(-1)?.data.text).toBe('Hello from the other side')
})

test('streams per IP address are limited, and a server stop ends open streams', async () => {
  const { baseUrl, botId, visitor, stop } = await withAgent('sqlite', {
    environment: { WIDGET_STREAMS_PER_ADDRESS: '1' },
  })
  const ada = visitor()
  await ada.say('Hello')
  const url = `${baseUrl}/api/chat/${botId}/events`
  const headers = { 'x-visitor-token': ada.token() }
  const stream = await openStream(url, headers)
  expect((await openStream(url, headers)).status).toBe(429)
  await stream.hangUp()
  await waitFor(async () => {
    const newStream = await openStream(url, headers)
    return newStream.status === 200
  }, 'the place to be free again')
  await stop()
})

test('a handover request is not lost when its transaction runs into a deadlock', async () => {
  const { visitor, open, database } = await withAgent('postgres')
  for (const sql of [
    'CREATE SEQUENCE attempts',
    // Unlike a table, a sequence is not rolled back with the transaction.
    `CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('attempts') = 2 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
       RETURN NEW;
     END $$`,
    'CREATE TRIGGER deadlocks BEFORE INSERT ON activity FOR EACH ROW EXECUTE FUNCTION deadlock()',
  ])
    await queryRows(database, sql)
  const response = await visitor().post('handover', {})
  expect(response.body.handover.status).toBe('requested')
  const [counter] = await queryRows(database, 'SELECT last_value AS attempts FROM attempts')
  expect(Number(counter?.attempts)).toBeGreaterThan(2)
  expect(await open()).toHaveLength(1)
})

describe.each(engines)('somebody who knows a session id but has no token, on %s', (engine) => {
  test('changes nothing in the conversation, learns nothing of its state, and is marked in the inbox', async () => {
    const { call, createBot } = await startServer(engine)
    const { botId } = await createBot({ documents: [{ title: 'Hours', text: 'We open at nine.' }] })
    const params = { botId }
    const token = ADMIN_TOKEN
    await call('PATCH /api/manage/v1/bots/{botId}', { token, params, body: { handover: { keywords: ['refund'] } } })
    const ada = createVisitor(call, botId)
    await ada.say('When do you open?', { session_id: 's1', page_url: 'https://shop.test/ada', locale: 'en' })
    await ada.post('handover')
    const list = async () => (await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })).body.items
    const [before] = await list()
    expect(before).toMatchObject({ handover: { status: 'requested' }, last_visitor_message: { unverified: false } })

    const say = (message: string) =>
      call('POST /api/chat/{botId}/message', {
        params,
        body: { session_id: 's1', message, page_url: 'https://evil.test/', locale: 'de', visitor: { name: 'Eve' } },
      })
    const reply = await say('Wann und warum schneit es auf dem Mars?')
    expect(reply.body).toMatchObject({ session_id: 's1', handover: { status: 'none' }, lead_form: null })
    expect(reply.body.visitor_token).toBeUndefined()
    const [after] = await list()
    const { message_count, last_message, last_visitor_message, updated_at, unread, ...otherFields } = before
    expect(after).toMatchObject({ ...otherFields, message_count: message_count + 2 })
    expect(after.last_visitor_message).toMatchObject({ text: expect.stringContaining('Mars'), unverified: true })

    // Whatever asks for a person, or leaves contact details, opens a conversation of its own.
    const responses = [
      await say('I want to talk to a human'),
      await say('I want a refund'),
      await say('My address is eve@example.test'),
      await call('POST /api/chat/{botId}/handover', { params, body: { session_id: 's1' } }),
    ]
    for (const { status, body } of responses) {
      expect([status, body.session_id]).not.toEqual([200, 's1'])
      expect(body).toMatchObject({ visitor_token: expect.any(String) })
    }
    expect(responses.map(({ body }) => body.handover.status)).toEqual(['requested', 'requested', 'none', 'requested'])
    const ownConversations = (await list()).filter(({ session_id }: { session_id: string }) => session_id === 's1')
    expect(ownConversations).toMatchObject([
      { ...otherFields, message_count: message_count + 2, handover: before.handover },
    ])
    const endResponse = await call('POST /api/chat/{botId}/handover', {
      params,
      body: { session_id: 's1', action: 'end' },
    })
    expect(endResponse.status).toBe(401)
  })
})
