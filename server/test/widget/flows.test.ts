// The owner's buttons, and the questions before a person takes over.
import { describe, expect, test } from 'vitest'
import { orderStatus, startActionBot } from '../actions/action-bot.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { waitFor } from '../harness/wait.ts'

const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'
const RETURNS = 'Within how many days can I return a jacket?'

interface Shown {
  type: string
  label: string
  value?: string
  url?: string
}

const shown = (buttons: Shown[]) => buttons.map(({ type, label, value, url }) => [type, label, value ?? url ?? ''])

async function startFlowBot(engine: Engine) {
  const bot = await startActionBot(engine)
  const { call, botId } = bot
  const params = { botId }
  const set = async (body: object) => {
    const response = await call(`PATCH ${BOT}`, { token, params, body })
    expect([response.status, response.body.error]).toEqual([200, undefined])
    return response.body
  }
  return {
    ...bot,
    set,
    refused: async (body: object) =>
      (await call(`PATCH ${BOT}`, { token, params, body })).body.error.details.map(
        ({ path }: { path: string }) => path,
      ),
    greeting: async () => (await call('GET /api/chat/{botId}/config', { params })).body.greeting_buttons,
    notes: async (conversationId: string) =>
      (await call(`GET ${BOT}/conversations/{conversationId}`, { token, params: { botId, conversationId } })).body
        .notes,
    inbox: async () => (await call(`GET ${BOT}/conversations`, { token, params })).body.items,
  }
}

const questions = [
  { label: 'Topic', ask: 'What is it about?', type: 'choice', choices: ['Billing', 'Delivery'] },
  { label: 'Email', ask: 'Where can we write to you?', type: 'email' },
]

