// Analytics figures, compared with what the tests did.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { countRows } from '../harness/database/rows.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'
const KNOWN = 'How many days do I have to return an item?'
const UNKNOWN = 'What is the capital of Mongolia?'
const DAY = 86_400_000

async function withBot(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const { botId, key, workspaceId } = await server.createBot({ documents })
  const token = server.adminToken
  const manage = (route: string, more = {}) => server.call(route, { token, params: { botId }, ...more })
  const analytics = async (query: Record<string, string> = {}) => (await manage(`GET ${BOT}/analytics`, { query })).body
  const ask = (message: string, more = {}) =>
    server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message, ...more } })
  return {
    ...server,
    botId,
    key,
    workspaceId,
    manage,
    analytics,
    ask,
    visitor: () => createVisitor(server.call, botId),
  }
}

const none = {
  conversations: 0,
  messages: 0,
  questions: 0,
  answered: 0,
  low_confidence: 0,
  answered_share: null,
  mean_confidence: null,
  ratings_up: 0,
  ratings_down: 0,
  handovers_requested: 0,
  handovers_accepted: 0,
  leads: 0,
  resolution: resolution({}),
}

/** How conversations ended, as far as it is not nothing. */
function resolution(counts: Record<string, number | null>) {
  return {
    conversations: 0,
    involved: 0,
    confirmed: 0,
    assumed: 0,
    escalated: 0,
    negative: 0,
    unresolved: 0,
    pending: 0,
    involvement_rate: null,
    resolution_rate: null,
    automation_rate: null,
    containment_rate: null,
    ...counts,
  }
}

