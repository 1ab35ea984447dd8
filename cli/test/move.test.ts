// Moves a bot between instances, and an instance from SQLite to PostgreSQL.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  connectTo,
  createDatabase,
  type Engine,
  type TestDatabase,
} from '../../server/test/harness/database/databases.ts'
import { joinWorkspace } from '../../server/test/harness/people.ts'
import { ADMIN_TOKEN, SECRET_KEY, startServer } from '../../server/test/harness/start-server.ts'
import { docent, temporaryFolder } from './harness/docent.ts'

const OTHER_KEY = 'another-secret-key-that-is-not-the-same-0123'
const token = ADMIN_TOKEN
const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    text: 'A jacket can be returned within 30 days.',
  },
]
const questions = [
  'Within how many days can a jacket be returned?',
  'Do you ship to Norway?',
  'What does the tent cost?',
]

const placeOf = ({ dataDir, databaseUrl }: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>, key = SECRET_KEY) => ({
  DATA_DIR: dataDir,
  SECRET_KEY: key,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})

const translations = [
  {
    ...{ language: 'de', greeting: 'Hallo!', suggested_questions: ['Was kostet der Versand?'], fallback_message: null },
    buttons: [{ label: 'Returns', text: 'Rückgabe' }],
    handover_questions: [{ label: 'Topic', ask: 'Worum geht es?' }],
  },
]

async function startShop(engine: Engine) {
  const server = await startServer(engine, { environment: { SECRET_KEY } })
  const bot = await server.createBot({ documents })
  const params = { botId: bot.botId }
  const passagesOf = '/api/manage/v1/bots/{botId}/documents/{documentId}/passages'
  const ofDocument = { ...params, documentId: 'returns' }
  const passages = await server.call(`GET ${passagesOf}`, { token, params: ofDocument })
  await server.call(`PATCH ${passagesOf}/{passageId}`, {
    token,
    params: { ...ofDocument, passageId: passages.body.items[0].id },
    body: { corrected_text: 'A jacket can be returned within 45 days.' },
  })
  const answer = { question: 'Do you ship to Norway?', answer: 'Yes, within five days.' }
  await server.call('POST /api/manage/v1/bots/{botId}/answers', { token, params, body: answer })
  const test = { question: 'Do you ship to Norway?', expected_text: 'five days' }
  await server.call('POST /api/manage/v1/bots/{botId}/test-questions', { token, params, body: test })
  await server.call('PATCH /api/manage/v1/bots/{botId}/test-runs', { token, params, body: { run_automatically: true } })
  const webhook = { url: 'https://shop.test/hook', event_types: ['lead.created'] }
  await server.call('POST /api/manage/v1/bots/{botId}/webhooks', { token, params, body: webhook })
  const action = {
    name: 'Order status',
    description: '',
    examples: ['Where is my parcel?'],
    inputs: [],
    request: { method: 'GET', url: 'https://shop.test/orders' },
    auth: { type: 'bearer', token: 'sk-CANARY-action' },
  }
  const actionResponse = await server.call('POST /api/manage/v1/bots/{botId}/actions', { token, params, body: action })
  const widget = { greeting_buttons: [{ type: 'action', label: 'Parcels', action_id: actionResponse.body.id }] }
  const handover = { questions: [{ label: 'Topic', ask: 'What is it about?', type: 'string' }] }
  await server.call('PATCH /api/manage/v1/bots/{botId}', { token, params, body: { widget, handover } })
  const { body } = await server.call('POST /api/manage/v1/bots/{botId}/sync-key', { token, params, body: {} })
  await server.call('POST /api/v1/chat/sync-products', {
    headers: { 'x-service-key': body.key },
    body: [{ id: 'T1', title: 'Alpine tent', price: '249.00 EUR', availability: 'in_stock' }],
  })
  await server.call('POST /api/chat/{botId}/message', { params, body: { message: 'Hello', session_id: 's-1' } })
  await mention(server.call, bot)
  const model = { provider: 'anthropic', model: 'm', api_key: 'sk-CANARY-model-key' }
  await server.call('PATCH /api/manage/v1/bots/{botId}', {
    token,
    params,
    body: { language_model: model, translations },
  })
  return { ...server, ...bot }
}

type Call = Awaited<ReturnType<typeof startServer>>['call']

const CONVERSATIONS = '/api/manage/v1/bots/{botId}/conversations'

/** In a note on the only conversation. */
async function mention(call: Call, { botId, workspaceId }: { botId: string; workspaceId: string }) {
  await joinWorkspace(call, workspaceId, 'agent')
  const inbox = await call('GET /api/manage/v1/workspaces/{workspaceId}/inbox', { token, params: { workspaceId } })
  const { items } = (await call(`GET ${CONVERSATIONS}`, { token, params: { botId } })).body
  const noteResponse = await call(`POST ${CONVERSATIONS}/{conversationId}/notes`, {
    token,
    params: { botId, conversationId: items[0].id },
    body: { text: 'Look, @agent', mentions: [inbox.body.members[0].id] },
  })
  expect(noteResponse.status, noteResponse.text).toBe(201)
}

