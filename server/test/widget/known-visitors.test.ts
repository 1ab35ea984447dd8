// Visitors whom their site knows: what proves it, and what follows from it.
import { spawnSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { orderStatus, startActionBot } from '../actions/action-bot.ts'
import { engines, type TestDatabase } from '../harness/database/databases.ts'
import { countRows, queryRows, tableNames } from '../harness/database/rows.ts'
import { startMailServer } from '../harness/external/mail-server.ts'
import { startReceiver } from '../harness/external/receiver.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor, openStream, type TestVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'
import { createIdentityKey, hmac, IDENTITY_KEYS, signToken, type TestIdentityKey } from './user-tokens.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const QUESTION = 'How many days do I have to return an item?'
const HOUR_S = 3600

async function withBot(engine: (typeof engines)[number], environment: Record<string, string> = {}) {
  const receiver = await startReceiver()
  const server = await startServer(engine, {
    environment: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', WIDGET_REQUESTS_PER_MINUTE: '1000', ...environment },
  })
  const { botId, key: apiKey } = await server.createBot({ documents, webhookUrl: receiver.url })
  const key = await createIdentityKey(server.call, botId)
  const now = () => Math.floor(server.clock.now / 1000)
  const manage = (route: string, more: object = {}) =>
    server.call(route, { token: server.adminToken, params: { botId }, ...more })
  return {
    ...server,
    receiver,
    botId,
    apiKey,
    key,
    now,
    manage,
    visitor: () => createVisitor(server.call, botId),
    sign: (claims: object, by: TestIdentityKey = key) => signToken(by, { exp: now() + HOUR_S, ...claims }),
    identify: (body: object, visitor?: TestVisitor) =>
      server.call('POST /api/chat/{botId}/identify', {
        params: { botId },
        ...(visitor?.token() ? { headers: { 'x-visitor-token': visitor.token() } } : {}),
        body,
      }),
    conversations: async () => (await manage(`GET ${BOT}/conversations`)).body.items,
    conversation: async (conversationId: string) =>
      (await manage(`GET ${BOT}/conversations/{conversationId}`, { params: { botId, conversationId } })).body,
  }
}

async function isEmpty(database: TestDatabase): Promise<boolean> {
  const tables = ['visitors', 'visitor_identities', 'visitor_tokens', 'conversations', 'messages', 'deliveries']
  const counts = await Promise.all(tables.map((table) => countRows(database, table)))
  return counts.every((count) => count === 0)
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe.each(engines)('a user token on %s', (engine) => {
  test('proves who the visitor is, in the inbox, the API and events', async () => {
    const { visitor, sign, conversations, conversation, receiver, manage } = await withBot(engine)
    const claims = { sub: 'u-17', name: 'Ada Example', email: 'ada@shop.test', phone: '+43 1 234567' }
    const user_token = sign({ ...claims, attributes: { plan: 'gold', orders: 3, vip: true, note: null } })
    const ada = visitor()
    const first = await ada.say(QUESTION, { user_token, visitor: { name: 'Mallory', email: 'mallory@evil.test' } })
    expect(first.status).toBe(200)
    expect(first.body.visitor_token).toMatch(/^dct_visitor_/)

    const [summary] = await conversations()
    const { sub: user_id, ...stated } = claims
    expect(summary.visitor).toEqual({
      id: expect.stringMatching(/^vis_/),
      name: 'Ada Example',
      email: 'ada@shop.test',
      level: 'verified',
      user_id,
    })
    expect((await conversation(summary.id)).identity).toEqual({
      user_id,
      ...stated,
      attributes: { plan: 'gold', orders: 3, vip: true, note: null },
      verified_at: expect.any(String),
    })
    const [person] = (await manage(`GET ${BOT}/visitors`, { query: { q: 'u-17' } })).body.items
    expect(person).toMatchObject({ level: 'verified', user_id: 'u-17', phone: '+43 1 234567', conversations: 1 })
    const eventVisitor = { id: summary.visitor.id, level: 'verified', user_id: 'u-17' }
    const events = () => receiver.received.map(({ body }) => JSON.parse(body))
    await waitFor(() => events().length >= 3, 'three events')
    for (const event of events()) expect(event.data.visitor).toEqual(eventVisitor)
  })

  test('may name the user in `user_id`, as a number, and need not name its key', async () => {
    const { visitor, key, now, conversations } = await withBot(engine)
    const user_token = signToken(key, { user_id: 42, exp: now() + 60 }, { kid: undefined, typ: undefined })
    expect((await visitor().say(QUESTION, { user_token })).status).toBe(200)
    expect((await conversations())[0].visitor).toMatchObject({ level: 'verified', user_id: '42' })
  })

  test('is refused when forged, unsigned, expired, too long valid or of another bot, and nothing is stored', async () => {
    const { call, createBot, visitor, key, sign, now, database, botId, identify, manage } = await withBot(engine)
    const otherBot = await createBot({ documents })
    const otherKey = await createIdentityKey(call, otherBot.botId)
    const claims = { sub: 'u-17', exp: now() + HOUR_S }
    const valid = signToken(key, claims)
    const [head, body, signature = ''] = valid.split('.')
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
      type: 'spki',
      format: 'pem',
    })
    const none = encode({ alg: 'none', typ: 'JWT', kid: key.id })
    const wrongTokens = {
      'no algorithm': `${none}.${body}.`,
      'no algorithm, with a signature': `${none}.${body}.${signature}`,
      'another algorithm': signToken(key, claims, { alg: 'HS512' }),
      'a public key as the secret': signToken({ id: key.id, key: String(pem) }, claims, { alg: 'RS256' }),
      'a lower-case algorithm': signToken(key, claims, { alg: 'hs256' }),
      'a critical extension': signToken(key, claims, { crit: ['exp'] }),
      'another user’s claims': `${head}.${encode({ ...claims, sub: 'u-1' })}.${signature}`,
      'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'an empty key': signToken({ id: key.id, key: '' }, claims),
      'the key of another bot': signToken(otherKey, claims),
      'the key of another bot under our id': signToken({ id: key.id, key: otherKey.key }, claims),
      'an unknown key id': signToken({ id: 'idk_none', key: key.key }, claims),
      'no expiry': signToken(key, { sub: 'u-17' }),
      'an expiry that is no number': signToken(key, { ...claims, exp: String(claims.exp) }),
      'an expired token': signToken(key, { ...claims, exp: now() }),
      'an expiry in two days': signToken(key, { ...claims, exp: now() + 48 * HOUR_S }),
      'a token of the future': signToken(key, { ...claims, nbf: now() + HOUR_S }),
      'no user': signToken(key, { exp: claims.exp }),
      'a blank user': signToken(key, { ...claims, sub: ' ' }),
      'a long user id': signToken(key, { ...claims, sub: 'u'.repeat(201) }),
      'nested attributes': signToken(key, { ...claims, attributes: { a: { b: 1 } } }),
      'large attributes': signToken(key, { ...claims, attributes: { a: 'x'.repeat(4096) } }),
      'an invalid email': signToken(key, { ...claims, email: 'ada' }),
      'a list': signToken(key, [claims]),
      'no token at all': 'x',
      'a token in four parts': `${valid}.x`,
    }
    for (const [why, user_token] of Object.entries(wrongTokens)) {
      const response = await visitor().say(QUESTION, { user_token })
      expect([why, response.status, response.body.error?.code]).toEqual([why, 401, 'invalid_user_token'])
      expect([why, (await identify({ user_token })).status]).toEqual([why, 401])
    }
    expect((await identify({})).status).toBe(401)
    for (const route of ['lead', 'handover'] as const)
      expect((await visitor().post(route, { user_token: 'x', fields: { email: 'a@b.test' } })).status).toBe(401)
    const response = await visitor().say(QUESTION, { user_token: 'x', stream: true })
    expect(response.status).toBe(401)
    expect(await isEmpty(database)).toBe(true)
    expect((await visitor().say(QUESTION, { user_token: sign({ sub: 'u-17' }) })).status).toBe(200)
    const { items } = (await manage(`GET ${IDENTITY_KEYS}`, { params: { botId } })).body
    expect(items).toMatchObject([{ id: key.id, last_used_at: expect.any(String) }])
  })

  test('is not accepted again after its key was rotated away', async () => {
    const { visitor, call, botId, key, sign, manage } = await withBot(engine)
    const old = sign({ sub: 'u-17' })
    const second = await createIdentityKey(call, botId)
    for (const user_token of [old, sign({ sub: 'u-17' }, second)])
      expect((await visitor().say(QUESTION, { user_token })).status).toBe(200)
    const third = await manage(`POST ${IDENTITY_KEYS}`)
    expect([third.status, third.body.error.code]).toEqual([409, 'too_many_identity_keys'])
    const response = await manage(`DELETE ${IDENTITY_KEYS}/{identityKeyId}`, {
      params: { botId, identityKeyId: key.id },
    })
    expect(response.status).toBe(204)
    expect((await visitor().say(QUESTION, { user_token: old })).status).toBe(401)
    expect((await visitor().say(QUESTION, { user_token: sign({ sub: 'u-17' }, second) })).status).toBe(200)
    expect((await manage(`POST ${IDENTITY_KEYS}`)).status).toBe(201)
  })

  test('can be the hash of the id instead, which keeps what a token stated before', async () => {
    const { visitor, key, sign, conversations, call, createBot, now } = await withBot(engine)
    const user_hash = hmac(key.key, 'u-17').digest('hex')
    await visitor().say(QUESTION, { user_token: sign({ sub: 'u-17', name: 'Ada' }) })
    const response = await visitor().say(QUESTION, { user_id: 'u-17', user_hash: user_hash.toUpperCase() })
    expect(response.status).toBe(200)
    for (const { visitor } of await conversations())
      expect(visitor).toMatchObject({ level: 'verified', user_id: 'u-17', name: 'Ada' })
    const otherBot = await createBot({ documents })
    const otherKey = await createIdentityKey(call, otherBot.botId)
    const [head, body, signature = ''] = signToken(key, { sub: 'u-17', exp: now() - 60 }).split('.')
    for (const proof of [
      // An expired token in other words.
      { user_id: `${head}.${body}`, user_hash: Buffer.from(signature, 'base64url').toString('hex') },
      { user_id: 'u-18', user_hash },
      { user_id: 'u-17' },
      { user_hash },
      { user_id: 'u-17', user_hash: user_hash.slice(0, 62) },
      { user_id: 'u-17', user_hash: hmac(otherKey.key, 'u-17').digest('hex') },
      { user_id: 'u-17', user_hash: hmac('', 'u-17').digest('hex') },
    ])
      expect((await visitor().say(QUESTION, proof)).body.error?.code).toBe('invalid_user_token')
  })
})

