// Concurrent changes: none undoes another, and what must be unique stays unique.
import { describe, expect, onTestFinished, test } from 'vitest'
import { newBot, openBotsTable } from '../../src/storage/bots.ts'
import { type CallName, openIdempotentCallsTable } from '../../src/storage/idempotent-calls.ts'
import { openKeysTable } from '../../src/storage/keys.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { openWorkspacesTable } from '../../src/storage/workspaces.ts'
import { createDatabase, type Engine, engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createKey, createMember, createTenant } from '../harness/tenants.ts'

const M = '/api/manage/v1'
const ROUNDS = 12

async function withTenant(engine: Engine) {
  const server = await startServer(engine)
  const tenant = await createTenant(server.call, 'alpha')
  const manage = (route: string, body?: object, params: Record<string, string> = {}) =>
    server.call(route, { token: ADMIN_TOKEN, params: { ...tenant, ...params }, ...(body ? { body } : {}) })
  return { ...server, ...tenant, manage }
}

describe.each(engines)('changes at the same time on %s', (engine) => {
  test('to different fields are all kept: a rename does not undo a demotion', async () => {
    const { call, manage, workspaceId } = await withTenant(engine)
    const { memberId } = await createMember(call, workspaceId, 'editor')
    const targets: [path: string, params: Record<string, string>, fields: [string, unknown, unknown][]][] = [
      [
        `${M}/workspaces/{workspaceId}/members/{memberId}`,
        { memberId },
        [
          ['name', 'Ada', 'Bea'],
          ['role', 'viewer', 'editor'],
        ],
      ],
      [
        `${M}/workspaces/{workspaceId}`,
        {},
        [
          ['name', 'One', 'Two'],
          ['plan', 'free', 'business'],
          ['daily_limit', 5, null],
        ],
      ],
      [
        `${M}/bots/{botId}`,
        {},
        [
          ['name', 'Red', 'Blue'],
          ['language', 'de', 'en'],
          ['site_url', 'https://one.test', null],
          ['fallback_message', 'Ask us.', null],
          ['widget', { colour: '#112233' }, { colour: '#445566' }],
          ['handover', { keywords: ['odd'] }, { keywords: ['even'] }],
          ['allowed_origins', ['https://odd.test'], ['https://even.test']],
        ],
      ],
      [
        `${M}/bots/{botId}/answers/{answerId}`,
        {},
        [
          ['question', 'Odd?', 'Even?'],
          ['alternatives', ['Odd then?'], []],
          ['answer', 'Odd.', 'Even.'],
          ['url', 'https://odd.test/', null],
        ],
      ],
    ]
    const last: Record<string, unknown> = {}
    for (let round = 0; round < ROUNDS; round++) {
      for (const [path, params, fields] of targets) {
        const changes = fields.map(([name, odd, even]) => ({ [name]: round % 2 ? odd : even }))
        const responses = await Promise.all(changes.map((change) => manage(`PATCH ${path}`, change, params)))
        expect(responses.map(({ status }) => status)).toEqual(fields.map(() => 200))
        last[path] = Object.assign({}, ...changes)
        const storedFields = path.includes('members')
          ? (await manage(`GET ${M}/workspaces/{workspaceId}/members`)).body.items.find(
              ({ id }: { id: string }) => id === memberId,
            )
          : (await manage(`GET ${path}`)).body
        expect(storedFields).toMatchObject(last[path] as object)
      }
    }
  })

  test('a bot that gets many sync keys at once has only one without an expiry', async () => {
    const { manage, database } = await withTenant(engine)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => manage(`POST ${M}/bots/{botId}/sync-key`, { overlap: '0' })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await queryRows(database, `SELECT id FROM keys WHERE kind = 'sync' AND expires_at IS NULL`)).toHaveLength(1)
  })

  test('a key rotated by many requests at once gets one successor', async () => {
    const { call, manage, botId } = await withTenant(engine)
    const { keyId } = await createKey(call, botId, ADMIN_TOKEN)
    const rotate = () => manage(`POST ${M}/bots/{botId}/keys/{keyId}/rotate`, { overlap: '1h' }, { keyId })
    const responses = await Promise.all(Array.from({ length: 10 }, rotate))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(9).fill(409)])
  })

  test('the late end of an abandoned idempotent call does not release the newer claim', async () => {
    const { calls, database, call } = await withCall(engine)
    const claim = (now: number) => calls.claim(call, 'hash', now, now - 1000, now - 100)
    expect(await claim(1000)).toBe(true)
    expect(await claim(1200)).toBe(true)

    await calls.release(call, 1000)
    expect(await calls.find(call)).toEqual({ bodyHash: 'hash', answer: null })
    await database.batch([calls.answerStatement(call, 1000, 'late')])
    expect(await calls.find(call)).toEqual({ bodyHash: 'hash', answer: null })
    await database.batch([calls.answerStatement(call, 1200, 'right')])
    expect(await calls.find(call)).toEqual({ bodyHash: 'hash', answer: 'right' })
  })
})

async function withCall(engine: Engine) {
  const testDatabase = await createDatabase(engine)
  const database = await openDatabase({ ...testDatabase, databasePoolSize: 2 }, 0)
  onTestFinished(async () => {
    await database.close()
    await testDatabase.drop()
  })
  const call: CallName = { botId: 'bot_1', keyId: 'key_1', idempotencyKey: 'once' }
  await openWorkspacesTable(database).insert({
    id: 'ws_1',
    name: 'W',
    plan: 'free',
    dailyLimit: null,
    totalDailyLimit: null,
    createdAt: 0,
  })
  await openBotsTable(database).insert(newBot({ workspaceId: 'ws_1', id: 'bot_1', name: 'B', createdAt: 0 }))
  await openKeysTable(database).insert({
    botId: 'bot_1',
    id: 'key_1',
    kind: 'chat',
    name: 'K',
    hash: 'hash',
    lastFour: 'four',
    createdBy: 'test',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    dailyLimit: null,
  })
  return { database, call, calls: openIdempotentCallsTable(database) }
}
