// Curated answers: given word for word if a question is close to theirs, and only then.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer, type TestBot, type TestServer } from '../harness/start-server.ts'

const token = ADMIN_TOKEN
const ANSWERS = '/api/manage/v1/bots/{botId}/answers'
const ANSWER = `${ANSWERS}/{answerId}`

const documents = [
  {
    id: 'delivery',
    title: 'Delivery',
    url: 'https://shop.test/delivery',
    text: 'Delivery within the country takes two to three working days. Parcels are brought by bicycle courier.',
  },
  {
    id: 'workshop',
    title: 'Workshop',
    url: 'https://shop.test/workshop',
    text: 'The workshop repairs gears and brakes. A full service costs 89 euros.',
  },
]

const warranty = {
  question: 'How long is the warranty on a bicycle frame?',
  alternatives: ['What guarantee do frames have?', 'Is my frame still under warranty after five years?'],
  answer: 'Frames: ten years.  Parts: two years.\n\n*Keep your receipt!*',
  url: 'https://shop.test/warranty',
}

const voucher = {
  question: 'Where can I redeem a gift voucher?',
  alternatives: ['How do I use my gift card?'],
  answer: 'Type the code of your voucher into the field below the basket.',
}

async function withBot(engine: Engine, answers: object[] = [warranty, voucher]) {
  const server = await startServer(engine)
  const bot = await server.createBot({ documents })
  const ids: string[] = []
  for (const body of answers) ids.push((await addAnswer(server, bot, body)).body.id)
  return { ...server, ...bot, answerId: ids[0] ?? '', ask: createAsk(server, bot) }
}

function addAnswer({ call }: TestServer, { botId }: TestBot, body: object) {
  return call(`POST ${ANSWERS}`, { token, params: { botId }, body })
}

function createAsk({ call }: TestServer, { botId, key }: TestBot) {
  return async (message: string) => {
    const response = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    expect([message, response.status]).toEqual([message, 200])
    return response.body
  }
}

test('a phrasing in chat spelling is matched, in chat spelling or written out', async () => {
  const wifi = { question: 'wheres ur wifi pw', alternatives: [], answer: 'On the card at the till.' }
  const { ask } = await withBot('sqlite', [warranty, voucher, wifi])
  for (const message of ['wheres ur wifi pw', "where's your wifi pw"]) {
    const { response, confidence } = await ask(message)
    expect(response).toBe(wifi.answer)
    expect(confidence).toBeGreaterThan(0.95)
  }
})