describe.each(engines)('a key on %s', (engine) => {
  test('is shown once and stored sealed', async () => {
    const { key, database, manage, logs } = await withBot(engine)
    expect(key.key).toMatch(/^dct_identity_[0-9A-Za-z]{38}$/)
    const keyList = await manage(`GET ${IDENTITY_KEYS}`)
    expect(keyList.body.items).toEqual([
      { id: key.id, last_four: key.key.slice(-4), created_at: expect.any(String), last_used_at: null },
    ])
    for (const table of await tableNames(database))
      expect(JSON.stringify(await queryRows(database, `SELECT * FROM ${table}`))).not.toContain(key.key)
    expect(logs()).not.toContain(key.key)
  })
})

describe.each(engines)('a verified visitor on %s', (engine) => {
  test('finds their conversation on another device, and writes on in it', async () => {
    const { call, botId, visitor, identify, sign, conversations } = await withBot(engine)
    const user_token = sign({ sub: 'u-17' })
    const phone = visitor()
    expect((await identify({ user_token })).body).toEqual({
      user_id: 'u-17',
      switched: true,
      visitor_token: null,
      session_id: null,
    })
    await phone.say(QUESTION, { user_token })
    expect((await identify({ user_token }, phone)).body).toMatchObject({ switched: false, visitor_token: null })

    const { body: identity } = await identify({ user_token })
    expect(identity).toMatchObject({ switched: true, session_id: phone.sessionId() })
    expect(identity.visitor_token).not.toBe(phone.token())
    const headers = { 'x-visitor-token': identity.visitor_token }
    const history = await call('GET /api/chat/{botId}/history', { params: { botId }, headers })
    expect(history.body.messages).toMatchObject([{ role: 'visitor', text: QUESTION }, { role: 'bot' }])
    const body = { message: 'Thank you!', session_id: identity.session_id }
    await call('POST /api/chat/{botId}/message', { params: { botId }, headers, body })
    expect((await phone.history()).body.messages).toHaveLength(4)
    expect(await conversations()).toHaveLength(1)
  })

  test('keeps what they wrote before they logged in, on a device where they are new or known', async () => {
    const { visitor, sign, conversations, manage, botId } = await withBot(engine)
    const user_token = sign({ sub: 'u-17', email: 'ada@shop.test' })
    const phone = visitor()
    await phone.say(QUESTION)
    await phone.post('lead', { fields: { email: 'typed@shop.test' } })
    expect((await conversations())[0].visitor).toMatchObject({ level: 'claimed', user_id: null })
    const first = await phone.say('Thank you!', { user_token })
    expect(first.body.visitor_token).toMatch(/^dct_visitor_/)

    const desktop = visitor()
    await desktop.say(QUESTION)
    await desktop.post('lead', { fields: { name: 'Ada', email: 'second@shop.test' } })
    expect((await desktop.post('identify', { user_token })).body).toMatchObject({ switched: false, session_id: null })
    const all = await conversations()
    const [one, other] = all
    expect(all).toHaveLength(2)
    expect(one.visitor).toEqual(other.visitor)
    expect(one.visitor).toMatchObject({ level: 'verified', user_id: 'u-17', email: 'ada@shop.test' })
    // Both devices go on with their own token.
    for (const device of [phone, desktop]) {
      expect((await device.history()).status).toBe(200)
      expect((await device.say('Thank you!')).body.session_id).toBe(device.sessionId())
    }
    const leads = await manage('GET /api/manage/v1/bots/{botId}/leads', { params: { botId } })
    expect(leads.body.items).toMatchObject([{ name: 'Ada', email: 'second@shop.test', visitor_id: one.visitor.id }])
    const people = await manage(`GET ${BOT}/visitors`)
    expect(people.body.items).toMatchObject([{ id: one.visitor.id, conversations: 2 }])
  })

  test('has only what is signed, not what they claimed before', async () => {
    const { visitor, sign, conversations } = await withBot(engine)
    const ada = visitor()
    await ada.say(QUESTION, { visitor: { name: 'The Boss', email: 'boss@shop.test' } })
    expect((await conversations())[0].visitor).toMatchObject({ level: 'claimed', name: 'The Boss' })
    await ada.post('identify', { user_token: sign({ sub: 'u-17' }) })
    expect((await conversations())[0].visitor).toMatchObject({ level: 'verified', name: null, email: null })
    await ada.say(QUESTION, { user_token: sign({ sub: 'u-17', name: 'Ada' }) })
    expect((await conversations())[0].visitor).toMatchObject({ name: 'Ada', email: null })
  })

  test('gets email at the address that their site signed, not at one typed into a form', async () => {
    const mail = await startMailServer()
    const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Docent <docent@example.com>' }
    const { call, botId, visitor, sign, manage } = await withBot(engine, environment)
    await manage(`PATCH ${BOT}`, { body: { visitor_email: { transcripts: true } } })
    const ada = visitor()
    await ada.say(QUESTION)
    await ada.post('lead', { fields: { email: 'mallory@evil.test' } })
    await ada.post('identify', { user_token: sign({ sub: 'u-17', email: 'ada@shop.test' }) })
    const body = { session_id: ada.sessionId() }
    const headers = { 'x-visitor-token': ada.token() }
    expect((await call('POST /api/chat/{botId}/transcript', { params: { botId }, headers, body })).status).toBe(202)
    const [transcriptMail] = await mail.waitForMails(1)
    expect(transcriptMail?.to).toEqual(['ada@shop.test'])
  })

  test('is not read with a token from before they were known', async () => {
    const { call, botId, visitor, sign, manage } = await withBot(engine)
    await manage(`PATCH ${BOT}`, { body: { handover: { enabled: true } } })
    const user_token = sign({ sub: 'u-17' })
    const readWith = (token: string) =>
      call('GET /api/chat/{botId}/history', { params: { botId }, headers: { 'x-visitor-token': token } })
    const ways = {
      // The first makes the visitor the user's own, the others become part of it.
      message: (device: TestVisitor) => device.say('Thank you!', { user_token }),
      identify: (device: TestVisitor) => device.post('identify', { user_token }),
      lead: (device: TestVisitor) => device.post('lead', { user_token, fields: { email: 'ada@shop.test' } }),
      handover: (device: TestVisitor) => device.post('handover', { user_token }),
    }
    for (const [way, prove] of Object.entries(ways)) {
      const device = visitor()
      await device.say(QUESTION)
      const [plantedToken, session] = [device.token(), device.sessionId()]
      expect([way, (await prove(device)).status]).toEqual([way, 200])
      expect([way, device.token() === plantedToken, device.sessionId()]).toEqual([way, false, session])
      expect([way, (await readWith(plantedToken)).status]).toEqual([way, 401])
      expect([way, (await device.history()).status]).toEqual([way, 200])
      // Known already: the token stays.
      expect((await device.post('identify', { user_token })).body).toMatchObject({
        switched: false,
        visitor_token: null,
      })
    }
  })

  test('is no longer followed with a token from before they were known', async () => {
    const { baseUrl, botId, visitor, sign, manage, conversations } = await withBot(engine)
    const user_token = sign({ sub: 'u-17' })
    const follow = (token: string) => openStream(`${baseUrl}/api/chat/${botId}/events`, { 'x-visitor-token': token })
    const ways = [
      (device: TestVisitor) => device.post('identify', { user_token }),
      (device: TestVisitor) => device.say('Thank you!', { user_token }),
    ]
    for (const prove of ways) {
      const device = visitor()
      await device.say(QUESTION)
      const plantedStream = await follow(device.token())
      await plantedStream.waitForEvent('handover')
      await prove(device)
      const ownStream = await follow(device.token())
      await ownStream.waitForEvent('handover')
      const [{ id: conversationId }] = await conversations()
      const body = { text: 'Hello Ada' }
      await manage(`POST ${BOT}/conversations/{conversationId}/messages`, { params: { botId, conversationId }, body })
      await ownStream.waitForEvent('message')
      await plantedStream.waitForEnd()
      expect(plantedStream.events.filter(({ name }) => name === 'message')).toEqual([])
    }
  })

  test('gets another token when the response that had theirs was lost', async () => {
    const { call, botId, visitor, sign, manage } = await withBot(engine)
    await manage(`PATCH ${BOT}`, { body: { handover: { enabled: true } } })
    const user_token = sign({ sub: 'u-17' })
    const ways = {
      message: (device: TestVisitor) => device.say('Thank you!', { user_token }),
      lead: (device: TestVisitor) => device.post('lead', { user_token, fields: { email: 'ada@shop.test' } }),
      handover: (device: TestVisitor) => device.post('handover', { user_token }),
      identify: (device: TestVisitor) => device.post('identify', { user_token }),
    }
    for (const [way, goOn] of Object.entries(ways)) {
      const device = visitor()
      await device.say(QUESTION)
      const session = device.sessionId()
      await call('POST /api/chat/{botId}/message', {
        params: { botId },
        headers: { 'x-visitor-token': device.token() },
        body: { message: 'Thank you!', session_id: session, user_token },
      })
      expect([way, (await device.history()).status]).toEqual([way, 401])
      expect([way, (await goOn(device)).status]).toEqual([way, 200])
      expect([way, (await device.history()).status, device.sessionId()]).toEqual([way, 200, session])
    }
    // Who never has one, and sends the user's token each time, takes the place of no other device.
    const visitorBefore = visitor()
    await visitorBefore.say(QUESTION, { user_token })
    const session_id = visitorBefore.sessionId()
    for (let count = 0; count < 25; count++) {
      const body = { message: 'Thank you!', session_id, user_token }
      await call('POST /api/chat/{botId}/message', { params: { botId }, body })
    }
    expect((await visitorBefore.history()).status).toBe(200)
  })

  test('shares nothing with the next user of the same browser', async () => {
    const { call, botId, visitor, identify, sign, conversations } = await withBot(engine)
    const browser = visitor()
    await browser.say(QUESTION, { user_token: sign({ sub: 'u-17' }) })
    const next = await identify({ user_token: sign({ sub: 'u-18' }) }, browser)
    expect(next.body).toEqual({ user_id: 'u-18', switched: true, visitor_token: null, session_id: null })
    const session = browser.sessionId()
    const reply = await browser.say('Hello', { user_token: sign({ sub: 'u-18' }) })
    expect(reply.body.session_id).not.toBe(session)
    expect(reply.body.visitor_token).toMatch(/^dct_visitor_/)
    const users = (await conversations()).map((each: { visitor: { user_id: string } }) => each.visitor.user_id)
    expect(users.sort()).toEqual(['u-17', 'u-18'])
    const query = { session_id: session }
    const headers = { 'x-visitor-token': browser.token() }
    const response = await call('GET /api/chat/{botId}/history', { params: { botId }, headers, query })
    expect(response.status).toBe(404)
  })

  test('is not joined by strangers, nor joins them, by a session id', async () => {
    const { visitor, sign, conversations } = await withBot(engine)
    const ada = visitor()
    await ada.say(QUESTION, { user_token: sign({ sub: 'u-17' }), session_id: 'guessable' })
    const stranger = await visitor().say('Hello', { session_id: 'guessable' })
    expect(stranger.body.session_id).not.toBe('guessable')
    await visitor().say(QUESTION, { session_id: 'somebody' })
    const response = await visitor().say('Hello', { session_id: 'somebody', user_token: sign({ sub: 'u-18' }) })
    expect(response.body.session_id).not.toBe('somebody')
    const ownReply = await visitor().say('Thank you!', { session_id: 'guessable', user_token: sign({ sub: 'u-17' }) })
    expect(ownReply.body.session_id).toBe('guessable')
    const levels = (await conversations()).map((each: { visitor: { level: string } }) => each.visitor.level)
    expect(levels.sort()).toEqual(['anonymous', 'anonymous', 'verified', 'verified'])
  })

  test('is one person, though two devices write for the first time at once', async () => {
    const { visitor, sign, conversations, database } = await withBot(engine)
    const user_token = sign({ sub: 'u-17' })
    const devices = Array.from({ length: 5 }, visitor)
    const responses = await Promise.all(devices.map((device) => device.say(QUESTION, { user_token })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await Promise.all(devices.map((device) => device.say('Thank you!', { user_token })))
    const all = await conversations()
    expect(new Set(all.map((each: { visitor: { id: string } }) => each.visitor.id)).size).toBe(1)
    expect(all).toHaveLength(5)
    expect([await countRows(database, 'visitors'), await countRows(database, 'visitor_identities')]).toEqual([1, 1])
  })

  test('can be exported and erased by the id of the site, together with the chat API', async () => {
    const { call, apiKey, botId, visitor, identify, sign, manage, database, receiver } = await withBot(engine)
    const user_token = sign({ sub: 'User/17', email: 'canary@shop.test', attributes: { secret: 'canary-attribute' } })
    const phone = visitor()
    await phone.say('canary question', { user_token })
    await identify({ user_token })
    await visitor().say('Hello', { user_token: sign({ sub: 'u-18' }) })
    const body = { bot_id: botId, message: 'canary over the API', user_id: 'User/17' }
    await call('POST /api/v1/chat', { token: apiKey, body })
    const ofUser = { params: { botId, visitorId: 'user:User/17' } }
    const { body: visitorExport } = await manage(`GET ${BOT}/visitors/{visitorId}`, ofUser)
    expect(visitorExport).toMatchObject({
      visitor: { id: 'user:User/17', level: 'verified', user_id: 'User/17', email: 'canary@shop.test' },
      identity: { user_id: 'User/17', attributes: { secret: 'canary-attribute' } },
      conversations: [{ channel: 'widget' }, { channel: 'api' }],
    })
    await receiver.waitForCount(6)
    expect((await manage(`DELETE ${BOT}/visitors/{visitorId}`, ofUser)).status).toBe(204)
    for (const table of await tableNames(database)) {
      const rows = JSON.stringify(await queryRows(database, `SELECT * FROM ${table}`))
      expect([table, rows.includes('canary'), rows.includes('User/17')]).toEqual([table, false, false])
    }
    expect((await manage(`GET ${BOT}/visitors`)).body.items).toMatchObject([{ user_id: 'u-18' }])
    expect((await manage(`DELETE ${BOT}/visitors/{visitorId}`, ofUser)).status).toBe(404)
    expect((await phone.history()).status).toBe(401)
  })
})

describe.each(engines)('a bot on %s', (engine) => {
  test('can require verified visitors for the chat, and tells others to log in', async () => {
    const { call, botId, visitor, sign, manage, identify, database } = await withBot(engine)
    await manage(`PATCH ${BOT}`, { body: { identity: { require_for_chat: true } } })
    const config = await call('GET /api/chat/{botId}/config', { params: { botId } })
    expect(config.body.requires_login).toBe(true)
    const response = await visitor().say(QUESTION, { locale: 'de-AT' })
    expect([response.status, response.body.error.code]).toEqual([401, 'user_token_required'])
    expect(response.body.error.message).toContain('auf der Website anmelden')
    for (const route of ['lead', 'handover'] as const)
      expect((await visitor().post(route, { fields: { email: 'a@b.test' } })).body.error.code).toBe(
        'user_token_required',
      )
    expect(await isEmpty(database)).toBe(true)
    const ada = visitor()
    expect((await ada.say(QUESTION, { user_token: sign({ sub: 'u-17' }) })).status).toBe(200)
    expect((await ada.say(QUESTION)).status).toBe(401)
    expect((await identify({ user_token: sign({ sub: 'u-17' }) }, ada)).body.switched).toBe(false)
  })

  test('lets verified visitors use the actions that are for them, as long as they prove it', async () => {
    const { call, botId, owner, add, visitor, clock, adminToken } = await startActionBot(engine)
    const key = await createIdentityKey(call, botId)
    const id = await add(orderStatus(owner, { audience: 'verified' }))
    const user_token = signToken(key, { sub: 'u-17', exp: clock.now / 1000 + 60 })
    const ada = visitor()
    const reply = await ada.say('Where is my order 12345?', { user_token })
    expect(reply.body).toMatchObject({ reply: 'Order 12345 is shipped.', action: { id, status: 'done' } })
    // The visitor's own token keeps the conversation, and proves nothing else.
    const laterReply = await ada.say('Where is my order 12345?')
    expect(laterReply.body).toMatchObject({
      reply: expect.stringContaining('logged in'),
      action: { id, status: 'failed' },
    })
    expect(owner.received).toHaveLength(1)

    await call('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', {
      token: adminToken,
      params: { botId, actionId: id },
      body: { audience: 'everyone' },
    })
    expect((await visitor().say('Where is my order 12345?')).body.action.status).toBe('done')
    const body = { identity: { require_for_actions: true } }
    await call(`PATCH ${BOT}`, { token: adminToken, params: { botId }, body })
    expect((await visitor().say('Where is my order 12345?')).body.action.status).toBe('failed')
    expect((await visitor().say('Where is my order 12345?', { user_token })).body.action.status).toBe('done')
  })
})

test('the code of the guide signs tokens that are accepted', async () => {
  const { visitor, key, clock, conversations } = await withBot('sqlite')
  clock.now = Date.now()
  const guide = readFileSync(new URL('../../../docs/guides/logged-in-visitors.md', import.meta.url), 'utf8')
  const codeOf = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''
  const user = { id: 4711, email: 'ada@shop.test', name: 'Ada Ünal', plan: 'gold' }
  const values = `${JSON.stringify(user)}, "${key.id}", "${key.key}"`
  const phpValues = `json_decode('${JSON.stringify(user)}', true), "${key.id}", "${key.key}"`
  const programs: [command: string, options: string[], input: string][] = [
    [process.execPath, ['--input-type=module', '-'], `${codeOf('js')}\nconsole.log(userToken(${values}))`],
    ['python3', ['-'], `${codeOf('python')}\nprint(user_token(${values}))`],
    ['php', [], `<?php ${codeOf('php')}\necho user_token(${phpValues});`],
  ]
  // Not every machine has all of them.
  const runnable = programs.filter(([command]) => spawnSync(command, ['--version']).status === 0)
  expect(runnable.length).toBeGreaterThan(0)
  for (const [command, options, input] of runnable) {
    const { stdout, stderr } = spawnSync(command, options, { input })
    const response = await visitor().say(QUESTION, { user_token: String(stdout).trim() })
    expect([command, String(stderr), response.status]).toEqual([command, '', 200])
  }
  for (const { visitor } of await conversations())
    expect(visitor).toMatchObject({ level: 'verified', user_id: '4711', name: 'Ada Ünal' })
})
