// Messages, leads and requests for a person under somebody else's session id, without their token: the conversation, the
// visitor, their leads and what they read stay as they were, and the caller learns nothing of them.
import type { ApiResponse } from '../../../server/test/harness/call.ts'
import { MANAGE } from '../../../server/test/harness/people.ts'
import { uploadForm } from '../../../server/test/harness/samples/route-samples.ts'
import { ADMIN_TOKEN } from '../../../server/test/harness/start-server.ts'
import { createVisitor, type TestVisitor } from '../../../server/test/harness/visitors.ts'
import { type PartOptions, type PartResult, startWatchedServer, type WatchedServer } from '../part.ts'
import { makeRandom, type Random } from './random.ts'

const BOT = `${MANAGE}/bots/{botId}`
const CANARY = 'ada@canary.example'
const token = ADMIN_TOKEN
const messages = [
  ...['When do you open?', 'I want to talk to a human', 'I want a refund', 'Thanks, bye', 'Wann öffnet ihr?', '?'],
  ...['My address is eve@evil.example', 'Call me: +43 664 1234567', 'What is the weather on Mars?', 'And then?'],
  ...['What is my address?', 'Email me a transcript', 'Yes, please', 'Delete my data', 'What did I just ask you?'],
]
const CALLS_PER_VICTIM = 10

interface Message {
  role: string
  unverified: boolean
}

export async function useForeignSessions({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const server = await startWatchedServer(engine)
  const { call, createBot } = server
  const { botId } = await createBot({ documents: [{ title: 'Hours', text: 'We open at nine.' }] })
  const other = await createBot()
  const params = { botId }
  await call(`PATCH ${BOT}`, { token, params, body: { handover: { keywords: ['refund'] } } })
  const problems: string[] = []
  const counts = { victims: 0, calls: 0, 'conversations of their own': 0, refused: 0 }
  for (let n = 0; counts.calls < times; n++) {
    const victim = await makeVictim(server, botId, random, `s${n}`)
    counts.victims++
    const strangers = [createVisitor(call, botId), createVisitor(call, other.botId)]
    for (const stranger of strangers) await stranger.say('Hello')
    for (let each = 0; each < CALLS_PER_VICTIM; each++, counts.calls++) {
      const before = await stateOf(server, botId, victim)
      const { route, answer: response } = await foreignCall(server, botId, victim.ids, strangers, random)
      const after = await stateOf(server, botId, victim)
      const problem = problemOf(response, victim.sessionId(), before === after ? null : `${before} became ${after}`)
      if (problem) problems.push(`${route}: ${problem}`)
      if (response.status >= 400) counts.refused++
      else if (response.body?.session_id !== victim.sessionId()) counts['conversations of their own']++
    }
  }
  return server.end({ counts, problems })
}

/** With a conversation at any stage. */
async function makeVictim({ call }: WatchedServer, botId: string, random: Random, sessionId: string) {
  const victim = createVisitor(call, botId)
  const first = await victim.say('When do you open?', {
    session_id: sessionId,
    page_url: 'https://shop.test/ada',
    locale: 'en',
  })
  if (random.chance(0.3)) await victim.say(`Write to me: ${CANARY}`)
  if (random.chance(0.3)) await victim.post('lead', { fields: { email: CANARY } })
  if (random.chance(0.5)) await victim.post('handover')
  const conversationId = await conversationOf(call, botId, sessionId)
  const params = { botId, conversationId }
  if (random.chance(0.3)) await call(`POST ${BOT}/conversations/{conversationId}/accept`, { token, params })
  if (random.chance(0.2))
    await call(`POST ${BOT}/conversations/{conversationId}/messages`, { token, params, body: { text: 'Hello Ada' } })
  if (random.chance(0.2)) await call(`POST ${BOT}/conversations/{conversationId}/close`, { token, params })
  const ids = { session_id: sessionId, answerId: first.body.message_id as string }
  return { ...victim, sessionId: () => sessionId, conversationId, ids }
}

async function conversationOf(call: WatchedServer['call'], botId: string, sessionId: string): Promise<string> {
  const { body } = await call(`GET ${BOT}/conversations`, { token, params: { botId }, query: { limit: 5 } })
  return body.items.find(({ session_id }: { session_id: string }) => session_id === sessionId).id
}

/** All of the conversation but the messages that came without the token, and what counts them. */
async function stateOf({ call }: WatchedServer, botId: string, victim: TestVisitor & { conversationId: string }) {
  const params = { botId, conversationId: victim.conversationId }
  const { body } = await call(`GET ${BOT}/conversations/{conversationId}`, { token, params })
  const { messages, message_count, last_message, last_visitor_message, updated_at, unread, ...conversation } = body
  const visitorMessages = messages.filter(({ role, unverified }: Message) => role !== 'bot' && !unverified)
  const visitorId: string = conversation.visitor?.id ?? ''
  const response = await call(`GET ${BOT}/visitors/{visitorId}`, { token, params: { botId, visitorId } })
  const { visitor, leads } = response.body
  const { body: history } = await victim.history()
  return JSON.stringify({ conversation, written: visitorMessages, visitor, leads, history })
}

async function foreignCall(
  { call }: WatchedServer,
  botId: string,
  { session_id, answerId }: { session_id: string; answerId: string },
  strangers: TestVisitor[],
  random: Random,
) {
  const visitorToken = random.pick(['', 'dct_visitor_invented', ...strangers.map((stranger) => stranger.token())])
  const headers = visitorToken ? { 'x-visitor-token': visitorToken } : {}
  const params = { botId }
  const more = {
    ...(random.chance(0.5) ? { page_url: 'https://evil.test/', locale: 'de' } : {}),
    ...(random.chance(0.5) ? { visitor: { name: 'Eve', email: 'eve@evil.example' } } : {}),
  }
  const routes = {
    message: { session_id, message: random.pick(messages), ...more },
    handover: { session_id, ...(random.chance(0.4) ? { action: 'end' } : {}) },
    lead: { session_id, fields: { email: 'eve@evil.example', name: 'Eve', message: 'Mine' } },
    rating: { session_id, stars: 1 + random.below(5), reason: 'Eve' },
    feedback: { message_id: answerId, rating: random.pick(['up', 'down']), reason: 'Eve' },
    transcript: { session_id },
    seen: { session_id },
    typing: undefined,
  }
  if (random.chance(0.1)) {
    const { raw, headers: form } = uploadForm('note.txt', 'Evil.')
    const options = { params, raw, headers: { ...form, ...headers }, query: { session_id } }
    return { route: 'attachments', answer: await call('POST /api/chat/{botId}/attachments', options) }
  }
  const route = random.chance(0.6) ? 'message' : random.pick(Object.keys(routes) as (keyof typeof routes)[])
  return { route, answer: await call(`POST /api/chat/{botId}/${route}`, { params, headers, body: routes[route] }) }
}

function problemOf({ status, body, text }: ApiResponse, sessionId: string, change: string | null): string | null {
  if (change) return change.slice(0, 6000)
  if (status >= 500) return `${status} ${text.slice(0, 200)}`
  if (text.includes(CANARY)) return `told ${CANARY}: ${text.slice(0, 300)}`
  const isForeign = body?.session_id === sessionId
  if (isForeign && (body.handover?.status !== 'none' || body.lead_form || body.visitor_token))
    return `told the state: ${text.slice(0, 500)}`
  return null
}