describe.each(engines)('a curated answer on %s', (engine) => {
  test('is created, read, listed, changed and removed through the management API', async () => {
    const { call, botId } = await withBot(engine, [])
    const createResponse = await call(`POST ${ANSWERS}`, { token, params: { botId }, body: warranty })
    expect(createResponse.status).toBe(201)
    expect(createResponse.body).toMatchObject(warranty)
    const params = { botId, answerId: createResponse.body.id as string }
    expect((await call(`GET ${ANSWER}`, { token, params })).body).toEqual(createResponse.body)
    expect((await call(`GET ${ANSWERS}`, { token, params })).body.items).toEqual([createResponse.body])

    const blank = await call(`PATCH ${ANSWER}`, { token, params, body: { question: '\0 \0' } })
    expect([blank.status, blank.body.error.details[0].path]).toEqual([400, 'question'])

    const updateResponse = await call(`PATCH ${ANSWER}`, {
      token,
      params,
      body: { answer: 'Twelve years.', url: null },
    })
    expect(updateResponse.body).toEqual({ ...createResponse.body, answer: 'Twelve years.', url: null })
    expect((await call(`GET ${ANSWER}`, { token, params })).body).toEqual(updateResponse.body)

    expect((await call(`DELETE ${ANSWER}`, { token, params })).status).toBe(204)
    expect((await call(`GET ${ANSWER}`, { token, params })).status).toBe(404)
    expect((await call(`PATCH ${ANSWER}`, { token, params, body: { answer: 'x' } })).status).toBe(404)
    expect((await call(`GET ${ANSWERS}`, { token, params })).body.items).toEqual([])
  })

  test('is given word for word, with its page as source, however the question is phrased', async () => {
    const { ask } = await withBot(engine)
    const questions = [
      warranty.question,
      ...warranty.alternatives,
      'how long is the warranty on a bicycle frame',
      'On a bicycle frame, how long is the warranty?',
      'How long is the waranty on a bicycle frame?',
      'Hello! How long is the warranty on a bicycle frame?',
    ]
    for (const question of questions) {
      const { response, sources, answered } = await ask(question)
      expect({ question, response, sources, answered }).toEqual({
        question,
        response: warranty.answer,
        sources: [{ title: warranty.question, url: warranty.url }],
        answered: true,
      })
    }
    expect(await ask(voucher.question)).toMatchObject({ response: voucher.answer, sources: [] })
  })

  test('is not given for another question, even if it is the only one', async () => {
    for (const answers of [[warranty], [warranty, voucher]]) {
      const { ask } = await withBot(engine, answers)
      const delivery = await ask('How long does delivery take?')
      expect(delivery.response).toContain('two to three working days')
      expect(delivery.sources[0].url).toBe('https://shop.test/delivery')
      const service = await ask('What does a full service in the workshop cost?')
      expect(service.response).toContain('89 euros')
      for (const unrelated of ['Which planets have rings?', 'Do you sell bicycle bells?'])
        expect((await ask(unrelated)).response).not.toBe(warranty.answer)
      expect((await ask(warranty.question)).response).toBe(warranty.answer)
    }
  })

  test('is used from the next question on after a change', async () => {
    const { ask, call, botId, answerId } = await withBot(engine)
    const params = { botId, answerId }
    expect((await ask(warranty.question)).response).toBe(warranty.answer)

    await call(`PATCH ${ANSWER}`, { token, params, body: { answer: 'Twelve years now.', url: null } })
    expect(await ask(warranty.question)).toMatchObject({ response: 'Twelve years now.', sources: [] })

    const newWording = { question: 'Who was the founder of the company?', alternatives: [] }
    await call(`PATCH ${ANSWER}`, { token, params, body: newWording })
    expect((await ask('Who was the founder of the company?')).response).toBe('Twelve years now.')
    expect((await ask(warranty.question)).response).not.toBe('Twelve years now.')

    await call(`DELETE ${ANSWER}`, { token, params })
    expect((await ask('Who was the founder of the company?')).response).not.toBe('Twelve years now.')
    expect((await ask(voucher.question)).response).toBe(voucher.answer)
  })

  test('is used only by its own bot', async () => {
    const server = await withBot(engine)
    const otherBot = await server.createBot({ documents })
    const askOther = createAsk(server, otherBot)
    expect((await askOther(warranty.question)).response).not.toBe(warranty.answer)

    await addAnswer(server, otherBot, { ...warranty, answer: 'The other shop gives five years.', url: null })
    expect((await askOther(warranty.question)).response).toBe('The other shop gives five years.')
    expect((await server.ask(warranty.question)).response).toBe(warranty.answer)

    const foreign = { botId: otherBot.botId, answerId: server.answerId }
    for (const [method, body] of [['GET'], ['PATCH', { answer: 'Stolen.' }], ['DELETE']] as const) {
      const response = await server.call(`${method} ${ANSWER}`, { token, params: foreign, ...(body ? { body } : {}) })
      expect([method, response.status]).toEqual([method, 404])
    }
    expect((await server.ask(warranty.question)).response).toBe(warranty.answer)
  })
})

test('a curated answer in a language other than English is matched too', async () => {
  const server = await startServer('sqlite')
  const bot = await server.createBot({ language: 'de' })
  const answer = 'Auf Rahmen geben wir zehn Jahre Garantie.'
  await addAnswer(server, bot, { question: 'Wie lange gilt die Garantie auf den Rahmen?', answer })
  await addAnswer(server, bot, { question: 'Wo löse ich einen Gutschein ein?', answer: 'Unter dem Warenkorb.' })
  const ask = createAsk(server, bot)
  expect((await ask('Wie lange gilt die Garantie auf den Rahmen?')).response).toBe(answer)
  expect((await ask('wie lange gilt die garantie auf dem rahmen')).response).toBe(answer)
  expect((await ask('Wo ist der nächste Bahnhof?')).response).not.toBe(answer)
})

test('sharing only the form of a question ("How long is …") is not a match', async () => {
  const server = await withBot('sqlite')
  expect((await server.ask('How long is the Nile?')).response).not.toBe(warranty.answer)
  expect((await server.ask('How long is the lunch break?')).response).not.toBe(warranty.answer)

  const bot = await server.createBot({ language: 'de' })
  const german = createAsk(server, bot)
  for (const question of ['Wie lange gilt die Garantie auf den Rahmen?', 'Wo löse ich einen Gutschein ein?'])
    await addAnswer(server, bot, { question, answer: `Antwort auf: ${question}` })
  expect((await german('Wie lange dauert der Versand nach Österreich?')).response).not.toMatch(/^Antwort auf/)
})

test('a curated answer is matched in the bot’s new language after it changes', async () => {
  const { call, createBot } = await startServer('sqlite')
  const { botId, key } = await createBot()
  const params = { botId }
  const question = 'Wie lange dauern die Rückzahlungen?'
  await call(`POST ${ANSWERS}`, { token, params, body: { question, answer: 'Fünf Tage.' } })
  const message = 'Wie lange dauert eine Rückzahlung?'
  const ask = async () => (await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body
  const before = await ask()
  await call('PATCH /api/manage/v1/bots/{botId}', { token, params, body: { language: 'de' } })
  const after = await ask()
  expect(after.response).toBe('Fünf Tage.')
  expect(after.confidence).toBeGreaterThan(before.confidence)
})
