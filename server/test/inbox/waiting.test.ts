// Who waits for a person stands first, and is overdue after the bot's target time.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const LIST = 'GET /api/manage/v1/workspaces/{workspaceId}/conversations'
const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'
const MINUTE = 60_000

interface Row {
  id: string
  bot_id: string
  visitor: { name: string } | null
  waiting: { since: string; due_at: string | null } | null
}

async function withVisitors(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const { call, clock } = server
  const { botId, workspaceId } = await server.createBot({})
  const token = ADMIN_TOKEN
  const otherBot = await call('POST /api/manage/v1/bots', {
    token,
    body: { name: 'Second', workspace_id: workspaceId },
  })
  const secondBotId: string = otherBot.body.id
  // Nobody waits unasked.
  for (const id of [botId, secondBotId])
    await call('PATCH /api/manage/v1/bots/{botId}', {
      token,
      params: { botId: id },
      body: { handover: { on_low_confidence: false } },
    })

  async function ask(name: string, { of = botId, waits = true } = {}) {
    clock.now += MINUTE
    const visitor = createVisitor(call, of)
    await visitor.say('Where is my parcel?', { visitor: { name } })
    if (waits) await visitor.post('handover')
    return visitor
  }
  const list = async (query: Record<string, string> = {}) => {
    const response = await call(LIST, { token, params: { workspaceId }, query: { sort: 'waiting', ...query } })
    expect(response.status, response.text).toBe(200)
    return response.body as { items: Row[]; next_cursor: string | null }
  }
  const names = async (query: Record<string, string> = {}) => (await list(query)).items.map(nameOf)
  const rowOf = async (name: string) => {
    const row = (await list()).items.find((each) => nameOf(each) === name)
    if (!row) throw new Error(`${name} is not in the list`)
    return row
  }
  const change = async (name: string, body: object) => {
    const { id, bot_id } = await rowOf(name)
    const response = await call(`PATCH ${ONE}`, { token, params: { botId: bot_id, conversationId: id }, body })
    expect(response.status, response.text).toBe(200)
  }
  return { ...server, token, botId, workspaceId, secondBotId, ask, list, names, rowOf, change }
}

const nameOf = ({ visitor }: Row) => visitor?.name