describe.each(engines)('figures on %s', (engine) => {
  test('compare the bots of a workspace, each with its own figures, and no bot of another', async () => {
    const { call, adminToken: token, workspaceId, botId, analytics, ask } = await withBot(engine)
    const quiet = await call('POST /api/manage/v1/bots', { token, body: { name: 'Outlet', workspace_id: workspaceId } })
    const foreign = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'Elsewhere' } })
    await call('POST /api/manage/v1/bots', { token, body: { name: 'Foreign', workspace_id: foreign.body.id } })
    await ask(KNOWN)
    await ask(UNKNOWN)
    const compare = (id: string, query = {}) =>
      call('GET /api/manage/v1/workspaces/{workspaceId}/analytics', { token, params: { workspaceId: id }, query })
    const { status, body } = await compare(workspaceId)
    expect(status).toBe(200)
    expect(body.bots).toHaveLength(2)
    expect(body.bots[0]).toEqual({ id: botId, name: expect.any(String), ...(await analytics()).totals })
    expect(body.bots[0]).toMatchObject({ questions: 2, answered: 1 })
    expect(body.bots[1]).toEqual({ id: quiet.body.id, name: 'Outlet', ...none })
    expect((await compare(workspaceId, { from: '2024-01-01' })).status).toBe(200)
    expect((await compare(workspaceId, { from: '2026-02-30' })).status).toBe(400)
    expect((await compare('ws_of_nobody')).status).toBe(404)
  })

  test('match what happened, by day and by channel', async () => {
    const { visitor, ask, analytics, manage, clock, botId } = await withBot(engine)
    clock.now = Date.UTC(2026, 10, 13, 10)
    const ada = visitor()
    const first = await ada.say(KNOWN)
    const second = await ada.say(UNKNOWN)
    await ada.say('Hello')
    await ada.post('feedback', { message_id: first.body.message_id, rating: 'down' })
    clock.now += DAY
    await ada.post('feedback', { message_id: first.body.message_id, rating: 'up' })
    await ada.post('feedback', { message_id: second.body.message_id, rating: 'down' })
    await ada.say('I want to talk to a human, please')
    const conversationId = (await manage(`GET ${BOT}/conversations`)).body.items[0].id
    const act = (action: string, body?: object) =>
      manage(`POST ${BOT}/conversations/{conversationId}/${action}`, { params: { botId, conversationId }, body })
    await act('accept')
    await act('messages', { text: 'Hello Ada' })
    await ada.say('Hello Grace, my address is ada@shop.example')
    await act('close')
    await ada.post('handover')
    await ada.post('lead', { fields: { email: 'ada@shop.example' } })
    await ada.post('lead', { fields: { email: 'ada@home.example' } })
    const api = await ask(KNOWN, { user_id: 'u1' })
    await ask(UNKNOWN, { session_id: api.body.session_id })

    const figures = await analytics({ from: '2026-11-12', to: '2026-11-15' })
    const [confident, unsureConfidence] = [first.body.confidence, second.body.confidence]
    const mean = Math.round(((confident + unsureConfidence) / 2) * 1000) / 1000
    const half = { questions: 2, answered: 1, answered_share: 0.5, mean_confidence: mean }
    const thirteenth = { ...none, ...half, conversations: 1, messages: 6, ratings_up: 1, ratings_down: 1 }
    const all = { involvement_rate: 1, resolution_rate: 0, automation_rate: 0 }
    const ofAda = resolution({ conversations: 1, involved: 1, escalated: 1, ...all, containment_rate: 0 })
    const ofCaller = resolution({ conversations: 1, involved: 1, unresolved: 1, ...all, containment_rate: 1 })
    const ofPeople = { ...none, messages: 4, handovers_requested: 2, handovers_accepted: 1, leads: 1 }
    const ofApi = { ...none, ...half, conversations: 1, messages: 4, resolution: ofCaller }
    const figuresOfBoth = { ...ofPeople, ...half, conversations: 1, messages: 8, resolution: ofCaller }
    expect(figures.series).toMatchObject([
      { start: '2026-11-12', since: '2026-11-12T00:00:00.000Z', until: '2026-11-13T00:00:00.000Z', ...none },
      { start: '2026-11-13', ...thirteenth, resolution: ofAda },
      { start: '2026-11-14', ...figuresOfBoth },
      { start: '2026-11-15', ...none },
    ])
    expect(figures.channels).toEqual([
      { channel: 'api', ...ofApi },
      {
        channel: 'widget',
        ...thirteenth,
        messages: 10,
        handovers_requested: 2,
        handovers_accepted: 1,
        leads: 1,
        resolution: ofAda,
      },
    ])
    const totals = {
      ...figuresOfBoth,
      conversations: 2,
      messages: 14,
      questions: 4,
      answered: 2,
      ratings_up: 1,
      ratings_down: 1,
      resolution: resolution({
        conversations: 2,
        involved: 2,
        escalated: 1,
        unresolved: 1,
        ...all,
        containment_rate: 0.5,
      }),
    }
    expect(figures.totals).toEqual(totals)
  })

  test('never count a hedged reply as a confident one', async () => {
    const { ask, analytics, manage } = await withBot(engine)
    await manage(`PATCH ${BOT}`, { body: { answer_threshold: 1 } })
    const { body } = await ask(KNOWN)
    expect(body).toMatchObject({ decision: 'suggest', answered: true })
    const { totals, top_questions } = await analytics()
    expect(totals).toMatchObject({ questions: 1, answered: 0, low_confidence: 1, answered_share: 0 })
    expect(top_questions).toMatchObject([{ question: KNOWN, answered: 0, low_confidence: 1 }])
    const count = async (query: Record<string, string>) =>
      (await manage(`GET ${BOT}/conversations`, { query })).body.items.length
    expect([await count({ had: 'answered' }), await count({ had: 'low_confidence' })]).toEqual([0, 1])
    expect([await count({ unanswered: 'false' }), await count({ unanswered: 'true' })]).toEqual([0, 1])
    expect((await manage(`GET ${BOT}/unanswered`)).body.items).toMatchObject([{ question: KNOWN }])
  })

  test('link to the conversations that they count', async () => {
    const { visitor, ask, manage, clock } = await withBot(engine)
    const list = async (query: Record<string, string>) => {
      const { status, body } = await manage(`GET ${BOT}/conversations`, { query })
      return status === 200 ? body.items.map(({ id }: { id: string }) => id) : status
    }
    clock.now = Date.UTC(2026, 10, 13, 10)
    const ada = visitor()
    const { body } = await ada.say(KNOWN)
    await ada.post('feedback', { message_id: body.message_id, rating: 'down' })
    const [adas] = await list({})
    clock.now += DAY
    await ada.post('handover')
    await ada.post('lead', { fields: { email: 'ada@shop.example' } })
    await ask(UNKNOWN)
    const [otherConversation] = await list({ channel: 'api' })
    const [first, second] = [
      { since: '2026-11-13T00:00:00Z', until: '2026-11-14T00:00:00Z' },
      { since: '2026-11-14T00:00:00Z', until: '2026-11-15T00:00:00+00:00' },
    ]
    expect(await list(first)).toEqual([adas])
    expect(await list(second)).toEqual([otherConversation])
    const cases = [
      [{ had: 'question' }, [adas], [otherConversation]],
      [{ had: 'answered' }, [adas], []],
      [{ had: 'unanswered' }, [], [otherConversation]],
      [{ had: 'low_confidence' }, [], []],
      [{ had: 'rating_down' }, [adas], []],
      [{ had: 'rating_up' }, [], []],
      [{ had: 'handover_requested' }, [], [adas]],
      [{ had: 'handover_accepted' }, [], []],
      [{ had: 'lead' }, [], [adas]],
      [{ asked: KNOWN.toLowerCase() }, [adas], []],
      [{ asked: UNKNOWN, had: 'unanswered' }, [], [otherConversation]],
      [{ asked: UNKNOWN, had: 'answered' }, [], []],
    ] as const
    for (const [query, ...expected] of cases)
      expect([await list({ ...query, ...first }), await list({ ...query, ...second })], JSON.stringify(query)).toEqual(
        expected,
      )
    expect([await list({ since: 'yesterday' }), await list({ had: 'luck' })]).toEqual([400, 400])
  })

  test('a day begins and ends at midnight in the requested time zone', async () => {
    const { ask, analytics, clock } = await withBot(engine)
    // New York repeats an hour on 1 November; Kolkata is half an hour off.
    for (const time of [
      '2026-10-31T18:29:00Z',
      '2026-10-31T18:31:00Z',
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:59:00Z',
    ]) {
      clock.now = Date.parse(time)
      await ask(KNOWN)
    }
    const counts = async (timezone: string) =>
      (await analytics({ from: '2026-10-31', to: '2026-11-02', timezone })).series.map(
        (point: { since: string; conversations: number }) => [point.since, point.conversations],
      )
    expect(await counts('America/New_York')).toEqual([
      ['2026-10-31T04:00:00.000Z', 2],
      ['2026-11-01T04:00:00.000Z', 2],
      ['2026-11-02T05:00:00.000Z', 0],
    ])
    expect(await counts('Asia/Kolkata')).toEqual([
      ['2026-10-30T18:30:00.000Z', 1],
      ['2026-10-31T18:30:00.000Z', 2],
      ['2026-11-01T18:30:00.000Z', 1],
    ])
  })

  test('a day begins and ends at midnight in UTC', async () => {
    const { ask, analytics, clock } = await withBot(engine)
    const midnight = Date.UTC(2026, 10, 14)
    clock.now = midnight - 1
    const { body } = await ask(KNOWN)
    clock.now = midnight
    await ask(KNOWN, { session_id: body.session_id })
    const { series } = await analytics({ from: '2026-11-13', to: '2026-11-14' })
    expect(series.map(({ conversations, messages }: typeof none) => [conversations, messages])).toEqual([
      [1, 2],
      [0, 2],
    ])
    const one = await analytics({ from: '2026-11-14T23:59:59.999Z', to: '2026-11-14' })
    expect(one.totals.messages).toBe(2)
    expect((await analytics({ from: '2026-11-14T00:30:00+01:00', to: '2026-11-14' })).totals.messages).toBe(4)
  })

  test('of many parallel turns are exact', async () => {
    const { ask, analytics } = await withBot(engine)
    const { body } = await ask(KNOWN)
    const questions = Array.from({ length: 30 }, (_, index) =>
      ask(index % 3 ? KNOWN : UNKNOWN, index % 2 ? { session_id: body.session_id } : {}),
    )
    expect((await Promise.all(questions)).every(({ status }) => status === 200)).toBe(true)
    const { totals } = await analytics()
    expect(totals).toMatchObject({ conversations: 16, messages: 62, questions: 31, answered: 21 })
  })

  test('weeks begin on Monday, months on the first, and only requested days are counted', async () => {
    const { ask, analytics, clock } = await withBot(engine)
    for (const day of [1, 2, 8, 9, 30]) {
      clock.now = Date.UTC(2026, 10, day, 5)
      await ask(KNOWN)
    }
    const counts = async (query: Record<string, string>) =>
      (await analytics(query)).series.map((point: { start: string; conversations: number }) => [
        point.start,
        point.conversations,
      ])
    expect(await counts({ from: '2026-11-02', to: '2026-11-15', interval: 'week' })).toEqual([
      ['2026-11-02', 2],
      ['2026-11-09', 1],
    ])
    expect(await counts({ from: '2026-11-01', to: '2026-11-08', interval: 'week' })).toEqual([
      ['2026-10-26', 1],
      ['2026-11-02', 2],
    ])
    expect(await counts({ from: '2026-10-31', to: '2026-11-29', interval: 'month' })).toEqual([
      ['2026-10-01', 0],
      ['2026-11-01', 4],
    ])
  })

  test('top questions and pages ignore spelling, greetings and query strings', async () => {
    const { ask, visitor, analytics } = await withBot(engine)
    await ask(KNOWN)
    await ask(`hello,  ${KNOWN.toUpperCase().replace('?', ' ??')}`)
    await ask(KNOWN.replace('?', '…'))
    await ask(UNKNOWN)
    await ask('Thank you!')
    await ask('I want to talk to a human, please')
    const pages = ['https://shop.test/a?utm=1', 'https://shop.test/a#top', 'https://shop.test/a', 'https://shop.test/b']
    for (const page_url of pages) await visitor().say('Hello', { page_url })
    const { top_questions, top_pages } = await analytics()
    expect(top_questions).toEqual([
      expect.objectContaining({ question: KNOWN.replace('?', '…'), count: 3, answered: 3 }),
      expect.objectContaining({ question: UNKNOWN, count: 1, answered: 0 }),
    ])
    expect(top_pages).toEqual([
      { url: 'https://shop.test/a', conversations: 3, resolution: resolution({}) },
      { url: 'https://shop.test/b', conversations: 1, resolution: resolution({}) },
    ])
    expect((await analytics({ to: '2026-11-14' })).top_questions).toEqual([])
  })

  test('are deleted with their bot', async () => {
    const { ask, manage, database } = await withBot(engine)
    await ask(KNOWN)
    expect(await countRows(database, 'activity')).toBe(1)
    await manage(`DELETE ${BOT}`)
    expect(await countRows(database, 'activity')).toBe(0)
  })
})

