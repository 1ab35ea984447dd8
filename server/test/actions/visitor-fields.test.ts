// `{{visitor.user_id}}`, `{{visitor.email}}` and `{{visitor.name}}` in requests: only ever what the site has proven.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { createIdentityKey, hmac, signToken } from '../widget/user-tokens.ts'
import { type OwnerServer, orderStatus, startActionBot } from './action-bot.ts'

const QUESTION = 'Where is my order?'

/** Looks up the orders of whoever asks. */
function ownOrders(owner: OwnerServer, more: object = {}) {
  return orderStatus(owner, {
    inputs: [],
    request: {
      method: 'POST',
      url: `${owner.url}/users/{{visitor.user_id}}/orders`,
      headers: { 'X-User-Name': '{{visitor.name}}' },
      body: '{"email": "{{visitor.email}}"}',
    },
    confirm: false,
    audience: 'verified',
    answer_template: 'Your order is {{response.status}}.',
    ...more,
  })
}

async function startBot(engine: Engine) {
  const bot = await startActionBot(engine)
  const key = await createIdentityKey(bot.call, bot.botId)
  const sign = (claims: object) => signToken(key, { exp: bot.clock.now / 1000 + 60, ...claims })
  return { ...bot, key, sign }
}

describe.each(engines)('what a request says of the visitor, on %s', (engine) => {
  test('is what the site has signed, escaped for its place', async () => {
    const { owner, add, visitor, sign, runs } = await startBot(engine)
    const id = await add(ownOrders(owner))
    const claims = { sub: 'a/b ?#"', name: 'Ada "Ö" Example', email: 'ada@shop.test' }
    const claimedVisitor = { name: 'Mallory', email: 'mallory@evil.test' }
    const { body } = await visitor().say(QUESTION, { user_token: sign(claims), visitor: claimedVisitor })
    expect(body).toMatchObject({ reply: 'Your order is shipped.', action: { id, status: 'done' } })
    expect(owner.received).toMatchObject([
      { path: '/users/a%2Fb%20%3F%23%22/orders', headers: { 'x-user-name': 'Ada "%C3%96" Example' } },
    ])
    expect(JSON.parse(owner.received[0]?.body ?? '')).toEqual({ email: 'ada@shop.test' })
    expect(await runs(id)).toMatchObject([{ outcome: 'completed', inputs: {} }])
  })

  test('is never what somebody claims, forges or guesses', async () => {
    const { call, botId, bot, owner, add, visitor, key, sign, clock } = await startBot(engine)
    await add(ownOrders(owner))
    const claims = { sub: 'u-17', name: 'Ada', email: 'ada@shop.test' }
    const ada = visitor()
    await ada.say(QUESTION, { user_token: sign(claims) })
    expect(owner.received).toHaveLength(1)

    const mallory = visitor()
    const claimedVisitor = { name: 'Ada', email: 'ada@shop.test' }
    const malloryResponse = await mallory.say(QUESTION, { visitor: claimedVisitor, session_id: ada.sessionId() })
    expect(malloryResponse.body.reply).toContain('logged in')
    const otherKey = { ...key, key: `${key.key.slice(0, -1)}x` }
    const exp = clock.now / 1000 + 60
    const wrongProofs = [
      { user_token: signToken(otherKey, { ...claims, exp }) },
      { user_token: signToken(key, { ...claims, exp: exp - 120 }) },
      { user_id: 'u-17', user_hash: hmac(key.key, 'u-18').digest('hex') },
    ]
    for (const proof of wrongProofs) expect((await visitor().say(QUESTION, proof)).status).toBe(401)
    const laterReply = await ada.say(QUESTION)
    expect(laterReply.body.reply).toContain('logged in')
    const api = { bot_id: botId, message: QUESTION, user_id: 'u-17' }
    const response = await call('POST /api/v1/chat', { token: bot.key, body: api })
    expect(response.body.action.status).toBe('failed')
    expect(owner.received).toHaveLength(1)

    // With a proof of their own, in somebody else's conversation and on somebody else's device.
    await mallory.say(QUESTION, { user_token: sign({ ...claims, sub: 'u-66' }), session_id: ada.sessionId() })
    await ada.say(QUESTION, { user_token: sign({ ...claims, sub: 'u-66' }) })
    expect(owner.received.slice(1).map(({ path }) => path)).toEqual(['/users/u-66/orders', '/users/u-66/orders'])
  })

  test('is never left empty: a request without it is not sent', async () => {
    const { owner, add, visitor, key, sign, runs } = await startBot(engine)
    const id = await add(ownOrders(owner))
    const proof = (userId: string) => ({ user_id: userId, user_hash: hmac(key.key, userId).digest('hex') })
    const unknownVisitorResponse = await visitor().say(QUESTION, proof('u-17'))
    expect(unknownVisitorResponse.body.action).toEqual({ id, status: 'failed' })
    expect(owner.received).toEqual([])
    expect(await runs(id)).toMatchObject([{ outcome: 'failed', failure: 'visitor_unknown', status: null }])
    // A hash proves the id; the rest is what a token stated before.
    await visitor().say('Hello', { user_token: sign({ sub: 'u-18', name: 'Bo', email: 'bo@shop.test' }) })
    const knownVisitorResponse = await visitor().say(QUESTION, proof('u-18'))
    expect(knownVisitorResponse.body.action).toEqual({ id, status: 'done' })
    expect(owner.received).toMatchObject([{ path: '/users/u-18/orders', body: '{"email": "bo@shop.test"}' }])
  })

  test('needs verified visitors before the action can be published', async () => {
    const { owner, add, create, change, sign, visitor } = await startBot(engine)
    const everyone = { audience: 'everyone' }
    const response = await create(ownOrders(owner, everyone))
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [
        {
          path: 'audience',
          message: 'Choose "verified": {{visitor.user_id}} is known of verified visitors only.',
        },
      ],
    ])
    const unknownFieldResponse = await create(
      ownOrders(owner, { request: { method: 'GET', url: `${owner.url}/{{visitor.phone}}` } }),
    )
    expect(unknownFieldResponse.body.error.details[0].message).toBe(
      'The only visitor placeholders are {{visitor.user_id}}, {{visitor.email}}, {{visitor.name}}.',
    )
    const id = await add(ownOrders(owner, { ...everyone, state: 'draft' }))
    expect((await change(id, { state: 'live' })).body.error.details[0].path).toBe('audience')
    expect((await change(id, { state: 'live', audience: 'verified' })).status).toBe(200)
    expect((await change(id, everyone)).body.error.details[0].path).toBe('audience')
    const { body } = await visitor().say(QUESTION, { user_token: sign({ sub: 'u', name: 'U', email: 'u@shop.test' }) })
    expect(body.action.status).toBe('done')
  })

  test('is given with a test, and that of a test user in the playground', async () => {
    const { call, botId, owner, add, test: run } = await startBot(engine)
    const id = await add(ownOrders(owner, { state: 'draft' }))
    const visitor = { user_id: 'u-17', email: 'ada@shop.test', name: 'Ada' }
    expect((await run(id, { visitor })).body).toMatchObject({ outcome: 'completed', status: 200 })
    expect((await run(id, { visitor: { user_id: 'u-17' } })).body).toMatchObject({ failure: 'visitor_unknown' })
    const body = { message: QUESTION }
    await call('POST /api/manage/v1/bots/{botId}/try', { token: ADMIN_TOKEN, params: { botId }, body })
    expect(owner.received.map(({ path }) => path)).toEqual(['/users/u-17/orders', '/users/test-user/orders'])
  })
})
