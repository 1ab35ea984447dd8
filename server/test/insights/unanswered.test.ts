// The list of questions without an answer.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'
const MONGOLIA = 'What is the capital of Mongolia?'
const VIOLIN = 'Who repairs violins near Antwerp?'

async function withBot(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const { botId, key } = await server.createBot({ documents })
  const token = server.adminToken
  const manage = (route: string, more = {}) => server.call(route, { token, params: { botId }, ...more })
  const unanswered = async (query = {}) => (await manage(`GET ${BOT}/unanswered`, { query })).body
  const questions = async () => (await unanswered()).items.map(({ question }: { question: string }) => question)
  const ask = async (message: string) => {
    server.clock.now += 1000
    return server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
  }
  const decide = (verb: 'dismiss' | 'restore', question: string) =>
    manage(`POST ${BOT}/unanswered/${verb}`, { body: { question } })
  const visitor = () => createVisitor(server.call, botId)
  return { ...server, botId, manage, unanswered, questions, ask, decide, visitor }
}

describe.each(engines)('unanswered questions on %s', (engine) => {
  test('are grouped by spelling, the most frequent first, with the time last asked', async () => {
    const { ask, unanswered, clock, manage, botId } = await withBot(engine)
    await ask(VIOLIN)
    await ask(MONGOLIA)
    await ask('Wie heißt eigentlich die Hauptstadt der Mongolei und warum?')
    await ask(`  WHAT is   the capital of MONGOLIA`)
    await ask('Hi there! What is the capital of mongolia')
    const { items, next_cursor } = await unanswered()
    expect(next_cursor).toBeNull()
    expect(items.map(({ count }: { count: number }) => count)).toEqual([3, 1, 1])
    expect(items[0]).toEqual({
      question: 'Hi there! What is the capital of mongolia',
      count: 3,
      low_confidence: 0,
      last_asked_at: new Date(clock.now).toISOString(),
      conversation_id: expect.stringMatching(/^cnv_/),
      languages: ['en'],
    })
    expect(items[1].languages).toEqual(['de'])
    expect(items[2].question).toBe(VIOLIN)
    const params = { botId, conversationId: items[0].conversation_id }
    const conversation = await manage(`GET ${BOT}/conversations/{conversationId}`, { params })
    expect(conversation.body.messages[0].text).toBe('Hi there! What is the capital of mongolia')
  })

  test('include low-confidence answers, which do not count as answered', async () => {
    const { ask, unanswered, manage } = await withBot(engine)
    const question = 'How many days do I have to return an item?'
    await ask(question)
    expect((await unanswered()).items).toEqual([])
    await manage(`PATCH ${BOT}`, { body: { answer_threshold: 1 } })
    expect((await ask(question)).body.answered).toBe(true)
    expect((await unanswered()).items).toMatchObject([{ question, count: 1, low_confidence: 1 }])
    const { totals, top_questions } = (await manage(`GET ${BOT}/analytics`)).body
    expect(totals).toMatchObject({ questions: 2, answered: 1, low_confidence: 1, answered_share: 0.5 })
    expect(top_questions).toMatchObject([{ count: 2, answered: 1 }])
  })

  test('are grouped by topic, each with the closest page and the missing words', async () => {
    const { ask, manage, unanswered, decide } = await withBot(engine)
    await manage(`PATCH ${BOT}`, { body: { answer_threshold: 1 } })
    for (const [question, count] of [
      ['Who repairs violins near Antwerp?', 2],
      ['Where are violins repaired?', 1],
      ['Can I return a voucher within 30 days?', 1],
    ] as const)
      for (let time = 0; time < count; time++) await ask(question)
    const topics = async () => (await manage(`GET ${BOT}/unanswered/topics`)).body.topics
    const [violins, voucher, ...others] = await topics()
    expect(others).toEqual([])
    expect(violins).toMatchObject({ count: 3, low_confidence: 0, closest: null, missing: [] })
    expect(violins.subject).toEqual(expect.arrayContaining(['repairs', 'violins']))
    expect(violins.questions.map(({ question }: { question: string }) => question)).toEqual([
      'Who repairs violins near Antwerp?',
      'Where are violins repaired?',
    ])
    expect(violins.questions[0]).toEqual((await unanswered()).items[0])
    expect(voucher).toMatchObject({ count: 1, closest: { document_id: 'returns', title: 'Returns' } })
    expect([voucher.low_confidence, voucher.missing]).toEqual([1, ['voucher']])
    await decide('dismiss', 'Can I return a voucher within 30 days?')
    expect(await topics()).toHaveLength(1)
  })

  test('miss no word that stands in the title or a heading of the closest page', async () => {
    const { ask, manage } = await withBot(engine)
    const text = '# Status\n\n## By parcel number\n\nOrders can be followed on this page until they reach you.'
    const body = { documents: [{ id: 'track', title: 'Track your delivery', text }] }
    expect((await manage(`POST ${BOT}/documents`, { body })).status).toBe(200)
    await manage(`PATCH ${BOT}`, { body: { answer_threshold: 1 } })
    await ask('Can I track orders?')
    await ask('Which parcels have a number?')
    const { topics } = (await manage(`GET ${BOT}/unanswered/topics`)).body
    expect(topics).toHaveLength(2)
    for (const topic of topics) expect(topic).toMatchObject({ closest: { document_id: 'track' }, missing: [] })
  })

  test('miss no word that stands elsewhere in the closest section', async () => {
    const { ask, manage } = await withBot(engine)
    const countries = ['Germany', 'Austria', 'Italy', 'Spain', 'Portugal', 'Sweden', 'Switzerland', 'Norway']
    const rows = countries.map((country) => `<tr><td>${country}<td>12.90 €<td>3–5 working days<td>24.90 €`)
    const html = `<h1>Shipping</h1><h2>Delivery times</h2>
      <p>Express parcels take one or two working days within our own country, and they are brought to your door by a
      courier who rings twice, waits for a signature and leaves a card if nobody is at home on that day.</p>
      <table><tr><th>Destination<th>Standard<th>Arrives in<th>Price of express${rows.join('')}</table>`
    await manage(`POST ${BOT}/documents`, { body: { documents: [{ id: 'ship', title: 'Shipping', html }] } })
    await manage(`PATCH ${BOT}`, { body: { answer_threshold: 1 } })
    await ask('In Switzerland, does the courier leave a card?')
    const { topics } = (await manage(`GET ${BOT}/unanswered/topics`)).body
    expect(topics).toMatchObject([{ closest: { document_id: 'ship', section: 'Delivery times' }, missing: [] }])
  })

  test('are paged, and the pages add up to the whole list', async () => {
    const { ask, unanswered } = await withBot(engine)
    const subjects = ['violins', 'trumpets', 'harps', 'cellos', 'oboes']
    for (const [index, subject] of subjects.entries()) {
      for (let count = 0; count <= index % 3; count++) await ask(`Who repairs ${subject} near Antwerp?`)
    }
    const wholeList = (await unanswered()).items
    expect(wholeList.map(({ count }: { count: number }) => count)).toEqual([3, 2, 2, 1, 1])
    const items: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await unanswered({ limit: 2, ...(cursor ? { cursor } : {}) })
      items.push(...page.items)
      cursor = page.next_cursor
    }
    expect(items).toEqual(wholeList)
  })

  test('disappear when dismissed or covered by a curated answer, and return when that is undone', async () => {
    const { ask, questions, decide, manage, botId } = await withBot(engine)
    await ask(MONGOLIA)
    await ask(VIOLIN)
    expect((await decide('dismiss', 'what is the capital of MONGOLIA')).status).toBe(204)
    await ask(MONGOLIA)
    expect(await questions()).toEqual([VIOLIN])
    expect((await decide('restore', MONGOLIA)).status).toBe(204)
    expect(await questions()).toEqual([MONGOLIA, VIOLIN])

    const body = { question: 'Where can I have strings mended?', alternatives: ['who repairs violins near antwerp'] }
    const response = await manage(`POST ${BOT}/answers`, { body: { ...body, answer: 'At Ysaye, Main Street 1.' } })
    expect(await questions()).toEqual([MONGOLIA])
    const params = { botId, answerId: response.body.id }
    await manage(`PATCH ${BOT}/answers/{answerId}`, { params, body: { question: MONGOLIA } })
    expect(await questions()).toEqual([])
    await manage(`DELETE ${BOT}/answers/{answerId}`, { params })
    expect(await questions()).toEqual([MONGOLIA, VIOLIN])
  })
})

