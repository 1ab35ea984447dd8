// Contact details from the contact form and from messages.

import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'

async function withBot(engine: (typeof engines)[number]) {
  const receiver = await startReceiver()
  const server = await startServer(engine, { environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  const { botId } = await server.createBot({ documents, webhookUrl: receiver.url })
  const token = server.adminToken
  const manage = (route: string, more = {}) => server.call(route, { token, params: { botId }, ...more })
  const leads = async () => (await manage(`GET ${BOT}/leads`)).body.items
  const reports = () =>
    receiver.received.map(({ json }) => json).filter(({ event_type }) => event_type.startsWith('lead.'))
  return { ...server, botId, manage, leads, reports, visitor: () => createVisitor(server.call, botId) }
}

describe.each(engines)('leads on %s', (engine) => {
  test('from the form are one per visitor, reported when created and when they change', async () => {
    const { visitor, leads, reports } = await withBot(engine)
    const ada = visitor()
    const page_url = 'https://shop.test/tents'
    const leadResponse = await ada.post('lead', { fields: { name: 'Ada', email: 'ada@shop.example' }, page_url })
    expect(leadResponse.status).toBe(200)
    expect(leadResponse.body).toMatchObject({
      lead_id: expect.stringMatching(/^led_/),
      visitor_token: expect.any(String),
    })
    const secondLead = await ada.post('lead', { fields: { email: 'ada@shop.example' } })
    expect(secondLead.body.lead_id).toBe(leadResponse.body.lead_id)
    await ada.post('lead', { fields: { email: 'ada@home.example', message: 'Call me' } })
    const allLeads = await leads()
    expect(allLeads).toHaveLength(1)
    expect(allLeads[0]).toMatchObject({
      id: leadResponse.body.lead_id,
      name: 'Ada',
      email: 'ada@home.example',
      message: 'Call me',
      source: 'form',
      page_url,
      consent: false,
      fields: {},
    })
    await waitFor(() => reports().length >= 2, 'both reports')
    expect(reports().map(({ event_type, data }) => [event_type, data.lead.email])).toEqual(
      expect.arrayContaining([
        ['lead.created', 'ada@shop.example'],
        ['lead.updated', 'ada@home.example'],
      ]),
    )
    expect((await ada.history()).body.has_lead).toBe(true)
  })

  test('are found in messages and acknowledged, and order numbers are not mistaken for them', async () => {
    const { visitor, leads } = await withBot(engine)
    const ada = visitor()
    const response = await ada.say('You can reach me at Ada@Shop.example or +43 1 58858 0', { locale: 'de-AT' })
    expect(response.body.reply).toContain('noted')
    expect(await leads()).toEqual([
      expect.objectContaining({ email: 'ada@shop.example', phone: '+431588580', source: 'message' }),
    ])
    await visitor().say('My order number is 4929918273')
    expect(await leads()).toHaveLength(1)
  })

  test('from the form stay in the history, after the message that it followed', async () => {
    const { visitor, manage } = await withBot(engine)
    const fields = [
      { name: 'email', label: null, type: 'email', required: true },
      { name: 'size', label: 'Your size', type: 'text', required: false },
    ]
    await manage(`PATCH ${BOT}`, { body: { lead_form: { intro: null, fields, consent_text: null } } })
    const ada = visitor()
    await ada.say('Do you repair tents?')
    const [, offer] = (await ada.history()).body.messages
    await ada.post('lead', { fields: { email: 'ada@shop.example', size: 'XL' } })
    await ada.say('How long can I return an item?')
    const { messages } = (await ada.history()).body
    const withForm = messages.filter((message: object) => 'form' in message)
    expect(withForm.map(({ id }: { id: string }) => id)).toEqual([offer.id])
    expect(withForm[0].form).toEqual({
      fields: [
        { name: 'email', label: null, value: 'ada@shop.example' },
        { name: 'size', label: 'Your size', value: 'XL' },
      ],
    })
    // Each page of a longer history has it only where it belongs.
    const pages = (query: object) =>
      manage('GET /api/chat/{botId}/history', { query, headers: { 'x-visitor-token': ada.token() }, token: null })
    expect((await pages({ limit: 2 })).body.messages.filter((message: object) => 'form' in message)).toEqual([])
    const earlier = await pages({ limit: 2, before: messages[2].id })
    expect(earlier.body.messages[1].form.fields).toHaveLength(2)
    const earliest = await pages({ limit: 1, before: messages[1].id })
    expect(earliest.body.messages[0].form).toBeUndefined()
    // Somebody else's history does not.
    const bea = visitor()
    await bea.say('Do you repair tents?')
    expect(JSON.stringify((await bea.history()).body)).not.toContain('ada@shop.example')
  })

  test('in a form are shown as they were sent, whatever was known before or was told afterwards', async () => {
    const { visitor, manage, leads, botId } = await withBot(engine)
    const ada = visitor()
    const formsOf = async () =>
      (await ada.history()).body.messages.flatMap(({ form }: { form?: { fields: { value: string }[] } }) =>
        form ? [form.fields.map(({ value }) => value)] : [],
      )
    await ada.say('You can reach me at ada@shop.example')
    await ada.post('lead', { fields: { email: 'ada@shop.example', message: 'Please call.' } })
    await ada.say('Rather write to countess@shop.example')
    await ada.post('lead', { fields: { email: 'countess@shop.example' } })
    expect(await formsOf()).toEqual([['ada@shop.example', 'Please call.'], ['countess@shop.example']])
    const [{ id: leadId }] = await leads()
    const params = { botId, leadId }
    expect((await manage(`DELETE ${BOT}/leads/{leadId}`, { params })).status).toBe(204)
    expect(await formsOf()).toEqual([])
  })

  test('can be filtered by visitor', async () => {
    const { visitor, manage, leads } = await withBot(engine)
    await visitor().post('lead', { fields: { email: 'ada@shop.example' } })
    await visitor().post('lead', { fields: { email: 'bea@shop.example' } })
    const visitorId = (await leads()).find(({ email }: { email: string }) => email === 'ada@shop.example').visitor_id
    const leadList = await manage(`GET ${BOT}/leads`, { query: { visitor_id: visitorId } })
    expect(leadList.body.items).toMatchObject([{ email: 'ada@shop.example' }])
    const csvExport = await manage(`GET ${BOT}/leads`, { query: { visitor_id: visitorId, format: 'csv' } })
    expect(csvExport.text).toContain('ada@shop.example')
    expect(csvExport.text).not.toContain('bea@shop.example')
    expect((await manage(`GET ${BOT}/leads`, { query: { visitor_id: 'vis_none' } })).body.items).toEqual([])
  })

  test('once known, make a message without the token start a separate conversation', async () => {
    const { call, botId, leads, visitor } = await withBot(engine)
    const say = (message: string, session_id: string) =>
      call('POST /api/chat/{botId}/message', { params: { botId }, body: { session_id, message } })
    const ada = visitor()
    await ada.say('Hello', { session_id: 'form' })
    await ada.post('lead', { fields: { email: 'ada@shop.example' } })
    await visitor().say('I am bea@shop.example', { session_id: 'words' })
    await visitor().say('Hello', { session_id: 'told', visitor: { name: 'Cy', email: 'cy@shop.example' } })
    await visitor().say('Hello', { session_id: 'named', visitor: { name: 'Di' } })
    for (const session of ['form', 'words', 'told']) {
      const { body } = await say(`I am ${session}@evil.example`, session)
      expect(body.session_id).toMatch(/^ses_/)
      expect(body.visitor_token).toMatch(/^dct_visitor_/)
    }
    expect((await say('Hello', 'named')).body.session_id).toBe('named')
    expect((await ada.history()).body.messages).toHaveLength(2)
    const allLeads = await leads()
    expect(allLeads.map(({ email }: { email: string }) => email).sort()).toEqual([
      ...['ada@shop.example', 'bea@shop.example'],
      ...['form@evil.example', 'told@evil.example', 'words@evil.example'],
    ])
    expect(new Set(allLeads.map(({ visitor_id }: { visitor_id: string }) => visitor_id)).size).toBe(5)
  })

  test('from parallel submissions become one', async () => {
    const { visitor, leads, reports } = await withBot(engine)
    const ada = visitor()
    await ada.say('Hello')
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => ada.post('lead', { fields: { email: `ada${index}@shop.example` } })),
    )
    expect(await leads()).toHaveLength(1)
    await waitFor(() => reports().length >= 5, 'all reports')
    expect(reports().filter(({ event_type }) => event_type === 'lead.created')).toHaveLength(1)
  })
})