describe.each(engines)('buttons on %s', (engine) => {
  test('with the greeting lead where they can lead now', async () => {
    const { set, greeting, owner, add, change, read } = await startFlowBot(engine)
    const actionId = await add(orderStatus(owner))
    const greeting_buttons = [
      { type: 'question', label: 'Returns', question: RETURNS },
      { type: 'action', label: 'Track my parcel', action_id: actionId },
      { type: 'page', label: 'Our shops', url: 'https://shop.test/shops' },
      { type: 'form', label: 'Write to us' },
      { type: 'person', label: 'Talk to us' },
    ]
    await set({ widget: { greeting_buttons, suggested_questions: ['Do you ship?'] } })
    expect(shown(await greeting())).toEqual([
      ['reply', 'Do you ship?', 'Do you ship?'],
      ['reply', 'Returns', RETURNS],
      ['reply', 'Track my parcel', 'Track my parcel'],
      ['url', 'Our shops', 'https://shop.test/shops'],
      ['lead_form', 'Write to us', ''],
      ['handover', 'Talk to us', ''],
    ])
    await change(actionId, { state: 'draft' })
    await set({ handover: { hours: { timezone: 'UTC', open: [] } } })
    expect(shown(await greeting()).slice(2)).toEqual([
      ['url', 'Our shops', 'https://shop.test/shops'],
      ['lead_form', 'Write to us', ''],
      ['lead_form', 'Talk to us', ''],
    ])
    await set({ lead_form: null })
    expect(shown(await greeting())).toHaveLength(3)
    expect((await read(actionId)).status).toBe(200)
  })

  test('start their action, also while another question of the bot waits', async () => {
    const { set, visitor, chat, owner, add } = await startFlowBot(engine)
    const id = await add(orderStatus(owner))
    await set({ widget: { greeting_buttons: [{ type: 'action', label: 'Parcels  & more', action_id: id }] } })
    const { say } = visitor()
    for (let press = 0; press < 2; press++)
      expect((await say('Parcels & more')).body).toMatchObject({ action: { id, status: 'asking' } })
    expect((await say('12345')).body.reply).toBe('Order 12345 is shipped.')
    expect((await chat()('Parcels & more')).action).toEqual({ id, status: 'asking' })
  })

  test('under answers are shown where chosen, and not under small talk', async () => {
    const { set, visitor, chat } = await startFlowBot(engine)
    const page = { type: 'page', label: 'Returns portal', url: 'https://shop.test/portal' }
    const person = { type: 'person', label: 'Ask Maria' }
    await set({ widget: { answer_buttons: [page, person] } })
    const flow = async (message: string) => shown((await visitor().say(message)).body.buttons)
    const buttons = [
      ['url', 'Returns portal', 'https://shop.test/portal'],
      ['handover', 'Ask Maria', ''],
    ]
    expect(await flow(RETURNS)).toEqual(expect.arrayContaining(buttons))
    expect(await flow('Who won in 1954?')).toEqual(buttons)
    expect(await flow('Hello!')).toEqual([])
    await set({ widget: { no_answer_buttons: [{ type: 'question', label: 'Returns', question: RETURNS }] } })
    expect(await flow('Who won in 1954?')).toEqual([
      ['handover', 'Talk to a person', ''],
      ['reply', 'Returns', RETURNS],
    ])
    expect(shown((await chat()(RETURNS)).buttons)).toEqual([buttons[0]])
    expect((await chat()('Hello!')).buttons).toBeUndefined()
  })

  test('are shown in the language of the chat, and start the same action in each', async () => {
    const { set, owner, add, visitor, call, botId } = await startFlowBot(engine)
    const actionId = await add(orderStatus(owner))
    const track = { type: 'action', label: 'Track my parcel', action_id: actionId }
    const returnsButton = { type: 'question', label: 'Returns', question: RETURNS }
    const shops = { type: 'page', label: 'Our shops', url: 'https://shop.test/shops' }
    const question = 'Innerhalb welcher Frist kann ich eine Jacke zurückgeben?'
    const german = {
      language: 'de',
      buttons: [
        { label: 'Track my parcel', text: 'Paket verfolgen' },
        { label: 'Returns', text: 'Rückgabe', question },
      ],
    }
    await set({
      widget: {
        greeting_buttons: [track, returnsButton, shops],
        answer_buttons: [track],
        no_answer_buttons: [returnsButton],
      },
      translations: [german],
    })
    const greetingIn = async (locale: string) =>
      shown(
        (await call('GET /api/chat/{botId}/config', { params: { botId }, query: { locale } })).body.greeting_buttons,
      )
    expect(await greetingIn('de-AT')).toEqual([
      ['reply', 'Paket verfolgen', 'Paket verfolgen'],
      ['reply', 'Rückgabe', question],
      ['url', 'Our shops', 'https://shop.test/shops'],
    ])
    expect((await greetingIn('fr'))[0]).toEqual(['reply', 'Track my parcel', 'Track my parcel'])
    const { say } = visitor()
    const unanswered = await say('Welche Planeten im Sonnensystem haben denn eigentlich Ringe?', { locale: 'de' })
    expect(shown(unanswered.body.buttons)).toContainEqual(['reply', 'Rückgabe', question])
    const response = await say('Paket verfolgen', { locale: 'de' })
    expect(response.body.action).toEqual({ id: actionId, status: 'asking' })
    const english = visitor()
    expect((await english.say('Track my parcel', { locale: 'en' })).body.action).toEqual(response.body.action)
  })

  test('that lead nowhere are refused', async () => {
    const { refused } = await startFlowBot(engine)
    const widget = (button: object) => ({ widget: { answer_buttons: [button] } })
    expect(await refused(widget({ type: 'page', label: 'x', url: 'javascript:alert(1)' }))).not.toEqual([])
    expect(await refused(widget({ type: 'action', label: 'x' }))).not.toEqual([])
    expect(await refused(widget({ type: 'person', label: ' ' }))).not.toEqual([])
    const seven = Array.from({ length: 7 }, () => ({ type: 'person', label: 'x' }))
    expect(await refused({ widget: { greeting_buttons: seven } })).toEqual(['widget.greeting_buttons'])
  })
})

