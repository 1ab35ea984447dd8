// Actions as owners manage them: what is stored, what is refused, and that secrets stay secret.
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { engines } from '../harness/database/databases.ts'
import { queryRows, runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'
import { createTenant } from '../harness/tenants.ts'
import { isSigned } from '../webhooks/webhook-bot.ts'
import { ACTION, ACTIONS, json, orderNumber, orderStatus, startActionBot } from './action-bot.ts'

const token = ADMIN_TOKEN
const SECRET = 'sk-owner-CANARY-77'

describe.each(engines)('actions on %s', (engine) => {
  test('vectors of one model are never taken for those of another', async () => {
    const { botId, owner, create, database, stop } = await startActionBot(engine)
    const { id } = (await create(orderStatus(owner))).body
    await stop()
    const storage = await openStorage({ ...database, databasePoolSize: 2 }, 0)
    onTestFinished(() => storage.close())
    const { actions } = storage
    const [firstPhrasing, rival] = await actions.listPhrasings(botId)
    const updatedAt = firstPhrasing?.updatedAt as number
    const models = async () => (await actions.listPhrasings(botId)).map(({ vectors }) => vectors?.model ?? null)
    const store = (name: string, model: string) => actions.storeVectors(botId, name, updatedAt, model, Buffer.from([1]))
    for (const name of [id, rival?.id as string]) await store(name, 'old')
    expect(await models()).toEqual(['old', 'old'])
    expect(await actions.listBotsMissing('old')).toEqual([])
    // The server stops between the two.
    await store(id, 'new')
    expect(await models()).toEqual(['new', null])
    expect(await actions.listBotsMissing('new')).toEqual([botId])
    await store(rival?.id as string, 'new')
    expect(await models()).toEqual(['new', 'new'])
    expect(await actions.listBotsMissing('new')).toEqual([])
  })

  test('an action is created, read, listed, changed and deleted', async () => {
    const { call, botId, owner, create, read, change } = await startActionBot(engine)
    const createResponse = await create(orderStatus(owner))
    expect(createResponse).toMatchObject({
      status: 201,
      body: {
        name: 'Order status',
        kind: 'http',
        confirm: false,
        audience: 'everyone',
        state: 'live',
        auth: null,
        sample: null,
        recent_runs: { total: 0, failed: 0 },
        secret: expect.stringMatching(/^whsec_/),
      },
    })
    const actionId: string = createResponse.body.id
    const { secret: _, ...shownFields } = createResponse.body
    expect((await read(actionId)).body).toEqual(shownFields)
    const actionList = await call(`GET ${ACTIONS}`, { token, params: { botId } })
    expect(actionList.body).toEqual({ items: [shownFields], next_cursor: null })
    const updateResponse = await change(actionId, {
      state: 'draft',
      request: { method: 'POST', url: `${owner.url}/x` },
    })
    expect(updateResponse.body).toMatchObject({ state: 'draft', confirm: true, name: 'Order status' })
    expect((await call(`DELETE ${ACTION}`, { token, params: { botId, actionId } })).status).toBe(204)
    expect((await read(actionId)).status).toBe(404)
  })

  test('a 16th action is refused', async () => {
    const { owner, create } = await startActionBot(engine)
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => create(orderStatus(owner, { name: `No. ${n}` }))),
    )
    const refusedResponses = responses.filter(({ status }) => status !== 201)
    expect(refusedResponses.map(({ body }) => body.error.code)).toEqual(['too_many_actions'])
  })

  test('another tenant does not find an action, nor its runs, nor can test it', async () => {
    const { call } = await startActionBot(engine)
    const [ownTenant, otherTenant] = [await createTenant(call, 'mine'), await createTenant(call, 'theirs')]
    const calls = [`GET ${ACTION}`, `PATCH ${ACTION}`, `DELETE ${ACTION}`, `GET ${ACTION}/runs`] as const
    for (const route of calls)
      for (const botId of [otherTenant.botId, ownTenant.botId]) {
        const params = { botId, actionId: otherTenant.actionId }
        const response = await call(route, {
          token: ownTenant.token,
          params,
          ...(route.startsWith('PATCH') ? { body: {} } : {}),
        })
        expect([route, response.status]).toEqual([route, 404])
      }
    for (const verb of ['test', 'rotate-secret'] as const) {
      const params = { botId: ownTenant.botId, actionId: otherTenant.actionId }
      const body = verb === 'test' ? { body: { inputs: {} } } : {}
      expect((await call(`POST ${ACTION}/${verb}`, { token: ownTenant.token, params, ...body })).status).toBe(404)
    }
  })

  test('credentials are sent to the owner, and never returned, logged or exported', async () => {
    const { call, owner, add, read, change, test, runs, logs, database } = await startActionBot(engine)
    const id = await add(orderStatus(owner, { auth: { type: 'header', name: 'X-Api-Key', value: SECRET } }))
    const inputs = { order_number: '12345' }
    const testResponse = await test(id, { inputs })
    expect(owner.received[0]?.headers['x-api-key']).toBe(SECRET)
    const details = await read(id)
    expect(details.body.auth).toEqual({ type: 'header', name: 'X-Api-Key', is_set: true })
    for (const auth of [
      { type: 'bearer', token: SECRET },
      { type: 'basic', username: 'shop', password: SECRET },
    ]) {
      await change(id, { auth })
      await test(id, { inputs })
    }
    expect(owner.received.slice(1).map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${SECRET}`,
      `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}`,
    ])
    const audit = await call('GET /api/manage/v1/workspaces/{workspaceId}/audit', {
      token,
      params: { workspaceId: (await createTenant(call, 'other')).workspaceId },
    })
    const output = JSON.stringify([testResponse.body, details.body, await runs(id), audit.body]) + logs()
    expect(output).not.toContain(SECRET)
    const rows = await queryRows(database, 'SELECT * FROM actions')
    expect(JSON.stringify(rows)).not.toContain(SECRET)
  })

  test('an action stays confirmed, or not, when only its URL changes', async () => {
    const { owner, add, change } = await startActionBot(engine)
    const id = await add(orderStatus(owner, { confirm: true }))
    const newRequest = { method: 'GET', url: `${owner.url}/v2/{{order_number}}` }
    expect((await change(id, { request: newRequest })).body.confirm).toBe(true)
    await change(id, { confirm: false })
    expect((await change(id, { request: { ...newRequest, method: 'POST' } })).body.confirm).toBe(true)
  })

  test('credentials are forgotten when the host changes', async () => {
    const { owner, add, change, test } = await startActionBot(engine)
    const id = await add(orderStatus(owner, { auth: { type: 'bearer', token: SECRET } }))
    const localhostUrl = owner.url.replace('127.0.0.1', 'localhost')
    const request = { method: 'GET', url: `${localhostUrl}/orders/{{order_number}}` }
    expect((await change(id, { request })).body.auth).toMatchObject({ is_set: false })
    expect((await test(id, { inputs: { order_number: '12345' } })).body).toMatchObject({ failure: 'auth_missing' })
    expect(owner.received).toEqual([])
  })

  test('requests are signed, with both secrets for a day after a rotation', async () => {
    const { call, clock, botId, owner, create, test } = await startActionBot(engine)
    const createResponse = await create(
      orderStatus(owner, { request: { method: 'POST', url: `${owner.url}/x`, body: '{"order": "{{order_number}}"}' } }),
    )
    const actionId: string = createResponse.body.id
    const inputs = { order_number: '12345' }
    await test(actionId, { inputs })
    const rotation = await call(`POST ${ACTION}/rotate-secret`, { token, params: { botId, actionId } })
    await test(actionId, { inputs })
    clock.now += 25 * 3_600_000
    await test(actionId, { inputs })
    const signatures = owner.received.map((one) =>
      [createResponse.body.secret, rotation.body.secret].map((secret) =>
        isSigned(secret, { ...one, json: null }, Number(one.headers['webhook-timestamp']) * 1000),
      ),
    )
    expect(signatures).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ])
  })

  test('the runs of the last seven days are counted, without tests', async () => {
    const { call, botId, owner, add, read, test, clock, database } = await startActionBot(engine)
    const id = await add(orderStatus(owner))
    await test(id, { inputs: { order_number: '12345' } })
    for (const [daysAgo, outcome] of [
      [8, 'failed'],
      [6, 'failed'],
      [1, 'completed'],
      [0, 'started'],
    ] as const) {
      const createdAt = clock.now - daysAgo * 86_400_000
      await runStatement(
        database,
        `INSERT INTO action_runs (bot_id, id, action_id, outcome, inputs, is_test, created_at)
         VALUES ('${botId}', 'run_${(createdAt * 1024).toString(32).padStart(11, '0')}x', '${id}', '${outcome}', '{}', 0, ${createdAt})`,
      )
    }
    expect((await read(id)).body.recent_runs).toEqual({ total: 3, failed: 1 })
    const actionList = await call(`GET ${ACTIONS}`, { token, params: { botId } })
    expect(actionList.body.items[0].recent_runs).toEqual({ total: 3, failed: 1 })
  })

  test('a test says what came back and what a visitor would read, and is logged', async () => {
    const { owner, add, test, runs } = await startActionBot(engine)
    const id = await add(orderStatus(owner, { sample: { status: 'lost' } }))
    owner.respond = json({ status: 'packed', items: Array.from({ length: 50 }, (_, n) => n) })
    const testRun = await test(id, { inputs: { order_number: '12345' } })
    expect(testRun.body).toMatchObject({
      outcome: 'completed',
      failure: null,
      status: 200,
      shortened: true,
      answer: 'Order 12345 is packed.',
      response: { status: 'packed' },
    })
    expect(testRun.body.response.items).toHaveLength(20)
    const sampleRun = await test(id, { inputs: { order_number: '12345' }, use_sample: true })
    expect(sampleRun.body).toMatchObject({ status: null, answer: 'Order 12345 is lost.' })
    expect(owner.received).toHaveLength(1)
    expect(await runs(id)).toMatchObject([
      { outcome: 'completed', status: 200, is_test: true, conversation_id: null, inputs: { order_number: '12345' } },
    ])
    const invalid = await test(id, { inputs: { order_number: 'soon' } })
    expect(invalid.body.error.details).toEqual([{ path: 'inputs.order_number', message: expect.any(String) }])
  })
})

const refusals: [string, object, string][] = [
  ['an unknown input in the URL', { request: { method: 'GET', url: 'https://a.test/{{other}}' } }, 'request.url'],
  ['an input in the host', { request: { method: 'GET', url: 'https://{{order_number}}.a.test/' } }, 'request.url'],
  ['a hidden host', { request: { method: 'GET', url: 'https:///{{order_number}}/' } }, 'request.url'],
  ['a header of ours as a credential', { auth: { type: 'header', name: 'Host', value: 'b.test' } }, 'auth.name'],
  [
    'a name that every object has',
    { inputs: [{ ...orderNumber, name: 'constructor' }], request: { method: 'GET', url: 'https://a.test/' } },
    'inputs.0.name',
  ],
  ['a URL with a password', { request: { method: 'GET', url: 'https://a:b@a.test/' } }, 'request.url'],
  ['a private address', { request: { method: 'GET', url: 'http://10.0.0.1/' } }, 'request.url'],
  [
    'text without quotes in the body',
    { request: { method: 'POST', url: 'https://a.test/', body: '{"n": {{order_number}}}' } },
    'request.body',
  ],
  ['a body that is no JSON', { request: { method: 'POST', url: 'https://a.test/', body: 'n=1' } }, 'request.body'],
  ['a body of GET', { request: { method: 'GET', url: 'https://a.test/', body: '{}' } }, 'request.body'],
  [
    'a header of ours',
    { request: { method: 'GET', url: 'https://a.test/', headers: { 'Webhook-Id': '1' } } },
    'request.headers',
  ],
  [
    'a line break in a header',
    { request: { method: 'GET', url: 'https://a.test/', headers: { a: 'b\r\nc: d' } } },
    'request.headers',
  ],
  ['no request', { request: null }, 'request'],
  ['a choice without choices', { inputs: [{ ...orderNumber, type: 'choice', pattern: null }] }, 'inputs.0.choices'],
  ['an invalid pattern', { inputs: [{ ...orderNumber, pattern: '(' }] }, 'inputs.0.pattern'],
  ['two inputs of one name', { inputs: [orderNumber, orderNumber] }, 'inputs.1.name'],
  ['an unknown name in the answer', { answer_template: 'It is {{status}}.' }, 'answer_template'],
  ['a huge sample', { sample: 'x'.repeat(40_000) }, 'sample'],
  ['a lead without contact details', { kind: 'lead', request: null, answer_template: null }, 'inputs'],
]

test('a definition that could not run is refused, and the field is named', async () => {
  const { owner, create } = await startActionBot('sqlite')
  for (const [what, change, path] of refusals) {
    const { status, body } = await create(orderStatus(owner, change))
    expect([what, status, body.error?.details?.[0]?.path]).toEqual([what, 400, path])
  }
})