test('figures cover the last 30 days by default', async () => {
  const { analytics } = await withBot('sqlite')
  const figures = await analytics()
  expect([figures.from, figures.to, figures.interval]).toEqual(['2026-10-17', '2026-11-15', 'day'])
  expect(figures.series).toHaveLength(30)
  expect(figures.totals).toEqual(none)
})

test.each([
  [{ from: '2026-02-30' }, 'from'],
  [{ to: 'yesterday' }, 'to'],
  [{ from: '2026-11-14T10:00:00' }, 'from'],
  [{ from: '2026-11-14', to: '2026-11-13' }, 'from'],
  [{ from: '2025-01-01', to: '2026-11-13' }, 'from'],
  [{ interval: 'hour' }, 'interval'],
  [{ timezone: 'Europe/Nowhere' }, 'timezone'],
])('%j is refused, naming the wrong field', async (query, path) => {
  const { manage } = await withBot('sqlite')
  const { status, body } = await manage(`GET ${BOT}/analytics`, { query })
  expect([status, body.error.details[0].path]).toEqual([400, path])
})

test('400 points are returned and 401 are refused', async () => {
  const { manage } = await withBot('sqlite')
  const status = async (from: string) =>
    (await manage(`GET ${BOT}/analytics`, { query: { from, to: '2026-11-15' } })).status
  expect(await status('2025-10-12')).toBe(200)
  expect(await status('2025-10-11')).toBe(400)
})
