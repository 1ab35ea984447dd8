// The demo bot's own two actions, there from the first start.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { createTestDatabase } from '../harness/start-process.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { ACTION, ACTIONS } from './action-bot.ts'

const token = ADMIN_TOKEN
const botId = 'bot_demo'
const params = { botId }

describe.each(engines)('the demo on %s', (engine) => {
  test('tells the status of its fictional orders, and takes a request to be called back', async () => {
    const { call, baseUrl } = await startServer(engine, { environment: { DEMO_BOT: 'on' } })
    const actionList = await call(`GET ${ACTIONS}`, { token, params })
    expect(actionList.body.items.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['Book a callback', 'live'],
      ['Order status', 'live'],
    ])
    const visitor = createVisitor(call, botId)
    const order = await visitor.say('Where is my order 10421?')
    expect(order.body).toMatchObject({ action: { status: 'done' } })
    expect(order.body.reply).toMatch(/Order 10421 is on its way\..*fictional/)
    expect((await visitor.say('Where is my order?')).body.reply).toContain('10421, 10422 or 10423')
    await visitor.say('never mind')
    await visitor.say('Please call me back')
    await visitor.say('Ada Example')
    expect((await visitor.say('+43 1 234567')).body).toMatchObject({ action: { status: 'confirming' } })
    expect((await visitor.say('yes')).body).toMatchObject({ action: { status: 'done' } })
    const leads = await call('GET /api/manage/v1/bots/{botId}/leads', { token, params })
    expect(leads.body.items).toMatchObject([{ name: 'Ada Example', phone: '+43 1 234567' }])
    expect(await (await fetch(`${baseUrl}/demo/api/orders/10423`)).json()).toMatchObject({ status: 'delivered' })
  })

  test('an action of the demo can be changed, and once deleted stays deleted', async () => {
    const database = await createTestDatabase(engine)
    const environment = { DEMO_BOT: 'on', BASE_URL: 'http://localhost:8080' }
    const first = await startServer(engine, { database, environment })
    const ofAction = { botId, actionId: 'act_demo_order_status' }
    const updateResponse = await first.call(`PATCH ${ACTION}`, { token, params: ofAction, body: { name: 'Orders' } })
    expect([updateResponse.status, updateResponse.body.name]).toEqual([200, 'Orders'])
    const testRun = await first.call(`POST ${ACTION}/test`, {
      token,
      params: ofAction,
      body: { inputs: { order_number: '10422' } },
    })
    expect(testRun.body).toMatchObject({ outcome: 'completed', response: { status: 'being packed' } })
    await first.call(`DELETE ${ACTION}`, { token, params: ofAction })
    await first.stop()
    const second = await startServer(engine, { database, environment })
    expect((await second.call(`GET ${ACTIONS}`, { token, params })).body.items).toHaveLength(1)
    await second.stop()
  })
})
