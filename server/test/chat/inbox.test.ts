// The team inbox: one list over all bots, assignments, and concurrent changes by two agents.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { startServer, type TestServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const documents = [{ id: 'returns', title: 'Returns', text: 'You can return every item within 30 days.' }]
const W = '/api/manage/v1/workspaces/{workspaceId}'
const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'
const HUMAN = 'I want to talk to a human, please'

type Listed = { id: string; bot_id: string }

/** Creates a new workspace. */
async function withTeam({ call, createBot, clock }: TestServer) {
  const { botId, workspaceId } = await createBot({ documents })
  const grace = await createMember(call, workspaceId, 'agent', 'Grace')
  const alan = await createMember(call, workspaceId, 'agent', 'Alan')
  const viewer = await createMember(call, workspaceId, 'viewer', 'Vera')
  const list = async (query = {}, token = grace.token) =>
    (await call(`GET ${W}/conversations`, { token, params: { workspaceId }, query })).body.items
  const of = ({ id, bot_id }: Listed) => ({ botId: bot_id, conversationId: id })
  const change = (conversation: Listed, body: object, token = grace.token) =>
    call(`PATCH ${ONE}`, { token, params: of(conversation), body })
  const post = (what: string, conversation: Listed, body?: object, token = grace.token) =>
    call(`POST ${ONE}/${what}`, { token, params: of(conversation), ...(body ? { body } : {}) })
  const pass = (ms: number) => {
    clock.now += ms
  }
  const visitor = (id = botId) => createVisitor(call, id)
  return { botId, workspaceId, grace, alan, viewer, list, change, post, pass, visitor }
}

