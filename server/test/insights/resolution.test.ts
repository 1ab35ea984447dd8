// How conversations end, as the figures count it.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const documents = [
  { id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' },
  { id: 'delivery', title: 'Delivery', text: 'Delivery takes three working days.' },
]
const BOT = '/api/manage/v1/bots/{botId}'
const KNOWN = 'How many days do I have to return an item?'
const OTHER = 'How long does delivery take?'
const UNKNOWN = 'What is the capital of Mongolia?'
const HOUR = 3_600_000
const DAY = 24 * HOUR

async function withBot(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  server.clock.now = Date.UTC(2026, 10, 10, 10)
  const { botId, key } = await server.createBot({ documents })
  const manage = (route: string, more = {}) =>
    server.call(route, { token: server.adminToken, params: { botId }, ...more })
  const analytics = async (query: Record<string, string> = { from: '2026-11-01', to: '2026-11-30' }) =>
    (await manage(`GET ${BOT}/analytics`, { query })).body
  /** Only what is not zero, without rates. */
  const outcomes = async () => {
    const { resolution } = (await analytics()).totals
    const counts = Object.entries<number>(resolution).filter(([name, count]) => !name.endsWith('_rate') && count > 0)
    return Object.fromEntries(counts)
  }
  const ask = (message: string, more = {}) =>
    server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message, ...more } })
  const later = (ms = DAY + 1) => {
    server.clock.now += ms
  }
  return { ...server, botId, manage, analytics, outcomes, ask, later, visitor: () => createVisitor(server.call, botId) }
}

