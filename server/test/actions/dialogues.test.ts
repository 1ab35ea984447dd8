// How a bot carries out an action in a conversation.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'
import { json, type OwnerServer, orderNumber, orderStatus, startActionBot } from './action-bot.ts'

const token = ADMIN_TOKEN

function refund(owner: OwnerServer, more: object = {}) {
  return {
    name: 'Refund',
    description: '',
    examples: ['I want a refund', 'Give me my money back', 'Refund my order'],
    inputs: [
      orderNumber,
      { name: 'reason', type: 'choice', choices: ['Too late', 'Broken'], description: 'Reason', required: true },
    ],
    request: {
      method: 'POST',
      url: `${owner.url}/refunds`,
      body: '{"order": "{{order_number}}", "reason": "{{reason}}"}',
    },
    answer_template: 'Refund {{response.id}} is on its way.',
    state: 'live',
    ...more,
  }
}

describe.each(engines)('actions in a conversation on %s', (engine) => {
  test('an order number in the question is used at once', async () => {
    const { owner, add, chat, runs } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    const answer = await chat()('Where is my order 12345?')
    expect(answer).toMatchObject({
      response: 'Order 12345 is shipped.',
      answered: true,
      decision: 'action',
      action: { id, status: 'done' },
    })
    expect(owner.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /orders/12345'])
    expect(await runs(id)).toMatchObject([
      { outcome: 'completed', status: 200, is_test: false, inputs: { order_number: '12345' } },
    ])
    expect((await runs(id))[0].conversation_id).toMatch(/^cnv_/)
  })

  test('a missing order number is asked for, also after a restart on another node', async () => {
    const { owner, add, chat, botId, database, bot, stop } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    const reply = await chat()('Has my parcel been sent yet?')
    expect(reply).toMatchObject({ response: 'What is your order number?', action: { id, status: 'asking' } })
    await stop()
    const second = await startServer(engine, { database, environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32' } })
    const body = { bot_id: botId, message: 'it is 54321', session_id: reply.session_id }
    const answer = await second.call('POST /api/v1/chat', { token: bot.key, body })
    expect(answer.body).toMatchObject({ response: 'Order 54321 is shipped.', action: { id, status: 'done' } })
    await second.stop()
  })

  test('an action is given up after 30 minutes', async () => {
    const { owner, add, chat, clock } = await startActionBot(engine)
    await add(orderStatus(owner))
    const say = chat()
    await say('Where is my order?')
    clock.now += 31 * 60_000
    expect((await say('12345')).action).toBeUndefined()
    expect(owner.received).toEqual([])
  })

  test('an action can be cancelled', async () => {
    const { owner, add, chat } = await startActionBot(engine)
    await add(orderStatus(owner))
    const say = chat()
    await say('Where is my order?')
    expect(await say('never mind')).toMatchObject({ response: expect.stringContaining('stopped'), answered: true })
    expect((await say('12345')).action).toBeUndefined()
    expect(owner.received).toEqual([])
  })

  test('another question is answered, and the action goes on afterwards', async () => {
    const { owner, add, chat } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    const say = chat()
    await say('Where is my order?')
    const otherReply = await say('Within how many days can I return a jacket?')
    expect(otherReply).toMatchObject({ response: expect.stringContaining('30 days'), action: { id, status: 'asking' } })
    expect((await say('12345')).response).toBe('Order 12345 is shipped.')
  })

  test('a request to be changed is confirmed first, and runs once however often yes is said', async () => {
    const { owner, add, visitor, runs } = await startActionBot(engine)
    owner.respond = json({ id: 'R-7' })
    const id = await add(refund(owner))
    const { say } = visitor()
    const first = await say('I want a refund for order 12345')
    expect(first.body.buttons.map(({ label }: { label: string }) => label)).toEqual(['Too late', 'Broken', 'Cancel'])
    const second = await say('Broken')
    expect(second.body).toMatchObject({ action: { id, status: 'confirming' } })
    expect(second.body.reply).toMatch(/Refund[\s\S]*Order number: 12345[\s\S]*Reason: Broken[\s\S]*Shall I go ahead\?/)
    expect(second.body.buttons.map(({ label }: { label: string }) => label)).toEqual(['Yes', 'No'])
    expect(owner.received).toEqual([])
    const replies = await Promise.all([say('Yes'), say('Yes'), say('Yes')])
    expect(replies.filter(({ body }) => body.reply === 'Refund R\\-7 is on its way.')).toHaveLength(1)
    expect(owner.received.map(({ body }) => JSON.parse(body))).toEqual([{ order: '12345', reason: 'Broken' }])
    expect(await runs(id)).toHaveLength(1)
  })

  test('a second yes while it runs sends nothing, whatever was said in between', async () => {
    const { owner, add, visitor, runs } = await startActionBot(engine)
    let answerOwner = () => {}
    owner.respond = (response, request) => {
      answerOwner = () => json({ id: 'R7' })(response, request)
    }
    const id = await add(refund(owner, { inputs: [orderNumber], request: { method: 'POST', url: `${owner.url}/r` } }))
    for (const interruption of ['Within how many days can I return a jacket?', 'xyz']) {
      owner.received.length = 0
      const { say } = visitor()
      await say('I want a refund for order 12345')
      const first = say('Yes')
      await waitFor(() => owner.received.length > 0, 'the request')
      expect((await say(interruption)).body.action).toEqual({ id, status: 'confirming' })
      expect((await say('Yes')).body.reply).toContain('already')
      answerOwner()
      expect((await first).body.reply).toBe('Refund R7 is on its way.')
      expect(owner.received).toHaveLength(1)
    }
    expect(await runs(id)).toHaveLength(2)
  })

  test('what needs no confirmation runs once if sent twice at once, and again when wanted again', async () => {
    const { owner, add, call, visitor, botId, clock, runs } = await startActionBot(engine)
    owner.respond = json({ id: 'R7' })
    const request = { method: 'POST', url: `${owner.url}/r` }
    const id = await add(refund(owner, { inputs: [orderNumber], request, confirm: false }))
    const message = 'I want a refund for order 12345'
    const { say } = visitor()
    await say('Hello')
    for (const callCount of [1, 2]) {
      const replies = await Promise.all([say(message), say(message)])
      expect(replies.map(({ body }) => body.action)).toEqual([1, 2].map(() => ({ id, status: 'done' })))
      expect(owner.received).toHaveLength(callCount)
      clock.now += 60_000
    }
    const sendFirst = () =>
      call('POST /api/chat/{botId}/message', { params: { botId }, body: { message, session_id: 'own-id' } })
    await Promise.all([sendFirst(), sendFirst()])
    expect(owner.received).toHaveLength(3)
    expect(await runs(id)).toHaveLength(3)
  })

  test('yes to what has changed meanwhile asks for what is missing, and keeps to the audience', async () => {
    const { owner, add, change, chat } = await startActionBot(engine)
    const id = await add(refund(owner, { inputs: [orderNumber], request: { method: 'POST', url: `${owner.url}/r` } }))
    const say = chat()
    expect((await say('I want a refund for order 12345')).action.status).toBe('confirming')
    const email = { name: 'email', type: 'email', description: 'Email address', required: true }
    await change(id, { inputs: [orderNumber, email] })
    expect((await say('Yes')).action.status).toBe('asking')
    await change(id, { audience: 'verified' })
    expect((await say('ada@example.com')).action).toBeUndefined()
    expect(owner.received).toEqual([])
  })

  test('no to the confirmation sends nothing', async () => {
    const { owner, add, chat, runs } = await startActionBot(engine)
    const id = await add(refund(owner))
    const say = chat()
    expect((await say('I want a refund for order 12345')).response).toContain('- Too late\n- Broken')
    await say('2')
    expect((await say('No, thanks')).response).toContain('stopped')
    expect([owner.received, await runs(id)]).toEqual([[], []])
  })

  test('what does not fit is asked for again with the reason, three times at most, then a person takes over', async () => {
    const { owner, add, visitor } = await startActionBot(engine)
    await add(orderStatus(owner))
    const { say } = visitor()
    await say('Where is my order?')
    for (let time = 0; time < 2; time++) {
      const reply = await say('xyz')
      expect(reply.body.reply).toBe('That doesn’t look right: Order number.\n\nWhat is your order number?')
    }
    const last = await say('xyz')
    expect(last.body).toMatchObject({ action: { status: 'failed' }, handover: { status: 'requested' } })
  })

  test('a failure hands over to a person, with what was collected in a note', async () => {
    const { call, owner, add, visitor, botId, runs } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    owner.respond = json({ error: 'SECRET-STACK' }, 500)
    const { say } = visitor()
    const response = await say('Where is my order 12345?')
    expect(response.body).toMatchObject({
      answered: false,
      action: { id, status: 'failed' },
      handover: { status: 'requested' },
      reply: expect.stringContaining('did not work'),
    })
    expect(response.body.reply).not.toContain('SECRET-STACK')
    expect(await runs(id)).toMatchObject([{ outcome: 'failed', failure: 'http_status', status: 500 }])
    const [conversation] = (await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } }))
      .body.items
    const details = await call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
      token,
      params: { botId, conversationId: conversation.id },
    })
    expect(JSON.stringify(details.body.notes)).toContain('Order number: 12345')
  })

  test('on the chat API a failure is an honest apology', async () => {
    const { owner, add, chat } = await startActionBot(engine)
    await add(orderStatus(owner))
    owner.respond = json({}, 404)
    const answer = await chat()('Where is my order 12345?')
    expect(answer).toMatchObject({ answered: false, action: { status: 'failed' } })
    expect(answer.response).toContain('did not work')
  })

  test('somebody who only knows the session id cannot go on with an action', async () => {
    const { call, owner, add, visitor, botId } = await startActionBot(engine)
    await add(refund(owner, { inputs: [orderNumber], request: { method: 'POST', url: `${owner.url}/r` } }))
    const { say, sessionId } = visitor()
    expect((await say('I want a refund for order 12345')).body.action.status).toBe('confirming')
    const stranger = await call('POST /api/chat/{botId}/message', {
      params: { botId },
      body: { message: 'Yes', session_id: sessionId() },
    })
    expect(JSON.stringify(stranger.body)).not.toContain('12345')
    expect(owner.received).toEqual([])
  })

  test('somebody who only knows the session id starts no action in its conversation', async () => {
    const { call, owner, add, visitor, botId } = await startActionBot(engine)
    await add(orderStatus(owner))
    const { say, sessionId } = visitor()
    await say('Hello')
    owner.respond = json({}, 500)
    await call('POST /api/chat/{botId}/message', {
      params: { botId },
      body: { message: 'Where is my order 12345?', session_id: sessionId() },
    })
    expect(owner.received).toEqual([])
  })

  test('a draft runs in the playground only, from its sample if wanted', async () => {
    const { call, owner, add, chat, botId, runs } = await startActionBot(engine)
    const id = await add(orderStatus(owner, { state: 'draft', sample: { status: 'lost' } }))
    expect((await chat()('Where is my order 12345?')).action).toBeUndefined()
    const attempt = (message: string, more: object = {}) =>
      call('POST /api/manage/v1/bots/{botId}/try', { token, params: { botId }, body: { message, ...more } })
    const attemptResponse = await attempt('Where is my order?')
    expect(attemptResponse.body).toMatchObject({ action: { id, status: 'asking' }, decision: 'action' })
    const history = [
      { role: 'user', text: 'Where is my order?' },
      { role: 'assistant', text: attemptResponse.body.response, action_state: attemptResponse.body.action_state },
    ]
    const sampleResponse = await attempt('12345', { history, use_samples: true })
    expect([sampleResponse.body.response, owner.received.length]).toEqual(['Order 12345 is lost.', 0])
    expect((await attempt('12345', { history })).body.response).toBe('Order 12345 is shipped.')
    expect(await runs(id)).toMatchObject([{ is_test: true, outcome: 'completed' }, { is_test: true }])
  })

  test('test questions are asked as a visitor asks: without drafts, not logged in, and without a run in the log', async () => {
    const { call, botId, owner, add, change, runs } = await startActionBot(engine)
    const request = { method: 'GET', url: `${owner.url}/orders` }
    const more = { inputs: [], request, answer_template: 'It is {{response.status}}.', sample: { status: 'lost' } }
    const id = await add(orderStatus(owner, { ...more, state: 'draft' }))
    const params = { botId }
    const body = { question: 'Where is my order?', expected_text: 'It is lost.' }
    await call('POST /api/manage/v1/bots/{botId}/test-questions', { token, params, body })
    const outcome = async () => {
      const RUNS = '/api/manage/v1/bots/{botId}/test-runs'
      const runId = (await call(`POST ${RUNS}`, { token, params })).body.id as string
      const read = async () => (await call(`GET ${RUNS}/{runId}`, { token, params: { botId, runId } })).body
      await waitFor(async () => (await read()).state === 'finished', 'the run to end')
      return (await read()).results[0].outcome
    }
    expect(await outcome()).toBe('failed')
    await change(id, { state: 'live' })
    expect(await outcome()).toBe('better')
    await change(id, { audience: 'verified' })
    expect(await outcome()).toBe('worse')
    expect([await runs(id), owner.received]).toEqual([[], []])
  })

  test('an action for verified visitors tells others to log in', async () => {
    const { owner, add, visitor } = await startActionBot(engine)
    await add(orderStatus(owner, { audience: 'verified' }))
    const response = await visitor().say('Where is my order 12345?')
    expect(response.body).toMatchObject({ reply: expect.stringContaining('logged in'), handover: { status: 'none' } })
    expect(owner.received).toEqual([])
  })

  test('a lead action saves a lead, and only in the widget', async () => {
    const { call, add, visitor, chat, botId } = await startActionBot(engine)
    const text = { type: 'string', required: true }
    await add({
      name: 'Book a callback',
      description: '',
      examples: ['Please call me back', 'I want a callback'],
      kind: 'lead',
      state: 'live',
      confirm: false,
      inputs: [
        { ...text, name: 'name', description: 'Name', ask: 'Your name?' },
        { ...text, name: 'phone', description: 'Phone number', ask: 'Your phone number?', pattern: '[+0-9 /-]{6,20}' },
        { name: 'best_day', type: 'date', description: 'Best day', required: true },
      ],
    })
    expect((await chat()('Please call me back')).action).toBeUndefined()
    const { say } = visitor()
    expect((await say('Please call me back')).body.reply).toBe('Your name?')
    expect((await say('Ada Example')).body.reply).toBe('Your phone number?')
    await say('+43 660 1234567')
    expect((await say('tomorrow')).body).toMatchObject({
      reply: expect.stringContaining('get back to you'),
      action: { status: 'done' },
    })
    const leads = await call('GET /api/manage/v1/bots/{botId}/leads', { token, params: { botId } })
    expect(leads.body.items).toMatchObject([
      { name: 'Ada Example', phone: '+43 660 1234567', fields: { best_day: '2026-11-16' } },
    ])
  })

  test('webhooks are told of what was done and what failed', async () => {
    const { call, owner, add, chat, botId } = await startActionBot(engine)
    const receiver = await startReceiver()
    const body = { url: receiver.url, event_types: ['action.completed', 'action.failed'] }
    await call('POST /api/manage/v1/bots/{botId}/webhooks', { token, params: { botId }, body })
    const id = await add(orderStatus(owner))
    await chat()('Where is my order 12345?')
    owner.respond = json({}, 500)
    await chat()('Where is my order 54321?')
    const events = (await receiver.waitForCount(2)).map(({ json: event }) => event)
    const byType = Object.fromEntries(events.map((event) => [event.event_type, event.data]))
    expect(byType).toMatchObject({
      'action.completed': { action: { id, name: 'Order status' }, inputs: { order_number: '12345' }, status: 200 },
      'action.failed': { action: { id }, inputs: { order_number: '54321' }, failure: 'http_status', status: 500 },
    })
  })

  test('erasing a visitor erases what actions kept of them', async () => {
    const { call, owner, add, botId, runs } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    const { say } = createVisitor(call, botId)
    await say('Where is my order 12345?')
    expect(await runs(id)).toHaveLength(1)
    const [person] = (await call('GET /api/manage/v1/bots/{botId}/visitors', { token, params: { botId } })).body.items
    const params = { botId, visitorId: person.id as string }
    await call('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', { token, params })
    expect(await runs(id)).toEqual([])
  })
})

test('questions that only resemble an action are answered from the content', async () => {
  const { owner, add, chat } = await startActionBot('sqlite')
  await add(orderStatus(owner))
  for (const message of ['How do I place an order?', 'What is the return policy?', 'Hello', 'Can I change my order?'])
    expect([message, (await chat()(message)).action]).toEqual([message, undefined])
})

test('the bot asks in the language of the visitor', async () => {
  const { owner, add, chat } = await startActionBot('sqlite')
  const examples = ['Where is my order?', 'Wo ist meine Bestellung?', 'Wo bleibt mein Paket?']
  await add(orderStatus(owner, { examples, inputs: [{ ...orderNumber, ask: null, description: 'Bestellnummer' }] }))
  const say = chat()
  expect((await say('Wo ist meine Bestellung?')).response).toBe('Bitte angeben: Bestellnummer')
  expect((await say('abbrechen')).response).toContain('abgebrochen')
})