describe.each(engines)('the team inbox on %s', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    const environment = { WIDGET_SESSIONS_PER_HOUR: '1000', WIDGET_REQUESTS_PER_MINUTE: '100000' }
    server = await startServer(engine, { environment, onEnd: afterAll })
  })

  test('a message names the same member as the list', async () => {
    const { grace, list, post, visitor } = await withTeam(server)
    await visitor().say(HUMAN)
    const [conversation] = await list()
    const message = await post('messages', conversation, { text: 'Hello Ada' })
    expect(message.body).toMatchObject({ role: 'agent', agent_id: grace.memberId })
    const params = { botId: conversation.bot_id, conversationId: conversation.id }
    const { body } = await server.call(`GET ${ONE}/messages`, { token: grace.token, params })
    expect(body.messages[0].agent_id).toBeNull()
    expect(body.messages.at(-1)).toMatchObject({ role: 'agent', agent_id: grace.memberId })
    expect((await list())[0].assignee.id).toBe(grace.memberId)
  })

  test('a question without an answer stays marked when the visitor says thanks, until it has one', async () => {
    const { list, post, visitor } = await withTeam(server)
    const ada = visitor()
    await ada.say('What is the capital of Mongolia?')
    await ada.say('thanks')
    expect((await list())[0]).toMatchObject({ unanswered: true })
    await ada.say('Within how many days can I return an item?')
    expect((await list())[0]).toMatchObject({ unanswered: false })
    await ada.say('What is the capital of Mongolia?')
    const [conversation] = await list({ unanswered: 'true' })
    await post('messages', conversation, { text: 'Ulaanbaatar' })
    await post('close', conversation)
    expect((await list())[0]).toMatchObject({ unanswered: false, handover: { status: 'closed' } })
  })

  test('lists the conversations of all bots of the workspace, with read marks and filters', async () => {
    const { call, adminToken: token } = server
    const { botId, workspaceId, grace, alan, viewer, list, change, post, pass, visitor } = await withTeam(server)
    const second = await call('POST /api/manage/v1/bots', {
      token,
      body: { name: 'Second', workspace_id: workspaceId },
    })
    const otherBot = { botId: second.body.id as string }
    const foreign = await server.createBot()
    const ada = visitor()
    await ada.say(HUMAN)
    pass(1000)
    await visitor(otherBot.botId).say('What is the capital of Mongolia?')
    pass(1000)
    await visitor(foreign.botId).say(HUMAN)

    const [unanswered, conversation] = await list()
    expect(await list()).toHaveLength(2)
    expect([unanswered.bot_id, conversation.bot_id]).toEqual([otherBot.botId, botId])
    expect(conversation).toMatchObject({
      status: 'open',
      unread: true,
      last_visitor_message: { text: HUMAN },
      assignee: null,
    })
    expect(unanswered).toMatchObject({ status: 'bot', unread: false, unanswered: true })
    expect((await list({ bot_id: otherBot.botId })).map(({ id }: Listed) => id)).toEqual([unanswered.id])
    expect(await list({ bot_id: foreign.botId })).toEqual([])
    const page = await call(`GET ${W}/conversations`, {
      token: grace.token,
      params: { workspaceId },
      query: { limit: '1' },
    })
    const cursor = page.body.next_cursor
    expect((await list({ limit: '1', cursor })).map(({ id }: Listed) => id)).toEqual([conversation.id])

    await post('read', conversation, {}, viewer.token)
    expect((await list({ status: 'open' }, viewer.token))[0].unread).toBe(false)
    expect((await list({ status: 'open' }))[0]).toMatchObject({ unread: true, seen: { by_agent: null } })
    await post('read', conversation, {})
    expect((await list({ status: 'open' }))[0]).toMatchObject({ unread: false, seen: { by_agent: expect.any(String) } })
    expect((await list({ status: 'open' }, alan.token))[0].unread).toBe(true)
    pass(1000)
    await ada.say('Hello?')
    expect((await list({ status: 'open' }))[0].unread).toBe(true)

    expect(
      (await change(conversation, { assignee_id: alan.memberId, add_tags: ['billing', ' vip '] })).body,
    ).toMatchObject({
      assignee: { id: alan.memberId, name: 'Alan' },
      tags: ['billing', 'vip'],
      handover: { status: 'requested' },
    })
    expect(await list({ assignee: 'me' })).toEqual([])
    expect(await list({ assignee: 'me', tag: 'vip', status: 'open' }, alan.token)).toHaveLength(1)
    expect(await list({ assignee: 'none' })).toHaveLength(1)
    await change(conversation, { remove_tags: ['vip'] })
    const many = (from: number) => ({ add_tags: Array.from({ length: 20 }, (_, n) => `tag ${from + n}`) })
    // With "billing" they would be 21.
    expect((await change(conversation, many(0))).status).toBe(400)
    expect((await change(conversation, { add_tags: many(0).add_tags.slice(0, 19) })).body.tags).toHaveLength(20)
    expect((await change(conversation, { add_tags: ['one more'] })).status).toBe(400)
    expect((await change(conversation, { add_tags: ['swapped'], remove_tags: ['tag 0'] })).status).toBe(200)
    for (const tags of [['swapped'], many(0).add_tags]) await change(conversation, { remove_tags: tags })
    const inbox = await call(`GET ${W}/inbox`, { token: viewer.token, params: { workspaceId } })
    expect(inbox.body).toMatchObject({ me: viewer.memberId, tags: [{ name: 'billing', conversations: 1 }] })
    expect(inbox.body.agents.map(({ name, open }: { name: string; open: number }) => [name, open])).toEqual([
      ['Alan', 1],
      ['Grace', 0],
    ])
    expect((await change(conversation, { assignee_id: viewer.memberId })).status).toBe(400)
    expect(await list({ unanswered: 'true' })).toHaveLength(1)

    const filters = [{ name: 'Mine', query: { assignee: 'me', status: 'open' } }]
    const options = { token: grace.token, params: { workspaceId } }
    expect((await call(`PUT ${W}/saved-filters`, { ...options, body: { filters } })).body).toEqual({ filters })
    expect((await call(`GET ${W}/saved-filters`, options)).body).toEqual({ filters })
    expect((await call(`GET ${W}/saved-filters`, { ...options, token: alan.token })).body).toEqual({ filters: [] })

    const alanIds = { token, params: { workspaceId, memberId: alan.memberId } }
    await call(`PATCH ${W}/members/{memberId}`, { ...alanIds, body: { role: 'viewer' } })
    expect((await list({ status: 'open' }))[0].assignee).toBeNull()
    await call(`PATCH ${W}/members/{memberId}`, { ...alanIds, body: { role: 'agent' } })
    expect((await change(conversation, { assignee_id: alan.memberId })).status).toBe(200)
    await call(`DELETE ${W}/members/{memberId}`, alanIds)
    expect((await list({ status: 'open' }))[0].assignee).toBeNull()
  })

  test('exports everything that matches a filter as CSV, and deletes a conversation with all its data', async () => {
    const { call, database, adminToken: token } = server
    const { botId, workspaceId, grace, viewer, list, change, visitor } = await withTeam(server)
    const editor = await createMember(call, workspaceId, 'editor', 'Ed')
    const mallory = visitor()
    await mallory.say(HUMAN, { visitor: { name: '=cmd()' } })
    await mallory.post('lead', { fields: { email: 'mallory@planted.example' } })
    for (const message of ['What;=sum()?', 'And this?', 'What, then, is "planted"?']) await visitor().say(message)
    const [conversation] = await list({ status: 'open' })
    await change(conversation, { add_tags: ['vip', '+1'] })
    const csv = async (route: string, params: Record<string, string>, query: object) =>
      call(`GET ${route}/conversations`, { token: viewer.token, params, query: { ...query, format: 'csv' } })
    const all = await csv(W, { workspaceId }, { limit: 1 })
    expect(all.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = all.text.trim().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(/^id,bot_id,created_at,/)
    expect(lines[1]).toContain('"What, then, is ""planted""?"')
    // In locales that separate cells by semicolons, this cell would begin with the formula.
    expect(all.text).toContain(`"What;'=sum()?"`)
    const taggedCsv = (await csv('/api/manage/v1/bots/{botId}', { botId }, { tag: 'vip' })).text
    expect(taggedCsv.trim().split('\r\n')).toHaveLength(2)
    expect(taggedCsv).toContain(`,"'+1; vip",widget,`)
    expect(taggedCsv).toContain(`,'=cmd(),`)
    expect((await csv(W, { workspaceId: 'wsp_foreign' }, {})).status).toBe(404)

    const remove = (memberToken: string) =>
      call(`DELETE ${ONE}`, { token: memberToken, params: { botId, conversationId: conversation.id } })
    expect((await remove(grace.token)).status).toBe(403)
    expect((await remove(editor.token)).status).toBe(204)
    expect((await remove(editor.token)).status).toBe(404)
    expect(await list()).toHaveLength(3)
    for (const table of ['conversations', 'messages', 'conversation_tags', 'leads', 'visitors', 'deliveries'])
      expect(JSON.stringify(await queryRows(database, `SELECT * FROM ${table}`)), table).not.toMatch(
        /=cmd|mallory@planted/,
      )
    const log = await call(`GET ${W}/audit`, { token, params: { workspaceId }, query: { q: conversation.id } })
    expect(log.body.items.map(({ action }: { action: string }) => action)).toContain('conversation.deleted')
  })

  test('a snoozed conversation reopens when due or when the visitor writes; a resolved one goes back to the bot', async () => {
    const { list, change, post, pass, visitor } = await withTeam(server)
    const ada = visitor()
    const now = () => server.clock.now
    await ada.say(HUMAN)
    const [conversation] = await list()
    await post('accept', conversation, { expected_agent_id: null })
    await post('messages', conversation, { text: 'One moment' })
    const later = () => new Date(now() + 3_600_000).toISOString()
    const states = async () =>
      (await Promise.all(['open', 'snoozed', 'resolved'].map((status) => list({ status })))).map(({ length }) => length)

    expect((await change(conversation, { snoozed_until: later() })).body).toMatchObject({
      status: 'snoozed',
      unread: false,
    })
    expect(await states()).toEqual([0, 1, 0])
    pass(3_600_001)
    expect(await states()).toEqual([1, 0, 0])
    expect((await list({ status: 'open' }))[0].unread).toBe(true)
    await change(conversation, { snoozed_until: later() })
    pass(1000)
    await ada.say('Are you there?')
    expect(await states()).toEqual([1, 0, 0])
    expect((await change(conversation, { snoozed_until: new Date(now() - 1).toISOString() })).status).toBe(400)

    const snoozes = [1, 2].map((hours) => ({ snoozed_until: new Date(now() + hours * 3_600_000).toISOString() }))
    const responses = await Promise.all(snoozes.map((one) => change(conversation, { ...one, expected_status: 'open' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    await change(conversation, { snoozed_until: null })

    const response = await change(conversation, { status: 'resolved', expected_status: 'open' })
    expect(response.body).toMatchObject({
      status: 'resolved',
      handover: { status: 'closed' },
      assignee: { name: 'Grace' },
    })
    expect(await states()).toEqual([0, 0, 1])
    expect((await ada.say('How many days do I have to return an item?')).body.reply).toContain('30 days')
    expect(await states()).toEqual([0, 0, 1])
    expect((await change(conversation, { status: 'open' })).body.status).toBe('open')
    await change(conversation, { status: 'resolved' })
    await ada.say(HUMAN)
    expect(await states()).toEqual([1, 0, 0])
  })

  test('two agents who share 200 conversations never undo each other’s changes: one succeeds, the other gets a conflict', async () => {
    const { grace, alan, list, change, post, visitor } = await withTeam(server)
    const ask = () => visitor().post('handover')
    for (let count = 0; count < 200; count += 20) await Promise.all(Array.from({ length: 20 }, ask))
    const all = await list({ limit: '200', status: 'open' })
    expect(all).toHaveLength(200)
    const winners = { grace: 0, alan: 0 }
    for (let at = 0; at < 200; at += 20)
      await Promise.all(
        all.slice(at, at + 20).map(async (conversation: Listed, index: number) => {
          const responses = await Promise.all(
            index % 2
              ? [grace, alan].map(({ memberId, token }) =>
                  change(conversation, { assignee_id: memberId, expected_assignee_id: null }, token),
                )
              : [grace, alan].map(({ token }) => post('accept', conversation, { expected_agent_id: null }, token)),
          )
          expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
          const refusal = responses.find(({ status }) => status === 409)
          expect(refusal?.body.error.code).toBe('conversation_changed')
          winners[responses[0]?.status === 200 ? 'grace' : 'alan']++
        }),
      )
    const ownLists = await Promise.all([grace, alan].map(({ token }) => list({ assignee: 'me', limit: '200' }, token)))
    expect(ownLists.map(({ length }) => length)).toEqual([winners.grace, winners.alan])
    await Promise.all(
      all.slice(0, 20).map(async (conversation: Listed) => {
        const resolution = { status: 'resolved', expected_status: 'open', add_tags: ['done'] }
        const responses = await Promise.all([grace, alan].map(({ token }) => change(conversation, resolution, token)))
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
      }),
    )
    expect(await list({ status: 'resolved', tag: 'done', limit: '200' })).toHaveLength(20)
  })

  test('both sides see at once who types, who has seen what, and what another agent changed', async () => {
    const { botId, workspaceId, grace, alan, list, change, post, visitor: visit } = await withTeam(server)
    const ada = visit()
    await ada.say(HUMAN)
    const [conversation] = await list()
    const team = await openStream(`${server.baseUrl}/api/manage/v1/workspaces/${workspaceId}/events`, {
      authorization: `Bearer ${alan.token}`,
    })
    const visitor = await openStream(`${server.baseUrl}/api/chat/${botId}/events`, { 'x-visitor-token': ada.token() })
    await post('typing', conversation)
    await post('read', conversation, {})
    await visitor.waitForEvent('typing')
    await visitor.waitForEvent('seen')
    expect((await ada.history()).body.seen_until).toEqual(
      visitor.events.find(({ name }) => name === 'seen')?.data.until,
    )
    await ada.post('typing')
    await ada.post('seen', {})
    await change(conversation, { assignee_id: grace.memberId })
    await team.waitForEvent('typing', 2)
    await team.waitForEvent('seen', 2)
    await waitFor(() => team.events.some(({ data }) => data.kind === 'change'), 'the change')
    const subject = { bot_id: botId, conversation_id: conversation.id }
    expect(team.events).toContainEqual({ name: 'typing', data: { ...subject, by: 'visitor' } })
    expect(team.events).toContainEqual({ name: 'seen', data: { ...subject, by: 'visitor', until: expect.any(String) } })
    expect(team.events).toContainEqual({ name: 'conversation', data: { ...subject, kind: 'change' } })
    expect((await list())[0].seen.by_visitor).toEqual(expect.any(String))
  })
})