describe.each(engines)('resolution on %s', (engine) => {
  test('is assumed a day after an answer with confidence, and pending until then', async () => {
    const { visitor, outcomes, later } = await withBot(engine)
    await visitor().say(KNOWN)
    expect(await outcomes()).toEqual({ conversations: 1, involved: 1, pending: 1 })
    later()
    expect(await outcomes()).toEqual({ conversations: 1, involved: 1, assumed: 1 })
  })

  test('is confirmed by thanks and by good ratings, and denied by bad ones', async () => {
    const { visitor, outcomes, manage, botId, call } = await withBot(engine)
    await visitor().say(KNOWN)
    const [thankful, rating, starring, angry] = [visitor(), visitor(), visitor(), visitor()]
    await thankful.say(KNOWN)
    await thankful.say('Thank you!')
    const good = await rating.say(KNOWN)
    await rating.post('feedback', { message_id: good.body.message_id, rating: 'up' })
    await starring.say(KNOWN)
    const stars = await call('POST /api/chat/{botId}/rating', {
      params: { botId },
      headers: { 'x-visitor-token': starring.token() },
      body: { session_id: starring.sessionId(), stars: 5 },
    })
    expect(stars.status).toBeLessThan(300)
    const bad = await angry.say(KNOWN)
    await angry.post('feedback', { message_id: bad.body.message_id, rating: 'down' })
    expect(await outcomes()).toEqual({ conversations: 5, involved: 5, pending: 1, confirmed: 3, negative: 1 })
    const listed = async (outcome: string) =>
      (await manage(`GET ${BOT}/conversations`, { query: { had: outcome } })).body.items.length
    expect([await listed('resolved'), await listed('negative'), await listed('unresolved')]).toEqual([3, 1, 0])
  })

  test('is not confirmed by words of praise in a complaint or a question', async () => {
    const { visitor, outcomes } = await withBot(engine)
    for (const text of ['You are no great help', 'Very helpful?']) {
      const unsureVisitor = visitor()
      await unsureVisitor.say(KNOWN)
      await unsureVisitor.say(text)
    }
    expect(await outcomes()).not.toHaveProperty('confirmed')
  })

  test('a new question takes back what came before, and the last one decides', async () => {
    const { visitor, outcomes, later } = await withBot(engine)
    const ada = visitor()
    const { body } = await ada.say(KNOWN)
    await ada.post('feedback', { message_id: body.message_id, rating: 'up' })
    expect(await outcomes()).toMatchObject({ confirmed: 1 })
    later(HOUR)
    await ada.say(UNKNOWN)
    expect(await outcomes()).toEqual({ conversations: 1, involved: 1, unresolved: 1 })
    // Politeness after a reply without an answer confirms nothing.
    await ada.say('Thanks')
    expect(await outcomes()).toMatchObject({ unresolved: 1 })
    // A rating of an earlier answer changes nothing either.
    await ada.post('feedback', { message_id: body.message_id, rating: 'down' })
    expect(await outcomes()).toMatchObject({ unresolved: 1 })
    await ada.say(OTHER)
    later()
    expect(await outcomes()).toEqual({ conversations: 1, involved: 1, assumed: 1 })
  })

  test('asking the same again in another conversation within a day takes it back', async () => {
    const { ask, outcomes, later } = await withBot(engine)
    for (const user_id of ['u1', 'u2', 'u3']) await ask(KNOWN, { user_id })
    later(HOUR)
    await ask(KNOWN.toLowerCase(), { user_id: 'u1' })
    await ask(OTHER, { user_id: 'u2' })
    later()
    await ask(KNOWN, { user_id: 'u3' })
    expect(await outcomes()).toEqual({ conversations: 6, involved: 6, unresolved: 1, assumed: 4, pending: 1 })
  })

  test('counts whoever wants a person as escalated, for good', async () => {
    const { visitor, ask, outcomes, analytics, later } = await withBot(engine)
    const ada = visitor()
    await ada.say(KNOWN)
    await ada.say('I want to talk to a human, please')
    await ada.say(OTHER)
    await ask('I want to talk to a human, please')
    await visitor().say(KNOWN)
    later()
    expect(await outcomes()).toEqual({ conversations: 3, involved: 2, escalated: 1, assumed: 1 })
    const { resolution } = (await analytics()).totals
    expect(resolution).toMatchObject({
      involvement_rate: 0.667,
      resolution_rate: 0.5,
      automation_rate: 0.333,
      containment_rate: 0.333,
    })
  })

  test('never counts greetings', async () => {
    const { visitor, outcomes, analytics } = await withBot(engine)
    const ada = visitor()
    for (const text of ['Hello', 'Thank you', 'Bye']) await ada.say(text)
    expect(await outcomes()).toEqual({})
    const { conversations, resolution } = (await analytics()).totals
    expect([conversations, resolution.resolution_rate, resolution.involvement_rate]).toEqual([1, null, null])
  })

  test('is told by day, channel, language, page and topic', async () => {
    const { visitor, ask, analytics, manage, later } = await withBot(engine)
    const page = (path: string) => ({ page_url: `https://shop.test${path}` })
    await visitor().say(KNOWN, page('/returns?utm=1'))
    await visitor().say(KNOWN.replace('?', ' please?'), page('/returns'))
    later()
    await visitor().say(UNKNOWN, page('/'))
    await visitor().say('Wie lange dauert die Lieferung?', page('/'))
    await ask(OTHER)
    later()
    const figures = await analytics()
    const days = figures.series.filter(({ conversations }: { conversations: number }) => conversations > 0)
    expect(days).toMatchObject([
      { start: '2026-11-10', resolution: { conversations: 2, assumed: 2, resolution_rate: 1 } },
      { start: '2026-11-11', resolution: { conversations: 3 } },
    ])
    expect(figures.channels).toMatchObject([
      { channel: 'api', resolution: { conversations: 1, assumed: 1 } },
      { channel: 'widget', resolution: { conversations: 4 } },
    ])
    expect(figures.languages).toMatchObject([
      { language: 'en', resolution: { conversations: 4, unresolved: 1, assumed: 3 } },
      { language: 'de', resolution: { conversations: 1 } },
    ])
    expect(figures.top_pages).toMatchObject([
      { url: 'https://shop.test/', conversations: 2, resolution: { conversations: 2 } },
      { url: 'https://shop.test/returns', conversations: 2, resolution: { conversations: 2, resolution_rate: 1 } },
    ])
    const { topics } = (await manage(`GET ${BOT}/analytics/topics`, { query: { from: '2026-11-01' } })).body
    expect(topics[0]).toMatchObject({
      question: expect.stringContaining('return'),
      count: 2,
      questions: 2,
      resolution: { conversations: 2, assumed: 2, resolution_rate: 1 },
    })
    const some = { from: '2026-11-01', top: '1' }
    expect((await manage(`GET ${BOT}/analytics/topics`, { query: some })).body.topics).toEqual([topics[0]])
    expect(topics.length).toBeGreaterThan(1)
    expect((await manage(`GET ${BOT}/analytics/topics`, { query: { to: '2026-11-01' } })).body.topics).toEqual([])
  })

  test('is kept when conversations are deleted, and deleted with the bot', async () => {
    const { visitor, ask, analytics, manage, botId, later, database } = await withBot(engine)
    const ada = visitor()
    const { body } = await ada.say(KNOWN)
    await ada.post('feedback', { message_id: body.message_id, rating: 'up' })
    await visitor().say('Hello')
    await ask(UNKNOWN, { user_id: 'u1' })
    await ask('I want to talk to a human, please')
    later()
    const before = await analytics()
    await manage(`DELETE ${BOT}/visitors/{visitorId}`, { params: { botId, visitorId: 'user:u1' } })
    for (const { id } of (await manage(`GET ${BOT}/conversations`)).body.items)
      await manage(`DELETE ${BOT}/conversations/{conversationId}`, { params: { botId, conversationId: id } })
    expect(await countRows(database, 'conversations')).toBe(0)
    const after = await analytics()
    expect(before.totals.resolution).toMatchObject({ conversations: 3, involved: 2, confirmed: 1, unresolved: 1 })
    expect([after.totals, after.series, after.languages]).toEqual([before.totals, before.series, before.languages])
    expect(await countRows(database, 'resolutions')).toBe(3)
    await manage(`DELETE ${BOT}`)
    expect(await countRows(database, 'resolutions')).toBe(0)
  })
})
