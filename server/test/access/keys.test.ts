// Chat keys: which are accepted, how they end, and that the secret is shown once.
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Call } from '../harness/call.ts'
import { type Engine, engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createKey, createMember } from '../harness/tenants.ts'

const HOUR_MS = 3_600_000
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = '/api/manage/v1/bots/{botId}/keys/{keyId}'

async function withKey(engine: Engine) {
  const server = await startServer(engine)
  const bot = await server.createBot()
  const manage = (route: string, more: object = {}) =>
    server.call(route, { token: ADMIN_TOKEN, params: { botId: bot.botId, keyId: bot.keyId }, ...more })
  return { ...server, ...bot, manage, ask: createAsk(server.call, bot.botId) }
}

/** The status of a chat call with a key. */
function createAsk(call: Call, botId: string) {
  return async (key: string) =>
    (await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hello' } })).status
}

describe.each(engines)('keys on %s', (engine) => {
  test('every invalid key gets the same 401', async () => {
    const { call, manage, botId, workspaceId, key, keyId, clock } = await withKey(engine)
    const shortLived = await createKey(call, botId, ADMIN_TOKEN, { name: 'short', expires_at: inMs(clock.now, 1000) })
    const sync = await manage('POST /api/manage/v1/bots/{botId}/sync-key')
    const member = await createMember(call, workspaceId, 'owner')
    await manage(`POST ${KEY}/revoke`, { params: { botId, keyId } })
    clock.now += 1001

    const headers: Record<string, string | undefined> = {
      'no header': undefined,
      'an empty header': '',
      'no token': 'Bearer',
      'another scheme': `Basic ${Buffer.from(`key:${key}`).toString('base64')}`,
      'no scheme': key,
      'two tokens': `Bearer ${key} ${key}`,
      unknown: `Bearer ${wellFormed('dct_chat_', 'A'.repeat(32))}`,
      'bad checksum': `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      'cut off': `Bearer ${key.slice(0, -1)}`,
      'not ours': 'Bearer sk-1234567890',
      revoked: `Bearer ${key}`,
      expired: `Bearer ${shortLived.key}`,
      'a sync key': `Bearer ${sync.body.key}`,
      'a management token': `Bearer ${member.token}`,
      'the owner token': `Bearer ${ADMIN_TOKEN}`,
    }
    const bodies = new Set<string>()
    for (const [name, authorization] of Object.entries(headers)) {
      const response = await call('POST /api/v1/chat', {
        body: { bot_id: botId, message: 'Hello' },
        headers: authorization === undefined ? {} : { authorization },
      })
      expect([name, response.status]).toEqual([name, 401])
      expect(response.headers['www-authenticate']).toBe('Bearer')
      expect(response.body.error.code).toBe('invalid_api_key')
      expect(response.body.error.request_id).toBe(response.headers['x-request-id'])
      bodies.add(response.text.replace(response.body.error.request_id, ''))
    }
    expect(bodies.size).toBe(1)
  })

  test('a revoked key is refused on the next request, even if it was just used', async () => {
    const { ask, manage, key } = await withKey(engine)
    expect(await ask(key)).toBe(200)
    expect(await ask(key)).toBe(200)
    const response = await manage(`POST ${KEY}/revoke`)
    expect(response.status).toBe(200)
    expect(response.body.state).toBe('revoked')
    expect(await ask(key)).toBe(401)
  })

  test('a call that starts after the revocation was confirmed is refused, even under load', async () => {
    const { ask, manage, key } = await withKey(engine)
    let isRevoked = false
    const lateStatuses: number[] = []
    const traffic = Array.from({ length: 8 }, async () => {
      while (lateStatuses.length < 40) {
        const startedAfter = isRevoked
        const status = await ask(key)
        if (startedAfter) lateStatuses.push(status)
      }
    })
    await manage(`POST ${KEY}/revoke`)
    isRevoked = true
    await Promise.all(traffic)
    expect(new Set(lateStatuses)).toEqual(new Set([401]))
  })

  test('after rotation the old key works until the end of its overlap of 0, 1h, 24h or 7d, and the new one at once', async () => {
    const { call, ask, manage, botId, clock } = await withKey(engine)
    const start = clock.now
    const overlaps = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS }
    const pairs = []
    for (const [overlap, ms] of Object.entries(overlaps)) {
      const old = await createKey(call, botId, ADMIN_TOKEN, { name: overlap })
      expect(await ask(old.key)).toBe(200)
      const params = { botId, keyId: old.keyId }
      const rotation = await manage(`POST ${KEY}/rotate`, { params, body: { overlap } })
      expect(rotation.status).toBe(201)
      expect(rotation.body).toMatchObject({ name: overlap, state: 'active', expires_at: null })
      pairs.push({ old: old.key, successor: rotation.body.key, params, endsAt: start + ms })
    }
    for (const { old, successor, params, endsAt } of pairs) {
      expect(await ask(successor)).toBe(200)
      if (endsAt > start) {
        expect(await ask(old)).toBe(200)
        clock.now = endsAt - 1
        expect(await ask(old)).toBe(200)
      }
      clock.now = endsAt
      expect(await ask(old)).toBe(401)
      expect(await ask(successor)).toBe(200)
      expect((await manage(`GET ${KEY}`, { params })).body.state).toBe('expired')
    }
  })

  test('rotation overlaps for 24 hours by default, and never extends the life of a key', async () => {
    const { call, botId, manage, clock } = await withKey(engine)
    const rotation = await manage(`POST ${KEY}/rotate`)
    expect(rotation.status).toBe(201)
    expect((await manage(`GET ${KEY}`)).body.expires_at).toBe(inMs(clock.now, 24 * HOUR_MS))

    const end = inMs(clock.now, HOUR_MS)
    const short = await createKey(call, botId, ADMIN_TOKEN, { name: 'short', expires_at: end })
    const params = { botId, keyId: short.keyId }
    const successor = await manage(`POST ${KEY}/rotate`, { params, body: { overlap: '7d' } })
    expect(successor.body.expires_at).toBe(end)
    expect((await manage(`GET ${KEY}`, { params })).body.expires_at).toBe(end)
  })

  test('a revoked or expired key can be neither rotated nor changed: 409 key_not_active', async () => {
    const { call, botId, keyId, manage, clock } = await withKey(engine)
    const short = await createKey(call, botId, ADMIN_TOKEN, { name: 'short', expires_at: inMs(clock.now, 1000) })
    await manage(`POST ${KEY}/revoke`)
    clock.now += 1000
    for (const params of [
      { botId, keyId },
      { botId, keyId: short.keyId },
    ]) {
      for (const route of [`POST ${KEY}/rotate`, `PATCH ${KEY}`]) {
        const response = await manage(route, { params, body: {} })
        expect([response.status, response.body.error.code]).toEqual([409, 'key_not_active'])
      }
    }
    expect((await manage('GET /api/manage/v1/bots/{botId}/keys')).body.items).toHaveLength(2)
  })

  test('a replaced key can be neither rotated again nor given a new expiry: 409 key_not_active', async () => {
    const { manage, ask, key, clock } = await withKey(engine)
    await manage(`POST ${KEY}/rotate`, { body: { overlap: '1h' } })
    const responses = [
      await manage(`POST ${KEY}/rotate`, { body: { overlap: '7d' } }),
      await manage(`PATCH ${KEY}`, { body: { expires_at: null } }),
      await manage(`PATCH ${KEY}`, { body: { expires_at: inMs(clock.now, 48 * HOUR_MS) } }),
    ]
    for (const { status, body } of responses) expect([status, body.error.code]).toEqual([409, 'key_not_active'])
    expect((await manage(`PATCH ${KEY}`, { body: { name: 'going' } })).body.name).toBe('going')
    expect((await manage('GET /api/manage/v1/bots/{botId}/keys')).body.items).toHaveLength(2)
    clock.now += HOUR_MS
    expect(await ask(key)).toBe(401)
  })

  test('a successor inherits the expiry set by its owner, not the end of the overlap', async () => {
    const { manage, botId, clock } = await withKey(engine)
    const end = inMs(clock.now, 48 * HOUR_MS)
    const first = await manage(`POST ${KEY}/rotate`, { body: { overlap: '1h' } })
    expect(first.body.expires_at).toBeNull()
    const params = { botId, keyId: first.body.id }
    await manage(`PATCH ${KEY}`, { params, body: { expires_at: end } })
    expect((await manage(`POST ${KEY}/rotate`, { params, body: { overlap: '1h' } })).body.expires_at).toBe(end)
  })

  test('an expiry beyond the year 9999 or on a day that does not exist is refused, and lists still work', async () => {
    const { manage } = await withKey(engine)
    for (const expires_at of ['9999-12-31T23:59:59-05:00', '2027-02-30T00:00:00Z', '2027-13-01T00:00:00Z']) {
      const body = { name: 'far', expires_at }
      for (const route of ['POST /api/manage/v1/bots/{botId}/keys', `PATCH ${KEY}`]) {
        const response = await manage(route, { body })
        expect([expires_at, response.status, response.body.error?.code]).toEqual([expires_at, 400, 'validation_failed'])
        expect(response.body.error.details[0].path).toBe('expires_at')
      }
    }
    const last = { name: 'last', expires_at: '9999-12-31T23:59:59.999Z' }
    expect((await manage('POST /api/manage/v1/bots/{botId}/keys', { body: last })).status).toBe(201)
    const leap = { name: 'leap', expires_at: '2028-02-29T23:59:59+02:00' }
    expect((await manage('POST /api/manage/v1/bots/{botId}/keys', { body: leap })).status).toBe(201)
    expect((await manage('GET /api/manage/v1/bots/{botId}/keys')).status).toBe(200)
  })

  test('an expiry in the past is refused, and the key stays as it was', async () => {
    const { ask, manage, key, clock } = await withKey(engine)
    const body = { name: 'late', expires_at: inMs(clock.now, -1) }
    const createResponse = await manage('POST /api/manage/v1/bots/{botId}/keys', { body })
    const updateResponse = await manage(`PATCH ${KEY}`, { body })
    for (const response of [createResponse, updateResponse]) {
      expect(response.status).toBe(400)
      expect(response.body.error.details).toEqual([{ path: 'expires_at', message: expect.any(String) }])
    }
    expect((await manage(`GET ${KEY}`)).body).toMatchObject({ name: 'test', expires_at: null })
    expect(await ask(key)).toBe(200)
  })

  test('an expiry can be set, is exact to the millisecond, and can be removed before it is reached', async () => {
    const { ask, manage, key, clock } = await withKey(engine)
    const end = clock.now + HOUR_MS
    await manage(`PATCH ${KEY}`, { body: { expires_at: new Date(end).toISOString() } })
    await manage(`PATCH ${KEY}`, { body: { expires_at: null } })
    clock.now = end
    expect(await ask(key)).toBe(200)
    await manage(`PATCH ${KEY}`, { body: { expires_at: inMs(end, HOUR_MS) } })
    clock.now = end + HOUR_MS - 1
    expect(await ask(key)).toBe(200)
    clock.now++
    expect(await ask(key)).toBe(401)
  })

  test('last_used_at and calls_today reflect the calls made', async () => {
    const { ask, manage, key, clock } = await withKey(engine)
    const use = async () => {
      const { last_used_at, calls_today } = (await manage(`GET ${KEY}`)).body
      return { last_used_at, calls_today }
    }
    expect(await use()).toEqual({ last_used_at: null, calls_today: 0 })
    await ask(key)
    clock.now += 5000
    await ask(key)
    const lastUse = inMs(clock.now, 0)
    expect(await use()).toEqual({ last_used_at: lastUse, calls_today: 2 })
    clock.now += 24 * HOUR_MS
    expect(await use()).toEqual({ last_used_at: lastUse, calls_today: 0 })
    const list = await manage('GET /api/manage/v1/bots/{botId}/keys')
    expect(list.body.items[0]).toMatchObject({ last_used_at: lastUse, calls_today: 0 })
  })

  test('only the instance owner sets a key’s daily limit', async () => {
    const { call, botId, keyId, workspaceId, manage } = await withKey(engine)
    const { token } = await createMember(call, workspaceId, 'owner')
    for (const daily_limit of [5, null]) {
      const body = { name: 'mine', daily_limit }
      const createResponse = await call('POST /api/manage/v1/bots/{botId}/keys', { token, params: { botId }, body })
      const updateResponse = await call(`PATCH ${KEY}`, { token, params: { botId, keyId }, body })
      for (const response of [createResponse, updateResponse]) {
        expect([response.status, response.body.error.code]).toEqual([403, 'role_required'])
      }
    }
    expect((await manage(`GET ${KEY}`)).body).toMatchObject({ name: 'test', daily_limit: 1000 })
    expect((await manage(`PATCH ${KEY}`, { body: { daily_limit: 5 } })).body.daily_limit).toBe(5)
    expect((await manage(`PATCH ${KEY}`, { body: { daily_limit: null } })).body.daily_limit).toBe(1000)
  })

  test('a bot has one sync key; rotation ends the previous one after the overlap', async () => {
    const { database, manage, clock } = await withKey(engine)
    const make = (overlap: string) => manage('POST /api/manage/v1/bots/{botId}/sync-key', { body: { overlap } })
    const first = await make('24h')
    const second = await make('1h')
    const third = await make('0')
    for (const { status, body } of [first, second, third]) {
      expect(status).toBe(201)
      expect(body.key).toBe(wellFormed('dct_sync_', body.key.slice(9, 41)))
      expect(body.last_four).toBe(body.key.slice(-4))
    }
    const rows = await queryRows(database, `SELECT last_four, expires_at FROM keys WHERE kind = 'sync'`)
    const endsByKey = Object.fromEntries(rows.map((row) => [row.last_four, row.expires_at && Number(row.expires_at)]))
    expect(endsByKey).toEqual({
      [first.body.last_four]: clock.now,
      [second.body.last_four]: clock.now,
      [third.body.last_four]: null,
    })
    expect((await manage('GET /api/manage/v1/bots/{botId}/keys')).body.items).toHaveLength(1)
  })
})

test('a key has our prefix, 32 random characters and their CRC32', async () => {
  const { key, keyId, manage } = await withKey('sqlite')
  expect(key).toMatch(/^dct_chat_[0-9A-Za-z]{38}$/)
  expect(key).toBe(wellFormed('dct_chat_', key.slice(9, 41)))
  const details = await manage(`GET ${KEY}`)
  expect(details.body).toMatchObject({ id: keyId, prefix: 'dct_chat_', last_four: key.slice(-4), state: 'active' })
})

test('the secret is shown once: no later response contains it', async () => {
  const { manage, key } = await withKey('sqlite')
  const rotation = await manage(`POST ${KEY}/rotate`, { body: { overlap: '1h' } })
  const successor = { botId: rotation.body.bot_id, keyId: rotation.body.id }
  const responses = [
    await manage('GET /api/manage/v1/bots/{botId}/keys'),
    await manage(`GET ${KEY}`),
    await manage(`PATCH ${KEY}`, { body: { name: 'Renamed' } }),
    await manage(`GET ${KEY}`, { params: successor }),
    await manage(`POST ${KEY}/revoke`),
  ]
  for (const response of responses) {
    expect(response.status).toBe(200)
    for (const secret of [key, rotation.body.key]) {
      expect(response.text).not.toContain(secret)
      expect(response.text).not.toContain(secret.slice(9, 41))
    }
  }
})

test('an unknown overlap is refused', async () => {
  const { manage } = await withKey('sqlite')
  const response = await manage(`POST ${KEY}/rotate`, { body: { overlap: '2h' } })
  expect([response.status, response.body.error.details[0].path]).toEqual([400, 'overlap'])
})

test('revoking again changes nothing', async () => {
  const { manage, clock } = await withKey('sqlite')
  const first = await manage(`POST ${KEY}/revoke`)
  clock.now += HOUR_MS
  const second = await manage(`POST ${KEY}/revoke`)
  expect(second.status).toBe(200)
  expect(second.body.revoked_at).toBe(first.body.revoked_at)
})

describe('two nodes on one PostgreSQL', () => {
  async function twoNodes() {
    const here = await withKey('postgres')
    const there = await startServer('postgres', { database: here.database })
    return { ...here, there, askThere: createAsk(there.call, here.botId) }
  }

  test('a revocation on one node takes effect on the other within a second', async () => {
    const { manage, key, there, askThere } = await twoNodes()
    expect(await askThere(key)).toBe(200)
    await manage(`POST ${KEY}/revoke`)
    there.clock.now += 999
    expect(await askThere(key)).toBe(401)
  })

  test('a revocation on one node takes effect on the other at once even if the other’s clock is set back', async () => {
    const { manage, key, there, askThere } = await twoNodes()
    expect(await askThere(key)).toBe(200)
    await manage(`POST ${KEY}/revoke`)
    there.clock.now -= 24 * HOUR_MS
    expect(await askThere(key)).toBe(401)
  })

  test('the key of a bot that was deleted on the other node is refused, and never with a 5xx', async () => {
    const { manage, key, there, askThere } = await twoNodes()
    expect(await askThere(key)).toBe(200)
    await manage('DELETE /api/manage/v1/bots/{botId}')
    expect([401, 404]).toContain(await askThere(key))
    there.clock.now += 999
    expect(await askThere(key)).toBe(401)
  })
})

function inMs(now: number, ms: number): string {
  return new Date(now + ms).toISOString()
}

/** A secret with a valid checksum, computed independently of the server. */
function wellFormed(prefix: string, random: string): string {
  let rest = crc32(prefix + random)
  let checksum = ''
  while (checksum.length < 6) {
    checksum = BASE62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return prefix + random + checksum
}