describe.each(engines)('questions before a handover on %s', (engine) => {
  test('are asked one at a time, and told to the agent and to webhooks', async () => {
    const { set, visitor, call, botId, notes, inbox } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const receiver = await startReceiver()
    const webhook = { url: receiver.url, event_types: ['handover.requested'] }
    await call(`POST ${BOT}/webhooks`, { token, params: { botId }, body: webhook })
    const { say } = visitor()
    const first = await say('I want to talk to a human')
    expect(first.body).toMatchObject({ action: { id: 'handover', status: 'asking' }, handover: { status: 'none' } })
    expect(first.body.reply).toBe('Before I connect you with someone:\n\nWhat is it about?')
    expect(first.body.buttons.map(({ label }: Shown) => label)).toEqual([
      ...['Billing', 'Delivery', 'Connect me now', 'Cancel'],
    ])
    expect((await say('billing, please')).body.reply).toBe('Where can we write to you?')
    expect((await say('no idea')).body.reply).toMatch(/not a complete email[\s\S]*Where can we write/)
    const last = await say('ada@example.com')
    expect(last.body).toMatchObject({ handover: { status: 'requested' }, buttons: [] })
    const [conversation] = await inbox()
    expect(await notes(conversation.id)).toMatchObject([
      { text: 'Answers before the handover:\nTopic: Billing\nEmail: ada@example.com' },
    ])
    const [event] = await receiver.waitForCount(1)
    expect(event?.json.data).toEqual({
      reason: 'visitor_request',
      message: 'I want to talk to a human',
      answers: [
        { label: 'Topic', value: 'Billing' },
        { label: 'Email', value: 'ada@example.com' },
      ],
      visitor: { id: expect.stringMatching(/^vis_/), level: 'anonymous', user_id: null },
    })
  })

  test('come after the button too, are kept in the history, and the button again skips the rest', async () => {
    const { set, visitor, notes, inbox } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say, post, history } = visitor()
    const reply = (await post('handover')).body
    expect(reply).toMatchObject({ handover: { status: 'none' }, reply: expect.stringContaining('What is it about?') })
    expect((await history()).body.messages).toMatchObject([{ id: reply.message_id, buttons: reply.buttons }])
    await say('Delivery')
    expect((await post('handover')).body).toMatchObject({ handover: { status: 'requested' } })
    const [conversation] = await inbox()
    expect((await notes(conversation.id))[0].text).toContain('Topic: Delivery')
    expect((await post('handover')).body).toMatchObject({ message_id: null, buttons: [] })
  })

  test.each(['Connect me now', 'Just give me a human agent'])('are skipped by “%s”', async (words) => {
    const { set, visitor, notes, inbox } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say } = visitor()
    await say('I want to talk to a human')
    expect((await say(words)).body).toMatchObject({ handover: { status: 'requested' } })
    expect(await notes((await inbox())[0].id)).toEqual([])
  })

  test('are over once the button was pressed again, and several clicks leave one note', async () => {
    const { set, visitor, notes, inbox } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say, post } = visitor()
    await post('handover')
    await say('Delivery')
    await Promise.all([1, 2, 3, 4].map(() => post('handover')))
    const [conversation] = await inbox()
    expect(await notes(conversation.id)).toHaveLength(1)
    const reply = await say('ada@example')
    expect(reply.body).toMatchObject({ handover: { status: 'requested' } })
    expect(reply.body.action).toBeUndefined()
  })

  test('are asked in the language of the chat, and answered to the agent as they are set', async () => {
    const { set, visitor, notes, inbox } = await startFlowBot(engine)
    const choices = ['Rechnung', 'Lieferung']
    const german = [
      { label: 'Topic', ask: 'Worum geht es?', choices },
      { label: 'Email', ask: 'Wohin dürfen wir Ihnen schreiben?' },
    ]
    await set({ handover: { questions }, translations: [{ language: 'de', handover_questions: german }] })
    const { say } = visitor()
    const first = await say('Ich möchte bitte mit einem Menschen sprechen', { locale: 'de' })
    expect(first.body.reply).toContain('Worum geht es?')
    expect(first.body.buttons.map(({ label }: Shown) => label).slice(0, 2)).toEqual(choices)
    expect((await say('Lieferung')).body.reply).toContain('Wohin dürfen wir Ihnen schreiben?')
    expect((await say('ada@shop.test')).body.handover.status).toBe('requested')
    const [conversation] = await inbox()
    expect((await notes(conversation.id))[0].text).toContain('Topic: Delivery\nEmail: ada@shop.test')

    // Choices that no longer fit the question are not shown, the question is.
    const [topic, email] = questions
    await set({ handover: { questions: [{ ...topic, choices: ['Billing', 'Delivery', 'Other'] }, email] } })
    const germanReply = await visitor().say('Ich möchte bitte mit einem Menschen sprechen', { locale: 'de' })
    expect(germanReply.body.reply).toContain('Worum geht es?')
    expect(germanReply.body.buttons[2].label).toBe('Other')
    const english = await visitor().say('I want to talk to a person', { locale: 'en' })
    expect(english.body.reply).toContain('What is it about?')
  })

  test('keep secrets out of notes and events, whatever the language of the question', async () => {
    const { set, visitor, notes, inbox, call, botId } = await startFlowBot(engine)
    const receiver = await startReceiver()
    const body = { url: receiver.url, event_types: ['handover.requested'] }
    await call(`POST ${BOT}/webhooks`, { token, params: { botId }, body })
    const text = { type: 'string' }
    await set({
      handover: {
        questions: [
          { ...text, label: 'Kundenkennwort', ask: 'Wie lautet Ihr Kundenkennwort?' },
          { ...text, label: 'PIN code', ask: 'Your PIN?' },
          { ...text, label: 'Login', ask: 'What is your password?' },
          { ...text, label: 'Access', ask: 'How do you get in?' },
          { ...text, label: 'Subject', ask: 'What is it about?' },
        ],
      },
      translations: [
        {
          language: 'de',
          handover_questions: [{ label: 'Access', text: 'Passwort', ask: 'Womit kommen Sie hinein?' }],
        },
      ],
    })
    const { say } = visitor()
    await say('I want to talk to a person')
    await say('sunshine')
    await say('is it 4711?')
    await say('sunrise')
    await say('sunset')
    await say('my card 4111 1111 1111 1111')
    const [conversation] = await inbox()
    const [note] = await notes(conversation.id)
    const secret = ['Kundenkennwort', 'PIN code', 'Login', 'Access'].map((label) => `${label}: ••••`)
    expect(note.text).toContain([...secret, 'Subject: my card ••••'].join('\n'))
    await waitFor(() => receiver.received.length === 1, 'the event')
    const { data } = JSON.parse(receiver.received[0]?.body ?? '')
    expect(data.answers.map(({ value }: { value: string }) => value)).toEqual([
      ...['••••', '••••', '••••', '••••', 'my card ••••'],
    ])
  })

  test('leave one note though the last answer arrives several times at once', async () => {
    const { set, visitor, notes, inbox } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say } = visitor()
    await say('I want to talk to a person')
    await say('Delivery')
    const answers = await Promise.all([1, 2, 3, 4].map(() => say('ada@shop.test')))
    expect(answers.map(({ body }) => body.handover.status)).toEqual(Array(4).fill('requested'))
    const [conversation] = await inbox()
    expect(conversation.handover.status).toBe('requested')
    expect(await notes(conversation.id)).toHaveLength(1)
  })

  test('give way to an action that a message with a handover word has run', async () => {
    const { set, visitor, owner, add, runs } = await startFlowBot(engine)
    await set({ handover: { questions, keywords: ['status'] } })
    const id = await add(orderStatus(owner))
    const { body } = await visitor().say('What is the status of order 12345?')
    expect(body).toMatchObject({ action: { id, status: 'done' }, handover: { status: 'requested' } })
    expect(body.reply).toContain('Order 12345 is shipped.')
    expect(await runs(id)).toMatchObject([{ outcome: 'completed' }])
  })

  test('can be cancelled, and let another question be answered', async () => {
    const { set, visitor } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say } = visitor()
    await say('I want to talk to a human')
    expect((await say(RETURNS)).body).toMatchObject({
      reply: expect.stringContaining('30 days'),
      action: { id: 'handover', status: 'asking' },
    })
    expect((await say('Cancel')).body).toMatchObject({ handover: { status: 'none' } })
    expect((await say('Billing')).body.action).toBeUndefined()
  })

  test('are not asked when nobody is there, nor by a stranger in somebody’s conversation', async () => {
    const { set, visitor, call, botId } = await startFlowBot(engine)
    await set({ handover: { questions } })
    const { say, sessionId } = visitor()
    await say(RETURNS)
    const body = { message: 'I want to talk to a human', session_id: sessionId() }
    const stranger = await call('POST /api/chat/{botId}/message', { params: { botId }, body })
    expect(stranger.body).toMatchObject({ action: { id: 'handover' } })
    expect(stranger.body.session_id).not.toBe(sessionId())
    await set({ handover: { hours: { timezone: 'UTC', open: [] } } })
    const reply = await visitor().say('I want to talk to a human')
    expect(reply.body).toMatchObject({ lead_form: { fields: expect.anything() } })
    expect(reply.body.action).toBeUndefined()
  })

  test('need unique labels and real choices', async () => {
    const { refused } = await startFlowBot(engine)
    const [choice, email] = questions
    expect(await refused({ handover: { questions: [email, { ...email }] } })).toEqual(['handover.questions.1.label'])
    expect(await refused({ handover: { questions: [{ ...choice, choices: ['One'] }] } })).toEqual([
      'handover.questions.0.choices',
    ])
  })
})
