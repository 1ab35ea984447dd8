// Trying a bot in the dashboard: the answer a visitor would get, the reasons, and nothing recorded.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const token = ADMIN_TOKEN
const BOT = '/api/manage/v1/bots/{botId}'

const documents = [
  {
    id: 'delivery',
    title: 'Delivery',
    url: 'https://shop.test/delivery',
    text: 'Delivery within Austria takes two to three working days. Parcels are brought by bicycle courier.',
  },
  { id: 'workshop', title: 'Workshop', text: 'The workshop repairs gears and brakes. A full service costs 89 euros.' },
]

async function withBot(engine: (typeof engines)[number]) {
  const server = await startServer(engine)
  const { botId, key } = await server.createBot({ documents })
  const body = { question: 'Where can I redeem a gift voucher?', answer: 'Below the basket.' }
  await server.call(`POST ${BOT}/answers`, { token, params: { botId }, body })
  const tryIt = async (message: string, history: object[] = []) =>
    server.call(`POST ${BOT}/try`, { token, params: { botId }, body: { message, history } })
  return { ...server, botId, key, tryIt }
}

describe.each(engines)('trying a bot on %s', (engine) => {
  test('gives the same answer as the chat API, with the search results and their signals', async () => {
    const { call, botId, key, tryIt } = await withBot(engine)
    const message = 'How long does delivery within Austria take?'
    const response = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
    const { status, body } = await tryIt(message)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      response: response.body.response,
      sources: response.body.sources,
      confidence: response.body.confidence,
      decision: 'answer',
      thresholds: { answer: 0.5, suggest: 0.2 },
      model: null,
    })
    expect(body.question).toContain('delivery')
    expect(body.results[0]).toMatchObject({ document_id: 'delivery', url: 'https://shop.test/delivery' })
    expect(body.results[0].signals.words).toBeGreaterThan(0)
  })

  test('explains the answer', async () => {
    const { tryIt } = await withBot(engine)
    const decisions = ['Where can I redeem a gift voucher?', 'Hello!', 'I want to talk to a human', 'Who won in 1954?']
    const responses = await Promise.all(decisions.map((message) => tryIt(message)))
    expect(responses.map(({ body }) => body.decision)).toEqual(['curated', 'small_talk', 'person', 'fall_back'])
  })

  test('considers the history', async () => {
    const { tryIt } = await withBot(engine)
    const { body } = await tryIt('And what does it cost?', [
      { role: 'user', text: 'Does the workshop do a full service?' },
      { role: 'assistant', text: 'The workshop repairs gears and brakes.' },
    ])
    expect(body.results[0].document_id).toBe('workshop')
    expect(body.response).toContain('89 euros')
  })

  test('records no conversation and sends no events', async () => {
    const { call, botId, tryIt, database } = await withBot(engine)
    await call(`POST ${BOT}/webhooks`, { token, params: { botId }, body: { url: 'https://receiver.example/hook' } })
    await tryIt('How long does delivery take?')
    expect(await countRows(database, 'conversations')).toBe(0)
    expect(await countRows(database, 'messages')).toBe(0)
    const { body } = await call(`GET ${BOT}/deliveries`, { token, params: { botId } })
    expect(body.items).toEqual([])
  })

  test('is limited per bot', async () => {
    const { tryIt, clock } = await withBot(engine)
    const tries = Array.from({ length: 61 }, () => tryIt('Hello!'))
    const refusals = (await Promise.all(tries)).filter(({ status }) => status === 429)
    expect(refusals.map(({ body }) => body.error.code)).toEqual(['rate_limited'])
    // The SDK, and with it `docent eval`, waits for at most 30 seconds.
    expect(Number(refusals[0]?.headers['retry-after'])).toBeLessThanOrEqual(30)
    clock.now += 30_000
    expect((await tryIt('Hello!')).status).toBe(200)
  })

  test('refuses an empty message and an invalid history', async () => {
    const { tryIt } = await withBot(engine)
    expect((await tryIt('   ')).body.error).toMatchObject({ code: 'validation_failed', details: [{ path: 'message' }] })
    expect((await tryIt('hi', [{ role: 'system', text: 'x' }])).body.error.code).toBe('validation_failed')
  })
})