describe.each(engines)('waiting visitors on %s', (engine) => {
  test('come first across all bots, the longest waiting on top, through every page', async () => {
    const { ask, list, names, clock, secondBotId } = await withVisitors(engine)
    await ask('Ada')
    await ask('Bob', { waits: false })
    await ask('Cleo', { of: secondBotId })
    const dora = await ask('Dora', { of: secondBotId, waits: false })
    const eve = await ask('Eve')
    await ask('Fay', { waits: false })
    // A new message moves nobody ahead of those who wait longer.
    clock.now += MINUTE
    await eve.say('Hello?')
    clock.now += MINUTE
    await dora.say('And my refund?')
    const expected = ['Ada', 'Cleo', 'Eve', 'Dora', 'Fay', 'Bob']
    expect(await names()).toEqual(expected)
    for (const limit of ['1', '2', '3', '4']) {
      const pagedNames: unknown[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ limit, ...(cursor ? { cursor } : {}) })
        pagedNames.push(...page.items.map(nameOf))
        cursor = page.next_cursor
      }
      expect(pagedNames, `pages of ${limit}`).toEqual(expected)
    }
    expect(await names({ waiting: 'true' })).toEqual(['Ada', 'Cleo', 'Eve'])
    expect(await names({ waiting: 'false' })).toEqual(['Dora', 'Fay', 'Bob'])
    expect(await names({ bot_id: secondBotId })).toEqual(['Cleo', 'Dora'])
    expect(await names({ q: 'refund' })).toEqual(['Dora'])
    expect(await names({ sort: 'newest', limit: '2' })).toEqual(['Dora', 'Eve'])
  })

  test('leave the top when a person takes over, they are snoozed, or they are resolved', async () => {
    const { call, ask, names, rowOf, change, clock, token, botId } = await withVisitors(engine)
    for (const name of ['Ada', 'Bob', 'Cleo', 'Dora']) await ask(name)
    expect(await names({ waiting: 'true' })).toEqual(['Ada', 'Bob', 'Cleo', 'Dora'])
    const { id } = await rowOf('Ada')
    await call(`POST ${ONE}/accept`, { token, params: { botId, conversationId: id } })
    await change('Bob', { status: 'resolved' })
    await change('Cleo', { snoozed_until: new Date(clock.now + 60 * MINUTE).toISOString() })
    expect(await names()).toEqual(['Dora', 'Cleo', 'Bob', 'Ada'])
    expect((await rowOf('Cleo')).waiting).toBeNull()
    clock.now += 61 * MINUTE
    expect(await names({ waiting: 'true' })).toEqual(['Cleo', 'Dora'])
  })

  test('do not count as waiting while snoozed, whatever else an imported row says', async () => {
    const { ask, names, rowOf, clock, database } = await withVisitors(engine)
    await ask('Ada')
    const { id } = await rowOf('Ada')
    const snooze = `snoozed_until = ${clock.now + 60 * MINUTE}, inbox_status = 'resolved'`
    await runStatement(database, `UPDATE conversations SET ${snooze} WHERE id = '${id}'`)
    expect(await names()).toEqual(['Ada'])
    expect((await rowOf('Ada')).waiting).toBeNull()
    expect(await names({ waiting: 'true' })).toEqual([])
  })

  test('a cursor of one order is refused or read as a position, never as the start', async () => {
    const { call, ask, list, names, token, workspaceId } = await withVisitors(engine)
    for (const name of ['Ada', 'Bob']) await ask(name)
    for (const name of ['Cleo', 'Dora']) await ask(name, { waits: false })
    const isRefused = async (sort: string, cursor: string) =>
      expect((await call(LIST, { token, params: { workspaceId }, query: { sort, cursor } })).status).toBe(400)
    for (const cursor of ['w', 'w1', 'x1.a']) await isRefused('waiting', Buffer.from(cursor).toString('base64url'))
    const { next_cursor: belowAda } = await list({ limit: '1' })
    await isRefused('newest', belowAda ?? '')
    const { next_cursor: belowDora } = await list({ sort: 'newest', limit: '1' })
    expect(await names({ cursor: belowDora ?? '' })).toEqual(['Cleo'])
  })

  test('are due by the target of their bot, and Home counts who is overdue', async () => {
    const { call, ask, rowOf, token, botId, secondBotId, workspaceId, clock } = await withVisitors(engine)
    const bot = 'PATCH /api/manage/v1/bots/{botId}'
    const setTarget = (response_minutes: number | null) =>
      call(bot, { token, params: { botId }, body: { handover: { response_minutes } } })
    const home = async () =>
      (await call('GET /api/manage/v1/workspaces/{workspaceId}/home', { token, params: { workspaceId } })).body.waiting
    await ask('Ada')
    const since = clock.now
    await ask('Bob', { of: secondBotId })
    expect((await rowOf('Ada')).waiting).toEqual({ since: new Date(since).toISOString(), due_at: null })
    expect(await home()).toMatchObject({ count: 2, overdue: 0 })

    expect((await setTarget(5)).body.handover.response_minutes).toBe(5)
    const due_at = new Date(since + 5 * MINUTE).toISOString()
    expect((await rowOf('Ada')).waiting).toEqual({ since: new Date(since).toISOString(), due_at })
    expect((await rowOf('Bob')).waiting?.due_at).toBeNull()
    expect(await home()).toMatchObject({ count: 2, overdue: 0, conversations: [{ due_at }, { due_at: null }] })
    clock.now = since + 5 * MINUTE
    expect(await home()).toMatchObject({ count: 2, overdue: 1 })

    for (const wrong of [0, 1.5, 10_081]) expect((await setTarget(wrong)).status).toBe(400)
    expect((await setTarget(null)).body.handover.response_minutes).toBeNull()
    expect(await home()).toMatchObject({ count: 2, overdue: 0 })
  })
})
