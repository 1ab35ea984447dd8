// Conversations are deleted after their retention period with everything that belongs to them, and not before.
import { describe, expect, test } from 'vitest'
import { createDatabase, type Engine, engines } from '../harness/database/databases.ts'
import { countRows, queryRows } from '../harness/database/rows.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { type ServerOptions, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { pause, waitFor } from '../harness/wait.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const BOT = '/api/manage/v1/bots/{botId}'
const HOUR = 3_600_000
const DAY = 24 * HOUR
// Delivery ids are based on the time, which must not go backwards.
let startMs = Date.UTC(2026, 10, 15, 12)

async function withBot(engine: Engine, options: ServerOptions = {}) {
  const receiver = await startReceiver()
  const environment = {
    ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
    WIDGET_SESSIONS_PER_HOUR: '1000',
    ...options.environment,
  }
  const server = await startServer(engine, { ...options, environment })
  startMs += 5000 * DAY
  server.clock.now = startMs
  const { botId, key } = await server.createBot({ documents, webhookUrl: receiver.url })
  const token = server.adminToken
  const manage = (route: string, more = {}) => server.call(route, { token, params: { botId }, ...more })
  const privacy = async () => (await manage(`GET ${BOT}/privacy`)).body
  const keepFor = (retention_days: number) => manage(`PATCH ${BOT}`, { body: { retention_days } })
  const ask = (message: string, more = {}) =>
    server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message, ...more } })
  /** Waits until the retention job has run at the current time. */
  const swept = async () => {
    const now = new Date(server.clock.now).toISOString()
    await waitFor(async () => (await privacy()).last_run_at === now, 'the sweep')
    return privacy()
  }
  return {
    ...server,
    receiver,
    botId,
    manage,
    privacy,
    keepFor,
    ask,
    swept,
    visitor: () => createVisitor(server.call, botId),
  }
}

describe.each(engines)('retention on %s', (engine) => {
  test('deletes inactive conversations with everything that belongs to them, and reports it', async () => {
    const { visitor, ask, keepFor, swept, clock, manage, botId, database, receiver, call } = await withBot(engine)
    const start = clock.now
    await keepFor(10)
    const [ada, bob] = [visitor(), visitor()]
    await ada.say('Hello', { visitor: { name: 'Ada' } })
    await ada.post('lead', { fields: { email: 'ada@shop.example' } })
    const [conversation] = (await manage(`GET ${BOT}/conversations`)).body.items
    const params = { botId, conversationId: conversation.id }
    await manage(`POST ${BOT}/conversations/{conversationId}/notes`, { params, body: { text: 'A note' } })
    await bob.say('Hello', { visitor: { name: 'Bob' } })
    await bob.post('lead', { fields: { email: 'bob@shop.example' } })
    const talk = await ask('Hello')
    await receiver.waitForCount(11)

    clock.now += 9 * DAY
    await ask('Hello again', { session_id: talk.body.session_id })
    const headers = { 'x-visitor-token': bob.token() }
    await call('POST /api/chat/{botId}/message', { params: { botId }, headers, body: { message: 'Me again' } })
    expect(await swept()).toEqual({
      retention_days: 10,
      last_run_at: new Date(clock.now).toISOString(),
      last_removed: 0,
      oldest_conversation_at: new Date(start).toISOString(),
    })
    await waitFor(async () => {
      const pendingDeliveries = await queryRows(database, `SELECT id FROM deliveries WHERE state = 'pending'`)
      return pendingDeliveries.length === 0
    }, 'everything to be delivered')

    clock.now = start + 10 * DAY + 1
    expect(await swept()).toMatchObject({
      last_removed: 2,
      oldest_conversation_at: new Date(start + 9 * DAY).toISOString(),
    })
    const left = async (table: string, column = 'id') =>
      (await queryRows(database, `SELECT ${column} AS name FROM ${table} ORDER BY 1`)).map(({ name }) => name)
    expect(await left('conversations', 'channel')).toEqual(['api', 'widget'])
    expect(await left('visitors', 'name')).toEqual(['Bob'])
    expect(await left('leads', 'email')).toEqual(['bob@shop.example'])
    expect(await countRows(database, 'conversation_notes')).toBe(0)
    expect(await countRows(database, 'messages')).toBe(6)
    const log = await queryRows(database, `SELECT created_at FROM deliveries WHERE created_at <= ${start}`)
    expect(log).toEqual([])
    const { totals } = (await manage(`GET ${BOT}/analytics`)).body
    expect(totals).toMatchObject({ conversations: 4, leads: 2 })
  })

  test('keeps everything if set to 0', async () => {
    const { ask, keepFor, clock, privacy, createBot, call, adminToken } = await withBot(engine)
    await keepFor(0)
    await ask('Hello')
    const otherBot = await createBot()
    clock.now += 1000 * DAY
    await waitFor(async () => {
      const otherPrivacy = await call(`GET ${BOT}/privacy`, { token: adminToken, params: { botId: otherBot.botId } })
      return otherPrivacy.body.last_run_at !== null && Date.parse(otherPrivacy.body.last_run_at) === clock.now
    }, 'the sweep of another bot')
    const settings = await privacy()
    expect(settings).toMatchObject({ retention_days: 0, last_removed: 0 })
    expect(settings.last_run_at).not.toBe(new Date(clock.now).toISOString())
    expect(settings.oldest_conversation_at).not.toBeNull()
  })

  test('deletes more than one batch', async () => {
    const { ask, keepFor, swept, clock, database } = await withBot(engine)
    await keepFor(1)
    await Promise.all(Array.from({ length: 45 }, () => ask('Hello')))
    clock.now += DAY + 1
    expect(await swept()).toMatchObject({ last_removed: 45, oldest_conversation_at: null })
    expect(await countRows(database, 'messages')).toBe(0)
  })
})

test('the retention job checks a bot every few hours, not on every tick', async () => {
  const { keepFor, swept, clock, privacy } = await withBot('sqlite')
  await keepFor(1)
  clock.now += DAY
  const { last_run_at } = await swept()
  clock.now += 2 * HOUR
  await pause(1500)
  expect((await privacy()).last_run_at).toBe(last_run_at)
  clock.now += 4 * HOUR
  await swept()
})

test('two nodes together delete what one would, and a serve-only node deletes nothing', async () => {
  const database = await createDatabase('postgres')
  const web = await withBot('postgres', { database, environment: { ROLE: 'web', SECRET_KEY: 'x'.repeat(32) } })
  await web.keepFor(1)
  await Promise.all(Array.from({ length: 30 }, () => web.ask('Hello')))
  web.clock.now += DAY + 1
  await pause(1500)
  expect(await web.privacy()).toMatchObject({ last_run_at: null, last_removed: 0 })
  const environment = { SECRET_KEY: 'x'.repeat(32) }
  const nodes = [
    await startServer('postgres', { database, environment }),
    await startServer('postgres', { database, environment }),
  ]
  for (const { clock } of nodes) clock.now = web.clock.now
  expect(await web.swept()).toMatchObject({ last_removed: 30, oldest_conversation_at: null })
  for (const node of [...nodes, web]) await node.stop()
  await database.drop()
})
