// Clients that ask for large responses and read nothing, from several addresses: memory stays bounded, others are
// served meanwhile, and the memory is returned afterwards.

import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { MANAGE } from '../../server/test/harness/people.ts'
import { createTestDatabase, type StartedProcess, startProcess } from '../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, type TestBot } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { pause } from '../../server/test/harness/wait.ts'
import { type PartOptions, type PartResult, residentMb, watchServer } from './part.ts'

const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
const FILE_BYTES = 14_500_000
const ATTACHMENT_BYTES = 5_000_000
const DOCUMENT_CHARACTERS = 1_990_000
/** Above what the idle process needs: all of UNREAD_BYTES, and what the allocator keeps. */
const MAX_MB = 350
const MAX_MB_AFTERWARDS = 150
const HELD_MS = 2500
const RETURN_MS = 15_000
const CHAT_EVERY_MS = 20
const QUIET_CHATS = 20
const HOURS = { id: 'hours', title: 'Opening hours', text: 'We open at nine and close at six.' }
/** At once; all of them would keep this process from asking anything else meanwhile. */
const CONNECTIONS_AT_ONCE = 50
const environment = {
  WIDGET_REQUESTS_PER_MINUTE: '100000',
  CONNECTIONS_PER_ADDRESS: '2000',
  DOWNLOADS_PER_MINUTE: '100000',
}

interface Options extends Pick<PartOptions, 'engine' | 'times'> {
  /** Of a chat while they arrive. */
  maxChatMs?: number
  /** How long the server keeps a response that nobody reads; others may wait that long for its place. */
  unreadSeconds?: number
}

interface LargeRequest {
  route: string
  headers?: Record<string, string>
  body?: string
}

export async function leaveUnread({
  engine,
  times,
  maxChatMs = 3000,
  unreadSeconds = 30,
}: Options): Promise<PartResult> {
  const server = await startProcess({
    database: await createTestDatabase(engine),
    environment: { ...environment, UNREAD_TIMEOUT_SECONDS: String(unreadSeconds) },
  })
  const createBot = botCreator(server.call)
  const { requests, hash } = await makeContent(server, await createBot({ dailyLimit: 100_000_000 }))
  const chat = chatWith(server, await createBot({ dailyLimit: 100_000_000, documents: [HOURS] }))
  const [file] = requests as [LargeRequest]
  const problems: string[] = []
  for (const request of requests) await download(server, request)
  const before = residentMb(server.pid)
  const watch = watchServer(server)
  const quietMs = await slowestOf(chat, QUIET_CHATS)
  const chats = startChats(chat)

  const sockets: Socket[] = []
  for (let n = 0; n < times; n++) {
    const address = ADDRESSES[n % ADDRESSES.length] as string
    // Shifted each round, so that every address asks for everything.
    const request = requests[(n + Math.floor(n / ADDRESSES.length)) % requests.length] as LargeRequest
    sockets.push(askAndWait(server.port, address, request))
    if (n % CONNECTIONS_AT_ONCE === 0) await pause(0)
  }
  await pause(HELD_MS)
  if ((await download(server, file)) !== hash) problems.push('another address did not get its file meanwhile')
  for (const socket of sockets) socket.destroy()
  const after = await settle(server.pid, before + MAX_MB_AFTERWARDS)
  const { slowestMs: slowestChatMs, problems: failedChats } = await chats.end()
  const { peakMb, slowestMs, problems: watched } = await watch.end()
  problems.push(...watched, ...failedChats)
  if (slowestChatMs > maxChatMs) problems.push(`a chat beside them took ${slowestChatMs} ms`)
  if (peakMb - before > MAX_MB) problems.push(`${times} unread responses took ${peakMb - before} MB`)
  if (after - before > MAX_MB_AFTERWARDS) problems.push(`${after - before} MB were not returned`)
  await server.stop()
  const counts = {
    connections: times,
    'MB before': before,
    'MB at most': peakMb,
    'MB afterwards': after,
    'ms the slowest chat took': slowestChatMs,
    'ms before they came': quietMs,
    'ms the slowest health check took': slowestMs,
  }
  return { counts, problems }
}

/** From an address that downloads nothing. Returns how long it took. */
function chatWith({ call }: StartedProcess, { botId, key }: TestBot) {
  return async () => {
    const body = { bot_id: botId, message: 'When do you open?' }
    const startedAt = performance.now()
    const { status } = await call('POST /api/v1/chat', { token: key, body })
    if (status !== 200) throw new Error(`a chat was answered with ${status}`)
    return Math.round(performance.now() - startedAt)
  }
}