describe('the contact form', () => {
  test('accepts the fields that the bot asks for, validates each, and ignores others', async () => {
    const { visitor, manage, leads } = await withBot('sqlite')
    const field = (name: string, type: string, isRequired: boolean) => ({
      name,
      label: name,
      type,
      required: isRequired,
    })
    const fields = [field('email', 'email', true), field('phone', 'phone', false), field('company', 'text', true)]
    const lead_form = { intro: null, consent_text: 'I agree', fields }
    expect((await manage(`PATCH ${BOT}`, { body: { lead_form } })).status).toBe(200)
    const wrong = await visitor().post('lead', { fields: { email: 'no', phone: 'call me', other: 'x' } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'fields.email',
      'fields.phone',
      'fields.company',
      'consent',
    ])
    const right = { email: 'a@shop.example', phone: '+43 1 58858-0', company: 'Acme', other: 'x' }
    expect((await visitor().post('lead', { fields: right, consent: true })).status).toBe(200)
    expect(await leads()).toEqual([
      expect.objectContaining({ phone: '+431588580', fields: { company: 'Acme' }, consent: true }),
    ])
  })

  test('accepts nothing where a bot has no form, and then no leads are taken from messages', async () => {
    const { visitor, manage, leads } = await withBot('sqlite')
    await manage(`PATCH ${BOT}`, { body: { lead_form: null } })
    expect((await visitor().post('lead', { fields: { email: 'a@shop.example' } })).status).toBe(404)
    await visitor().say('I am a@shop.example')
    expect(await leads()).toEqual([])
  })

  test('stores hostile input as text, and the export runs nothing in a spreadsheet', async () => {
    const { visitor, manage } = await withBot('sqlite')
    const name = '=HYPERLINK("https://evil.test")'
    await visitor().post('lead', { fields: { name, email: 'a@shop.example', message: '<script>alert(1)</script>' } })
    const csv = await manage(`GET ${BOT}/leads`, { query: { format: 'csv' } })
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.headers['content-disposition']).toContain('leads.csv')
    expect(csv.text).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
    expect(csv.text.split('\r\n')).toHaveLength(3)
  })

  test('handles fields named like object internals safely', async () => {
    const { visitor, leads } = await withBot('sqlite')
    const fields = JSON.parse('{"email":"a@shop.example","__proto__":"x","constructor":"y"}')
    expect((await visitor().post('lead', { fields })).status).toBe(200)
    expect((await leads())[0].fields).toEqual({})
  })
})

