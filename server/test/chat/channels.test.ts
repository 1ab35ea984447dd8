// Every channel gives the same answer to the same question and history, on the demo shop's content.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'

interface Reply {
  text: string
  sources: object[]
  confidence: number
  decision: string
}

/** Asks the next question of a conversation that the channel keeps, or that the caller keeps and sends again. */
type Ask = (message: string) => Promise<Reply>

const botId = 'bot_demo'
const dialogues = {
  'pages and products': [
    'How long does a parcel to Spain take?',
    'And to Switzerland?',
    'Which jackets do you have under 200 euros?',
    'Which of them is the cheapest?',
    'Can I return it if it does not fit?',
  ],
  'a product and what is asked of it': [
    'Hello!',
    'Do you have the Skarv shell jacket?',
    'How heavy is it?',
    'and in blue?',
    'What does standard shipping to Austria cost?',
  ],
  'questions without an answer in between': [
    'I changed my mind about a rucksack, how many days have I got to send it back?',
    'Who won the world cup in 1954?',
    'Is that free from France?',
    'I would like to talk to a human',
    'And when will I get my money back?',
  ],
  German: [
    'Wie lange dauert der Versand nach Österreich?',
    'Und was kostet das?',
    'Welche Zelte habt ihr unter 400 Euro?',
    'Wie schwer ist das erste?',
    'Kann ich es zurückgeben?',
  ],
}

function chatApi({ call }: TestServer, key: string): Ask {
  let session: object = {}
  return async (message) => {
    const { body } = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message, ...session } })
    session = { session_id: body.session_id }
    return toReply(body.response, body)
  }
}

function widget({ call }: TestServer): Ask {
  const visitor = createVisitor(call, botId)
  const page = { page_url: 'https://shop.test/tents', locale: 'en-IE' }
  return async (message) => {
    const { body } = await visitor.say(message, page)
    return toReply(body.reply, body)
  }
}

/** Without a session: the caller sends all messages again, as OpenAI's clients do. */
function openAi({ call }: TestServer, key: string): Ask {
  const messages: object[] = [{ role: 'system', content: 'You are a helpful assistant.' }]
  return async (content) => {
    messages.push({ role: 'user', content })
    const { body } = await call('POST /v1/chat/completions', { token: key, body: { model: 'docent', messages } })
    const text: string = body.choices[0].message.content
    messages.push({ role: 'assistant', content: text })
    return toReply(text.replace(/\n\n---\n- [\s\S]*$/, ''), body)
  }
}

async function mcp({ baseUrl }: TestServer, key: string): Promise<Ask> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }))
  let session: object = {}
  return async (question) => {
    const result = await client.callTool({ name: 'ask', arguments: { question, ...session } })
    const answer = result.structuredContent as { response: string; session_id: string } & Omit<Reply, 'text'>
    session = { session_id: answer.session_id }
    return toReply(answer.response, answer)
  }
}

/** As the dashboard does. */
function playground({ call }: TestServer): Ask {
  const history: object[] = []
  return async (message) => {
    const body = { message, history }
    const answer = await call('POST /api/manage/v1/bots/{botId}/try', { token: ADMIN_TOKEN, params: { botId }, body })
    const { response: text, document_ids, product_ids, answered } = answer.body
    history.push({ role: 'user', text: message }, { role: 'assistant', text, document_ids, product_ids, answered })
    return toReply(text, answer.body)
  }
}

function toReply(text: string, { sources, confidence, decision }: Omit<Reply, 'text'>): Reply {
  return { text, sources, confidence, decision }
}

async function startDemo(engine: Engine) {
  const server = await startServer(engine, { environment: { DEMO_BOT: 'on' } })
  // Otherwise the widget adds to the second question without an answer that it has been passed on.
  const body = { handover: { enabled: true, on_low_confidence: false } }
  await server.call('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, params: { botId }, body })
  return { server, key: readFileSync(join(server.database.dataDir, 'demo-key'), 'utf8').trim() }
}

async function replies(ask: Ask, questions: string[]): Promise<Reply[]> {
  const replyList: Reply[] = []
  for (const question of questions) replyList.push(await ask(question))
  return replyList
}

describe.each(engines)('the same dialogue on %s', (engine) => {
  test.each(Object.entries(dialogues))('gets the same replies through every channel: %s', async (_, questions) => {
    const { server, key } = await startDemo(engine)
    // First, so that it cannot recognise the replies of other channels.
    const expected = await replies(openAi(server, key), questions)
    expect(await replies(chatApi(server, key), questions), 'chat API').toEqual(expected)
    expect(await replies(await mcp(server, key), questions), 'MCP').toEqual(expected)
    expect(await replies(playground(server), questions), 'playground').toEqual(expected)
    // Only the widget can hand over to a person, and then says so.
    const isForPerson = (index: number) => expected[index]?.decision === 'person'
    const withoutHandover = (replyList: Reply[]) => replyList.filter((_, index) => !isForPerson(index))
    expect(withoutHandover(await replies(widget(server), questions)), 'widget').toEqual(withoutHandover(expected))
  })
})