async function answersOf(call: Call, botId: string) {
  const path = 'POST /api/manage/v1/bots/{botId}/try'
  const responses = questions.map(
    async (message) => (await call(path, { token, params: { botId }, body: { message } })).body,
  )
  return (await Promise.all(responses)).map(({ response, confidence, answered }) => ({
    response,
    confidence,
    answered,
  }))
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a bot on %s', (from, to) => {
  test(`moves to an instance on ${to} with all its knowledge and answers the same`, async () => {
    const { call, botId, database, workspaceId } = await startShop(from)
    const before = await answersOf(call, botId)
    expect(before.map(({ answered }) => answered)).toEqual([true, true, true])
    expect(before[0]?.response).toContain('45 days')
    const folder = temporaryFolder()
    const file = join(folder, 'shop.docent')
    const exportOutcome = await docent(['export', file, '--bot', botId, '--json'], placeOf(database))
    expect(exportOutcome).toMatchObject({
      code: 0,
      json: { rows: { conversations: 0, products: 1, webhooks: 1, keys: 0 } },
    })
    expect(gunzipSync(readFileSync(file)).toString('latin1')).not.toMatch(/CANARY|v1\.[\w-]{40}/)

    const target = await createDatabase(to)
    onTestFinished(target.drop)
    await (await startServer(to, { database: target, environment: { SECRET_KEY: OTHER_KEY } })).stop()
    const importOutcome = await docent(['import', file, '--json'], placeOf(target, OTHER_KEY))
    expect(importOutcome).toMatchObject({ code: 0, json: { workspace_id: 'ws_instance', bots: [{ id: botId }] } })
    expect(importOutcome.json.bots[0].webhooks).toMatchObject([{ url: 'https://shop.test/hook' }])
    expect(importOutcome.json.bots[0].actions).toMatchObject([
      { name: 'Order status', secret: expect.stringMatching(/^whsec_/) },
    ])
    const secondImport = await docent(['import', file, '--json'], placeOf(target, OTHER_KEY))
    expect(secondImport.json.bots[0].id).not.toBe(botId)

    const workspaceFile = join(folder, 'all.docent')
    await docent(['export', workspaceFile, '--workspace', workspaceId, '--with-conversations'], placeOf(database))
    const workspaceImport = await docent(['import', workspaceFile, '--json'], placeOf(target, OTHER_KEY))
    expect(workspaceImport).toMatchObject({ code: 0, json: { workspace_id: workspaceId, bots: [{ oldId: botId }] } })

    const server = await startServer(to, { database: target, environment: { SECRET_KEY: OTHER_KEY } })
    for (const { id } of [importOutcome.json.bots[0], secondImport.json.bots[0], workspaceImport.json.bots[0]]) {
      const params = { botId: id }
      expect(await answersOf(server.call, id)).toEqual(before)
      const bot = await server.call('GET /api/manage/v1/bots/{botId}', { token, params })
      expect(bot.body).toMatchObject({ translations })
      const hooks = await server.call('GET /api/manage/v1/bots/{botId}/webhooks', { token, params })
      expect(hooks.body.items).toMatchObject([{ event_types: ['lead.created'] }])
      const tests = await server.call('GET /api/manage/v1/bots/{botId}/test-questions', { token, params })
      expect(tests.body.items).toMatchObject([{ question: 'Do you ship to Norway?', expected_text: 'five days' }])
      const runs = await server.call('GET /api/manage/v1/bots/{botId}/test-runs', { token, params })
      expect(runs.body).toEqual({ run_automatically: true, items: [] })
      const actions = await server.call('GET /api/manage/v1/bots/{botId}/actions', { token, params })
      expect(actions.body.items).toMatchObject([
        { name: 'Order status', state: 'draft', auth: { type: 'bearer', is_set: false } },
      ])
      const { widget, handover } = (await server.call('GET /api/manage/v1/bots/{botId}', { token, params })).body
      expect(widget.greeting_buttons).toMatchObject([{ label: 'Parcels', action_id: actions.body.items[0].id }])
      expect(handover.questions).toMatchObject([{ label: 'Topic' }])
      const conversations = await server.call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })
      expect(conversations.body.items).toHaveLength(id === workspaceImport.json.bots[0].id ? 1 : 0)
      for (const { id: conversationId } of conversations.body.items) {
        const talk = await server.call(`GET ${CONVERSATIONS}/{conversationId}`, {
          token,
          params: { ...params, conversationId },
        })
        expect(talk.body.notes).toMatchObject([{ text: 'Look, @agent', mentions: [{ name: 'agent' }] }])
      }
    }
  })
})