test('a lead can be deleted permanently', async () => {
  const { visitor, manage, leads, botId } = await withBot('sqlite')
  await visitor().post('lead', { fields: { email: 'a@shop.example' } })
  const [lead] = await leads()
  const params = { botId, leadId: lead.id }
  expect((await manage(`DELETE ${BOT}/leads/{leadId}`, { params })).status).toBe(204)
  expect((await manage(`DELETE ${BOT}/leads/{leadId}`, { params })).status).toBe(404)
  expect(await leads()).toEqual([])
})

test('a rating counts once, only from the visitor who got the answer, and is reported', async () => {
  const { visitor, manage, call, botId } = await withBot('sqlite')
  const [ada, bob] = [visitor(), visitor()]
  const { body: reply } = await ada.say('How many days do I have to return an item?')
  await bob.say('Hello')
  const rate = (rater: typeof ada, message_id: string, rating = 'down') =>
    rater.post('feedback', { message_id, rating, reason: 'Too short' })
  expect((await rate(ada, reply.message_id)).status).toBe(204)
  expect((await rate(ada, reply.message_id, 'up')).status).toBe(204)
  expect((await rate(bob, reply.message_id)).status).toBe(404)
  expect((await rate(ada, reply.visitor_message_id)).status).toBe(404)
  const list = await manage(`GET ${BOT}/conversations`, { query: { q: 'return' } })
  const params = { botId, conversationId: list.body.items[0].id }
  const details = await manage(`GET ${BOT}/conversations/{conversationId}`, { params })
  expect(details.body.messages[1]).toMatchObject({ rating: 'up', rating_reason: 'Too short' })
  expect((await call('GET /api/chat/{botId}/config', { params: { botId } })).text).not.toContain('Too short')
})

