// What an agent is offered as a reply, without a language model.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'
const token = ADMIN_TOKEN

const documents = [
  {
    id: 'returns',
    title: 'Returns',
    url: 'https://shop.test/returns',
    text: 'You can return unused goods within 30 days. Send them to our warehouse in Linz.',
  },
  { id: 'tents', title: 'Tents', url: 'https://shop.test/tents', text: 'Our tents sleep two to six people.' },
]

describe.each(engines)('suggested replies on %s', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    const environment = { WIDGET_SESSIONS_PER_HOUR: '1000', WIDGET_MESSAGES_PER_MINUTE: '1000' }
    server = await startServer(engine, { environment, onEnd: afterAll })
  })

  async function openBot() {
    const { call } = server
    const { botId, workspaceId } = await server.createBot({ documents })
    const manage = async (route: string, conversationId = '', body?: object) => {
      const params = { botId, workspaceId, conversationId }
      const response = await call(route, { token, params, ...(body ? { body } : {}) })
      expect(response.status, response.text).toBeLessThan(300)
      return response.body
    }
    /** A visitor asks, and the conversation they are in. */
    const ask = async (...messages: string[]) => {
      const visitor = createVisitor(call, botId)
      for (const message of messages) await visitor.say(message)
      const { items } = await manage('GET /api/manage/v1/bots/{botId}/conversations')
      return items.find(({ session_id }: { session_id: string }) => session_id === visitor.sessionId()).id as string
    }
    /** A conversation that an agent has answered and resolved. */
    const resolve = async (question: string, ...replies: string[]) => {
      const id = await ask(question)
      for (const text of replies) await manage(`POST ${ONE}/messages`, id, { text })
      await manage(`PATCH ${ONE}`, id, { status: 'resolved' })
      return id
    }
    const suggest = (id: string) => manage(`GET ${ONE}/suggestions`, id)
    return { manage, ask, resolve, suggest }
  }

  test("the bot's answer comes first, with its source, for the last message that asks something", async () => {
    const { ask, suggest } = await openBot()
    const id = await ask('Within how many days can I return goods?', 'I want to talk to a human', 'thanks')
    const suggestions = await suggest(id)
    expect(suggestions.question).toBe('Within how many days can I return goods?')
    expect(suggestions.answers[0].text).toContain('within 30 days')
    expect(suggestions.answers[0].sources).toEqual([{ title: 'Returns', url: 'https://shop.test/returns' }])
    expect(suggestions.answers[0].confidence).toBeGreaterThan(0.5)
  })

  test("an agent's reply to a similar question is found in resolved conversations, the whole of it and once", async () => {
    const { manage, ask, resolve, suggest } = await openBot()
    const earlier = await resolve(
      'My tent pole is broken, can I get a spare one?',
      'Sorry to hear that!',
      'We send one.',
    )
    await resolve('A broken tent pole, where do I get a spare one?', 'Sorry to hear that!', 'We send one.')
    await resolve('Do you have gift cards?', 'We do.')
    const openQuestion = await ask('My tent has a broken pole, do you have a spare?')
    await manage(`POST ${ONE}/messages`, openQuestion, { text: 'One moment, please.' })
    const id = await ask('Hello', 'The pole of my tent is broken. Is there a spare one?')
    const { past_replies: replies } = await suggest(id)
    expect(replies.map(({ text }: { text: string }) => text)).toEqual(['Sorry to hear that!\n\nWe send one.'])
    expect(replies[0].agent_name).not.toBeNull()
    // Not its own.
    expect((await suggest(earlier)).past_replies).not.toContainEqual(
      expect.objectContaining({ conversation_id: earlier }),
    )
  })

  test('only the beginning of a past question counts, and only the newest messages are read', async () => {
    const { ask, resolve, suggest } = await openBot()
    const beginning = 'My tent pole is broken, can I get a spare one? '.repeat(7)
    const others = Array.from({ length: 100 }, (_, at) => `lantern${at} compass${at}`).join(' ')
    await resolve(beginning + others, 'We send one.')
    const newer = await resolve('Do you have gift cards?', 'We do.')
    const id = await ask('My tent pole is broken, can I get a spare one?')
    const pastReplies = (await suggest(id)).past_replies
    expect(pastReplies).toMatchObject([{ question: beginning.slice(0, 300), text: 'We send one.' }])
    // As many as are read, all of them newer.
    await runStatement(
      server.database,
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 2000)
       INSERT INTO messages (bot_id, conversation_id, id, role, text, created_at)
       SELECT bot_id, conversation_id, id || n, role, 'We do.', created_at FROM messages, counted
       WHERE conversation_id = '${newer}' AND role = 'agent'`,
    )
    expect((await suggest(id)).past_replies).toEqual([])
  })

  test('canned replies are ranked by the question, and those about something else are left out', async () => {
    const { manage, ask, suggest } = await openBot()
    const add = (shortcut: string, text: string) =>
      manage('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', '', { shortcut, text })
    await add('invoice', 'You find every invoice in your account.')
    await add('warranty', 'Every tent comes with a warranty of two years.')
    await add('hello', 'Hello, how can I help?')
    const suggestions = await suggest(await ask('Where do I find my invoice?'))
    expect(suggestions.canned_replies.map(({ shortcut }: { shortcut: string }) => shortcut)).toEqual(['invoice'])
  })

  test('a conversation without a question gets no suggestions', async () => {
    const { ask, suggest } = await openBot()
    const { question, answers, past_replies, canned_replies } = await suggest(await ask('Hello'))
    expect([question, answers, past_replies, canned_replies]).toEqual([null, [], [], []])
  })
})