test('an import that cannot complete changes nothing', async () => {
  const { botId, database, call, stop } = await startShop('sqlite')
  const folder = temporaryFolder()
  const file = join(folder, 'shop.docent')
  const place = placeOf(database)
  expect((await docent(['export', file], place)).code).toBe(2)
  expect((await docent(['export', file, '--bot', 'bot_none'], place)).output).toContain('There is no bot bot_none')
  expect(existsSync(file)).toBe(false)
  await docent(['export', file, '--bot', botId], place)
  expect((await docent(['import', file], place)).output).toContain('in use by another Docent process')
  const before = (await call('GET /api/manage/v1/bots', { token })).body.items.length
  await stop()
  expect((await docent(['import', file, '--workspace', 'ws_none'], place)).output).toContain('no workspace ws_none')
  expect((await docent(['restore', file], { DATA_DIR: join(folder, 'new') })).output).toContain('use docent import')

  const archive = gunzipSync(readFileSync(file))
  const changes = [
    `UPDATE products SET body = 'no json'`,
    `UPDATE bots SET widget_settings = '[]'`,
    `UPDATE bots SET id = '../../bot'`,
    `UPDATE webhooks SET created_at = 'now'`,
  ]
  for (const [index, change] of changes.entries()) {
    const path = join(folder, `${index}.sqlite`)
    writeFileSync(path, archive)
    const connection = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    connection.exec(change)
    connection.close()
    writeFileSync(join(folder, `${index}.docent`), gzipSync(readFileSync(path)))
    const { code } = await docent(['import', join(folder, `${index}.docent`)], place)
    expect([change, code]).toEqual([change, 1])
  }
  const restartedServer = await startServer('sqlite', { database, environment: { SECRET_KEY } })
  expect((await restartedServer.call('GET /api/manage/v1/bots', { token })).body.items).toHaveLength(before)
})

test('a migration to PostgreSQL resumes after an interruption and compares every row', async () => {
  const { botId, key, database, call, stop } = await startShop('sqlite')
  const before = await answersOf(call, botId)
  const target = await createDatabase('postgres', { isEmpty: true })
  onTestFinished(target.drop)
  const place = placeOf({ dataDir: database.dataDir, databaseUrl: target.databaseUrl })
  expect((await docent(['migrate-to-postgres'], place)).output).toContain('in use by another Docent process')
  await stop()
  const wrongKey = await docent(['migrate-to-postgres'], { ...place, SECRET_KEY: OTHER_KEY })
  expect(wrongKey.output).toContain('does not match the database')

  // Simulates an interruption: the database rejects one of the later tables.
  const sql = connectTo(target)
  await sql.unsafe('ALTER TABLE passages ADD CONSTRAINT broken CHECK (ordinal < 0)')
  expect((await docent(['migrate-to-postgres'], place)).code).toBe(1)
  const start = startServer('postgres', { database: target, environment: { SECRET_KEY } })
  await expect(start).rejects.toThrow('not finished')
  const [documents] = await sql.unsafe('SELECT xmin::text FROM documents')
  await sql.unsafe('ALTER TABLE passages DROP CONSTRAINT broken')
  const migration = await docent(['migrate-to-postgres', '--json'], place)
  expect(migration).toMatchObject({ code: 0, json: { rows: { bots: 1, documents: 1, products: 1, messages: 2 } } })
  // Existing rows were not copied again.
  expect((await sql.unsafe('SELECT xmin::text FROM documents'))[0]).toEqual(documents)

  const postgresServer = await startServer('postgres', { database: target, environment: { SECRET_KEY } })
  expect(await answersOf(postgresServer.call, botId)).toEqual(before)
  const chat = { token: key, body: { bot_id: botId, message: 'Do you ship to Norway?' } }
  expect((await postgresServer.call('POST /api/v1/chat', chat)).body.response).toBe(before[1]?.response)
  expect((await docent(['migrate-to-postgres'], place)).output).toContain('has data of an instance already')
})

test('a differing row is found, and --restart starts the migration over', async () => {
  const { database, stop } = await startShop('sqlite')
  await stop()
  const target = await createDatabase('postgres', { isEmpty: true })
  onTestFinished(target.drop)
  const place = placeOf({ dataDir: database.dataDir, databaseUrl: target.databaseUrl })
  const sql = connectTo(target)
  await docent(['migrate-to-postgres'], { ...place, SECRET_KEY: OTHER_KEY })
  await sql.unsafe('ALTER TABLE webhooks ADD CONSTRAINT broken CHECK (false)')
  expect((await docent(['migrate-to-postgres'], place)).code).toBe(1)
  await sql.unsafe('ALTER TABLE webhooks DROP CONSTRAINT broken')
  await sql.unsafe(`UPDATE bots SET name = 'Changed'`)
  const migration = await docent(['migrate-to-postgres'], place)
  expect(migration).toMatchObject({ code: 1 })
  expect(migration.output).toContain('The table bots is not the same in both')
  expect((await docent(['migrate-to-postgres', '--restart'], place)).code).toBe(0)
})