async function slowestOf(chat: () => Promise<number>, times: number) {
  // The first one loads what the bot knows.
  await chat()
  let slowestMs = 0
  for (let n = 0; n < times; n++) slowestMs = Math.max(slowestMs, await chat())
  return slowestMs
}

/** One after the other. */
function startChats(chat: () => Promise<number>) {
  let slowestMs = 0
  const problems: string[] = []
  let isRunning = true
  const chatting = (async () => {
    while (isRunning) {
      await chat().then(
        (ms) => {
          slowestMs = Math.max(slowestMs, ms)
        },
        (error) => problems.push(error.message),
      )
      await pause(CHAT_EVERY_MS)
    }
  })()
  return {
    async end() {
      isRunning = false
      await chatting
      return { slowestMs, problems }
    },
  }
}

/** A request for each kind of large response, and the hash of the first one's. */
async function makeContent({ call, baseUrl }: StartedProcess, { botId, key }: TestBot) {
  const params = { botId }
  const asOwner = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const text = randomBytes(FILE_BYTES * 0.7).toString('base64')
  const html = `<!doctype html><p>Opening hours<!--${text}-->`
  const file = await upload(`${baseUrl}${MANAGE}/bots/${botId}/files`, 'hours.html', html, asOwner)
  const visitor = createVisitor(call, botId)
  for (let n = 0; n < 15; n++) await visitor.say('你'.repeat(4000))
  const asVisitor = { 'x-visitor-token': visitor.token() }
  const note = text.slice(0, ATTACHMENT_BYTES)
  const attachment = await upload(`${baseUrl}/api/chat/${botId}/attachments`, 'note.txt', note, asVisitor)
  const paragraph = `${'We open at nine and close at six. '.repeat(30)}\n\n`
  const document = paragraph.repeat(DOCUMENT_CHARACTERS / paragraph.length)
  await call(`POST ${MANAGE}/bots/{botId}/documents`, {
    token: ADMIN_TOKEN,
    params,
    body: { documents: [{ id: 'hours', title: 'Opening hours', text: document }] },
  })
  const answers = Array.from({ length: 100 }, (_, n) => ({ question: `What is ${n}?`, answer: '你'.repeat(2000) }))
  await call(`POST ${MANAGE}/bots/{botId}/answers/import`, { token: ADMIN_TOKEN, params, body: { answers } })
  const { body } = await call(`GET ${MANAGE}/bots/{botId}/conversations`, { token: ADMIN_TOKEN, params })
  const [conversation] = body.items
  const bot = `${MANAGE}/bots/${botId}`
  const requests: LargeRequest[] = [
    { route: `GET ${bot}/files/${file.files[0].id}/content` },
    { route: `GET /api/chat/${botId}/attachments/${attachment.messages[0].attachments[0].id}` },
    { route: `GET ${bot}/visitors/${conversation.visitor.id}` },
    { route: `GET ${bot}/conversations/${conversation.id}` },
    { route: `GET ${bot}/conversations/${conversation.id}/messages?limit=100` },
    { route: `GET ${bot}/conversations?format=csv` },
    { route: `GET ${bot}/leads?format=csv` },
    { route: `GET ${bot}/answers/export?format=csv` },
    { route: `GET ${bot}/documents/hours` },
    { route: `GET /api/chat/${botId}/history?session_id=${visitor.sessionId()}`, headers: asVisitor },
    {
      route: 'POST /mcp',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'resources/read',
        params: { uri: 'docent://documents/hours' },
      }),
    },
  ].map((request) => ({ ...request, headers: request.headers ?? asOwner }))
  return { requests, hash: createHash('sha256').update(html).digest('hex') }
}

async function upload(url: string, name: string, content: string, headers: Record<string, string>) {
  const form = new FormData()
  form.append('file', new File([content], name))
  // biome-ignore lint/suspicious/noExplicitAny: one response of two shapes
  return (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as any
}

/** The hash of the response. */
async function download({ baseUrl }: StartedProcess, { route, headers = {}, body }: LargeRequest): Promise<string> {
  const [method = '', path] = route.split(' ')
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

function askAndWait(port: number, localAddress: string, { route, headers = {}, body = '' }: LargeRequest): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}).pause()
  const lines = Object.entries({ host: 'x', 'content-length': String(body.length), ...headers })
  socket.write(`${route} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  return socket
}

/** The memory after a while, or as soon as it is below the bound. */
async function settle(pid: number, mostMb: number): Promise<number> {
  for (const startedAt = performance.now(); performance.now() - startedAt < RETURN_MS; await pause(200))
    if (residentMb(pid) <= mostMb) break
  return residentMb(pid)
}