describe.each(engines)('concurrent contacts on %s', (engine) => {
  test('parallel first contacts under one session become one conversation; other leads are refused, other requests apart', async () => {
    const { call, botId, manage, leads } = await withBot(engine)
    const ask = (route: string, body: object) =>
      call(`POST /api/chat/{botId}/${route}`, { params: { botId }, body: { session_id: 'same', ...body } })
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, n) => ask('lead', { fields: { email: `v${n}@shop.example` } })),
      ...Array.from({ length: 4 }, () => ask('handover', {})),
    ])
    const codes = answers.map(({ status, body }) => body.error?.code ?? status)
    const successes = answers.filter(({ status }) => status === 200)
    expect(codes.slice(4)).toEqual([200, 200, 200, 200])
    expect(successes.filter(({ body }) => body.session_id === 'same')).toHaveLength(1)
    const conversations: { session_id: string }[] = (await manage(`GET ${BOT}/conversations`)).body.items
    expect(conversations).toHaveLength(successes.length)
    expect(conversations.filter(({ session_id }) => session_id === 'same')).toHaveLength(1)
    expect(codes.slice(0, 4).filter((code) => code === 'invalid_visitor_token').length).toBeGreaterThanOrEqual(3)
    expect((await leads()).length).toBeLessThanOrEqual(1)
  })

  test('cannot be changed by somebody who knows the session but not the token', async () => {
    const { call, botId, leads, visitor } = await withBot(engine)
    const ada = visitor()
    await ada.say('Write to me: ada@shop.example')
    const body = { session_id: ada.sessionId(), message: 'No, write to evil@attacker.example or call +43 664 1234567' }
    expect((await call('POST /api/chat/{botId}/message', { params: { botId }, body })).status).toBe(200)
    const [evil, ownLead] = await leads()
    expect(ownLead).toMatchObject({ email: 'ada@shop.example', phone: null })
    expect(evil.conversation_id).not.toBe(ownLead.conversation_id)
    await ada.say('Or better: ada@home.example')
    expect((await leads())[1]).toMatchObject({ id: ownLead.id, email: 'ada@home.example' })
  })

  test('from parallel messages under one session belong to a visitor who can be found and erased', async () => {
    const { call, botId, manage, leads } = await withBot(engine)
    const body = { session_id: 'same', message: 'Write to me: ada@shop.example' }
    await Promise.all(
      Array.from({ length: 5 }, () => call('POST /api/chat/{botId}/message', { params: { botId }, body })),
    )
    // Messages after the first details are known start their own conversation and lead.
    const visitorIds = (await leads()).map(({ visitor_id }: { visitor_id: string }) => visitor_id)
    for (const visitorId of visitorIds) {
      expect((await manage(`GET ${BOT}/visitors/{visitorId}`, { params: { botId, visitorId } })).status).toBe(200)
    }
    const conversations = (await manage(`GET ${BOT}/conversations`)).body.items
    expect(new Set(visitorIds).size).toBe(conversations.length)
  })
})
