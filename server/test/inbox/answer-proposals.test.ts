// "Add to knowledge": what an agent replied waits as a proposed answer until an editor approves or rejects it.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { joinWorkspace } from '../harness/people.ts'
import { startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const BOT = '/api/manage/v1/bots/{botId}'
const PROPOSALS = `${BOT}/answer-proposals`
const QUESTION = 'Do you mend lamps from the nineties?'
const REPLY = 'We do, if the socket is an E27. Bring it to the workshop.'

async function withReply(engine: Engine) {
  const server = await startServer(engine)
  const { botId, workspaceId, key } = await server.createBot()
  const editor = await joinWorkspace(server.call, workspaceId, 'editor', 'vera@example.test')
  const agent = await joinWorkspace(server.call, workspaceId, 'agent', 'grace@example.test')
  const as =
    ({ call }: typeof editor) =>
    (route: string, body?: object, params: Record<string, string> = {}) =>
      call(route, { params: { botId, ...params }, ...(body ? { body } : {}) })
  const visitor = createVisitor(server.call, botId)
  await visitor.say(QUESTION)
  await visitor.say('hello?')
  const { items } = (await as(agent)(`GET ${BOT}/conversations`)).body
  const conversationId = items[0].id as string
  const say = async (text: string) =>
    (await as(agent)(`POST ${BOT}/conversations/{conversationId}/messages`, { text }, { conversationId })).body
      .id as string
  const messageId = await say(REPLY)
  const ids = { conversation_id: conversationId, message_id: messageId }
  const ask = async (message: string) =>
    (await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })).body.response
  return { ...server, botId, editor: as(editor), agent: as(agent), visitor, ids, say, ask }
}

describe.each(engines)('proposed answers on %s', (engine) => {
  test('wait with the question and the reply, are not used, and become a curated answer when approved', async () => {
    const { agent, editor, ids, ask } = await withReply(engine)
    const proposal = await agent(`POST ${PROPOSALS}`, ids)
    expect([proposal.status, proposal.body]).toEqual([
      201,
      {
        id: expect.any(String),
        question: QUESTION,
        answer: REPLY,
        ...ids,
        proposed_by: expect.any(String),
        created_at: expect.any(String),
      },
    ])
    expect((await agent(`POST ${PROPOSALS}`, ids)).body).toEqual(proposal.body)
    expect((await editor(`GET ${PROPOSALS}`)).body.items).toEqual([proposal.body])
    expect(await ask(QUESTION)).not.toContain('E27')

    const proposalId = proposal.body.id as string
    const body = { question: QUESTION, answer: `${REPLY} Thank you!` }
    const response = await agent(`POST ${PROPOSALS}/{proposalId}/approve`, body, { proposalId })
    expect(response.body.error.code).toBe('role_required')
    const approvals = await Promise.all(
      [1, 2].map(() => editor(`POST ${PROPOSALS}/{proposalId}/approve`, body, { proposalId })),
    )
    expect(approvals.map(({ status }) => status).toSorted()).toEqual([201, 404])
    expect((await editor(`GET ${BOT}/answers`)).body.items).toMatchObject([body])
    expect((await editor(`GET ${PROPOSALS}`)).body.items).toEqual([])
    expect(await ask(QUESTION)).toBe(`${REPLY} Thank you!`)
  })

  test('can be rejected by editors only, and are gone with their conversation', async () => {
    const { agent, editor, ids, say } = await withReply(engine)
    const first = (await agent(`POST ${PROPOSALS}`, ids)).body.id as string
    await agent(`POST ${PROPOSALS}`, { ...ids, message_id: await say('Until six.') })
    const one = { proposalId: first }
    expect((await agent(`DELETE ${PROPOSALS}/{proposalId}`, undefined, one)).status).toBe(403)
    expect((await editor(`DELETE ${PROPOSALS}/{proposalId}`, undefined, one)).status).toBe(204)
    expect((await editor(`DELETE ${PROPOSALS}/{proposalId}`, undefined, one)).status).toBe(404)
    expect((await editor(`GET ${PROPOSALS}`)).body.items).toMatchObject([{ answer: 'Until six.' }])
    const params = { conversationId: ids.conversation_id }
    await editor(`DELETE ${BOT}/conversations/{conversationId}`, undefined, params)
    expect((await editor(`GET ${PROPOSALS}`)).body.items).toEqual([])
  })

  test('are made of agents’ replies only, and of replies of that conversation', async () => {
    const { agent, ids } = await withReply(engine)
    const route = `GET ${BOT}/conversations/{conversationId}`
    const { messages } = (await agent(route, undefined, { conversationId: ids.conversation_id })).body
    for (const { id, role } of messages) {
      const { status } = await agent(`POST ${PROPOSALS}`, { ...ids, message_id: id })
      expect([role, status]).toEqual([role, role === 'agent' ? 201 : 404])
    }
    expect((await agent(`POST ${PROPOSALS}`, { ...ids, conversation_id: 'cnv_other' })).status).toBe(404)
  })
})