test('small talk, requests for a person and contact details are not listed as unanswered', async () => {
  const { ask, visitor, questions } = await withBot('sqlite')
  for (const message of ['Hello', 'Thanks a lot!', 'I want to talk to a human, please', '???', '🎉']) await ask(message)
  await ask('My address is ada@shop.example')
  await ask('You can call me at +43 1 588 58 0')
  await visitor().say('ada@shop.example')
  await visitor().say('Meine Nummer: 01 588 58 0', { locale: 'de-AT' })
  expect(await questions()).toEqual([])
  await ask(MONGOLIA)
  expect(await questions()).toEqual([MONGOLIA])
})

test('a long question can be dismissed by the shortened text that the list shows', async () => {
  const { ask, questions, decide } = await withBot('sqlite')
  await ask(`${MONGOLIA} ${'And why? '.repeat(200)}`)
  const [question] = await questions()
  expect(question).toHaveLength(500)
  await decide('dismiss', question)
  expect(await questions()).toEqual([])
})

test('questions covered by curated answers do not make the pages shorter', async () => {
  const { ask, manage, unanswered } = await withBot('sqlite')
  const askedQuestions = Array.from({ length: 60 }, (_, index) => `Who repairs violin number ${index} in Antwerp?`)
  for (const question of askedQuestions) await ask(question)
  await ask('Who tunes pianos in Lisbon?')
  await ask('Who tunes harps in Lisbon?')
  const [question, ...alternatives] = askedQuestions
  await manage(`POST ${BOT}/answers`, { body: { question, alternatives, answer: 'Ysaye does.' } })
  const { items } = await unanswered({ limit: 2 })
  expect(items).toHaveLength(2)
})

test('a cursor of another list is refused', async () => {
  const { manage } = await withBot('sqlite')
  const cursor = Buffer.from('1.2.x').toString('base64url')
  expect((await manage(`GET ${BOT}/unanswered`, { query: { cursor } })).status).toBe(400)
})
