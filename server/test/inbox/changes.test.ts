// What was done with a conversation, by whom and when.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { joinWorkspace } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'

async function openConversation(engine: (typeof engines)[number]) {
  const server = await startServer(engine)
  const { call } = server
  const { botId, workspaceId } = await server.createBot({})
  const visitor = createVisitor(call, botId)
  await visitor.say('I want to talk to a human, please')
  const { body } = await call('GET /api/manage/v1/bots/{botId}/conversations', {
    token: ADMIN_TOKEN,
    params: { botId },
  })
  const params = { botId, conversationId: body.items[0].id as string }
  const agent = await joinWorkspace(call, workspaceId, 'agent', 'grace@example.test')
  const act = async (route: string, request: object = {}) => {
    const response = await agent.call(route, { params, ...request })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const changes = async () => {
    const { changes: changeList } = await act(`GET ${ONE}`)
    return changeList.map(({ kind, by, value }: { kind: string; by: string | null; value: string | null }) => [
      kind,
      by,
      value,
    ])
  }
  return { call, visitor, params, act, changes }
}

describe.each(engines)('changes of a conversation on %s', (engine) => {
  test('each step is kept once, with who made it; what changes nothing is not', async () => {
    const { visitor, act, changes } = await openConversation(engine)
    await act(`POST ${ONE}/accept`)
    await act(`POST ${ONE}/accept`)
    const me = (await act(`GET ${ONE}`)).handover.agent_name
    await act(`PATCH ${ONE}`, { body: { add_tags: ['vip', 'vip'] } })
    await act(`PATCH ${ONE}`, { body: { add_tags: ['vip'] } })
    await act(`PATCH ${ONE}`, { body: { remove_tags: ['vip', 'unknown'] } })
    await act(`PATCH ${ONE}`, { body: { status: 'resolved' } })
    await act(`PATCH ${ONE}`, { body: { status: 'open' } })
    const until = '2999-01-01T00:00:00.000Z'
    await act(`PATCH ${ONE}`, { body: { snoozed_until: until } })
    await act(`PATCH ${ONE}`, { body: { snoozed_until: null } })
    await act(`PATCH ${ONE}`, { body: { assignee_id: null } })
    await act(`POST ${ONE}/messages`, { body: { text: 'Hello' } })
    await act(`POST ${ONE}/close`)
    await visitor.post('handover')
    await visitor.post('handover', { action: 'end' })
    expect(await changes()).toEqual([
      ['requested', null, 'visitor_request'],
      ['taken_over', me, null],
      ['tagged', me, 'vip'],
      ['untagged', me, 'vip'],
      ['resolved', me, null],
      ['reopened', me, null],
      ['snoozed', me, until],
      ['woken', me, null],
      ['unassigned', me, null],
      ['taken_over', me, null],
      ['handed_back', me, null],
      ['requested', null, 'visitor_request'],
      ['handed_back', null, null],
    ])
  })

  test('they are deleted with the conversation', async () => {
    const { call, params, changes } = await openConversation(engine)
    expect(await changes()).toHaveLength(1)
    const token = ADMIN_TOKEN
    expect((await call(`DELETE ${ONE}`, { token, params })).status).toBe(204)
    expect((await call(`GET ${ONE}`, { token, params })).status).toBe(404)
  })
})
