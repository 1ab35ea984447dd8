// What a team sees first, over all bots of its workspace.
import { describe, expect, test } from 'vitest'
import { INSTANCE_WORKSPACE_ID } from '../../src/storage/workspaces.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const HOME = 'GET /api/manage/v1/workspaces/{workspaceId}/home'
const KNOWN = 'How many days do I have to return an item?'
const UNKNOWN = 'What is the capital of Mongolia?'
const HOUR = 3_600_000
const DAY = 24 * HOUR

async function withWorkspace(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  server.clock.now = Date.UTC(2026, 10, 14, 10)
  const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
  const { botId, workspaceId } = await server.createBot({ documents })
  const token = server.adminToken
  const read = async (query: Record<string, string> = {}) =>
    (await server.call(HOME, { token, params: { workspaceId }, query })).body
  return { ...server, botId, workspaceId, token, read }
}

describe.each(engines)('home on %s', (engine) => {
  test('of a new workspace is empty, not an error', async () => {
    const { call, token } = await withWorkspace(engine)
    const { body } = await call('POST /api/manage/v1/workspaces', { token, body: { name: 'New' } })
    const read = (route: string) => call(route, { token, params: { workspaceId: body.id } })
    const { body: home } = await read(HOME)
    expect(home).toMatchObject({ bots: [], waiting: { count: 0, conversations: [] }, questions: [], unanswered: [] })
    expect(home.attention).toEqual([])
    expect(home.week.totals).toMatchObject({ conversations: 0, resolution: { resolution_rate: null } })
    expect(home.week.days).toHaveLength(7)
  })

  test('tells the bots of the first start, with the pages of their chats', async () => {
    const { call } = await startServer(engine, { environment: { DEMO_BOT: 'on' } })
    const params = { workspaceId: INSTANCE_WORKSPACE_ID }
    const { body } = await call(HOME, { token: ADMIN_TOKEN, params })
    expect(body.bots.map(({ demo_page }: { demo_page: string }) => demo_page)).toEqual(['/docs', '/demo'])
  })

  test('shows who waits longest first, and nobody who has been helped', async () => {
    const { call, botId, token, read, clock } = await withWorkspace(engine)
    const [ada, grace] = [createVisitor(call, botId), createVisitor(call, botId)]
    await ada.say('Where is my parcel?', { visitor: { name: 'Ada' } })
    await ada.post('handover')
    clock.now += HOUR
    await grace.post('handover')
    const { waiting } = await read()
    expect(waiting).toMatchObject({
      count: 2,
      conversations: [
        { bot_id: botId, visitor: 'Ada', message: 'Where is my parcel?', since: '2026-11-14T10:00:00.000Z' },
        { bot_id: botId, visitor: null, message: null, since: '2026-11-14T11:00:00.000Z' },
      ],
    })
    // By which a visitor without a name has the same one as in the inbox.
    const inbox = await call('GET /api/manage/v1/bots/{botId}/conversations', { token, params: { botId } })
    const visitorIds = inbox.body.items.map(({ visitor }: { visitor: { id: string } }) => visitor.id)
    expect(visitorIds.toSorted()).toEqual(
      waiting.conversations.map((each: { visitor_id: string }) => each.visitor_id).toSorted(),
    )
    await call('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/accept', {
      token,
      params: { botId, conversationId: waiting.conversations[0].id },
    })
    expect((await read()).waiting).toMatchObject({ count: 1, conversations: [{ visitor: null }] })
  })

  test('adds up the week of all bots, in the days of a time zone', async () => {
    const { call, botId, workspaceId, token, read, clock } = await withWorkspace(engine)
    const otherBot = await call('POST /api/manage/v1/bots', {
      token,
      body: { name: 'A second bot', workspace_id: workspaceId },
    })
    clock.now -= 8 * DAY
    await createVisitor(call, botId).say(KNOWN)
    clock.now += 6 * DAY
    for (const text of [KNOWN, UNKNOWN, UNKNOWN.toLowerCase()]) await createVisitor(call, botId).say(text)
    await createVisitor(call, otherBot.body.id).say('Do you repair bicycles?')
    clock.now += 2 * DAY
    const { bots, week, questions, unanswered } = await read({ timezone: 'Europe/Vienna' })
    expect(bots).toContainEqual({ id: otherBot.body.id, name: 'A second bot', demo_page: null })
    expect(week.totals).toMatchObject({ conversations: 4, resolution: { conversations: 4, assumed: 1, unresolved: 3 } })
    expect(week.before).toMatchObject({ conversations: 1, resolution: { resolution_rate: 1 } })
    expect(week.days[4]).toEqual({ date: '2026-11-12', conversations: 4, resolved: 1 })
    expect(week.bots).toEqual([
      { bot_id: botId, conversations: 3, resolved: 1 },
      { bot_id: otherBot.body.id, conversations: 1, resolved: 0 },
    ])
    expect(questions).toMatchObject([
      { bot_id: botId, question: UNKNOWN.toLowerCase(), count: 2, answered: 0 },
      { count: 1 },
      { count: 1 },
    ])
    expect(unanswered).toMatchObject([
      { bot_id: botId, question: UNKNOWN.toLowerCase(), count: 2 },
      { bot_id: otherBot.body.id, question: 'Do you repair bicycles?', count: 1, alternatives: [] },
    ])
    expect((await call(HOME, { token, params: { workspaceId }, query: { timezone: 'Mars' } })).status).toBe(400)
  })

  test('shows an unanswered question of a visitor within a minute, and what the team does about it at once', async () => {
    const { call, botId, token, read, clock } = await withWorkspace(engine)
    const asked = async () => (await read()).unanswered.map(({ question }: { question: string }) => question)
    await createVisitor(call, botId).say(UNKNOWN)
    expect(await asked()).toEqual([UNKNOWN])
    await createVisitor(call, botId).say('Do you repair bicycles?')
    clock.now += 60_000
    expect(await asked()).toHaveLength(2)
    const answer = { question: UNKNOWN, answer: 'Ulaanbaatar.' }
    await call('POST /api/manage/v1/bots/{botId}/answers', { token, params: { botId }, body: answer })
    expect(await asked()).toEqual(['Do you repair bicycles?'])
    const { items } = (await call('GET /api/manage/v1/bots/{botId}/unanswered', { token, params: { botId } })).body
    await call('POST /api/manage/v1/bots/{botId}/unanswered/dismiss', {
      token,
      params: { botId },
      body: { question: items[0].question },
    })
    expect(await asked()).toEqual([])
  })

  test('shows no question of an erased conversation or visitor', async () => {
    const { call, botId, token, read } = await withWorkspace(engine)
    for (const text of [UNKNOWN, 'Do you repair bicycles?']) await createVisitor(call, botId).say(text)
    expect((await read()).unanswered).toHaveLength(2)
    const eraseOne = async (list: string) => {
      const route = `/api/manage/v1/bots/{botId}/${list}`
      const { id } = (await call(`GET ${route}`, { token, params: { botId } })).body.items[0]
      expect((await call(`DELETE ${route}/{id}`, { token, params: { botId, id } })).status).toBe(204)
    }
    await eraseOne('conversations')
    expect((await read()).unanswered).toHaveLength(1)
    await eraseOne('visitors')
    expect((await read()).unanswered).toEqual([])
  })

  test('names content that failed or changed and endpoints that fail, without secrets of their URLs', async () => {
    const { call, botId, token, read, database, clock } = await withWorkspace(engine)
    const make = async (route: string, body: object) =>
      (await call(`POST /api/manage/v1/bots/{botId}/${route}`, { token, params: { botId }, body })).body.id as string
    // No crawl of the API: it would start at once.
    const crawl = 'crl_1'
    await runStatement(
      database,
      `INSERT INTO crawls (bot_id, id, url, hosts, include, exclude, max_pages, state, run, leased_until, created_at)
       VALUES ('${botId}', '${crawl}', 'https://site.example/', '[]', '[]', '[]', 9, 'stopped', 2, 0, 0)`,
    )
    const webhook = await make('webhooks', { url: 'https://receiver.example/hook?secret=x' })
    expect((await read()).attention).toEqual([])
    const page = (id: string, state: string, kind = 'page') =>
      runStatement(
        database,
        `INSERT INTO crawl_pages (bot_id, crawl_id, id, kind, url, path, depth, redirects, state, attempts, misses, due_at)
         VALUES ('${botId}', '${crawl}', '${id}', '${kind}', 'https://site.example/${id}', '/${id}', 0, 0, '${state}', 1, 0, 0)`,
      )
    await page('a', 'failed')
    await page('b', 'done')
    await page('c', 'unchanged')
    // Sitemaps are no pages.
    await page('d', 'failed', 'sitemap')
    await page('e', 'done', 'sitemap')
    await runStatement(database, `UPDATE crawls SET state = 'done', finished_at = ${clock.now - DAY}`)
    await runStatement(database, `UPDATE webhooks SET failing_since = ${clock.now - HOUR}`)
    const { attention } = await read()
    expect(attention).toEqual([
      {
        bot_id: botId,
        kind: 'webhook_failing',
        id: webhook,
        name: 'receiver.example',
        count: null,
        since: '2026-11-14T09:00:00.000Z',
      },
      {
        bot_id: botId,
        kind: 'pages_failed',
        id: crawl,
        name: 'site.example',
        count: 1,
        since: '2026-11-13T10:00:00.000Z',
      },
      {
        bot_id: botId,
        kind: 'pages_changed',
        id: crawl,
        name: 'site.example',
        count: 1,
        since: '2026-11-13T10:00:00.000Z',
      },
    ])
    for (const [number, outcome] of ['worse', 'passed', 'worse', 'failed'].entries())
      await runStatement(
        database,
        `INSERT INTO test_questions (bot_id, id, question, created_at, updated_at, outcome, reply, sources, ran_at)
         VALUES ('${botId}', 'tq_${number}', 'Why?', 0, 0, '${outcome}', '', '[]', ${clock.now})`,
      )
    expect((await read()).attention[0]).toMatchObject({ kind: 'tests_worse', id: botId, name: '4', count: 2 })
    await runStatement(database, 'DELETE FROM test_questions')
    await runStatement(database, `UPDATE crawls SET state = 'failed'`)
    await runStatement(database, `UPDATE webhooks SET disabled_at = ${clock.now}, disabled_reason = 'manual'`)
    expect((await read()).attention).toMatchObject([{ kind: 'crawl_failed', id: crawl }])
  })
})
