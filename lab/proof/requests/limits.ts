// Limits that must not multiply: one address over many bots, invitation mails over many addresses and workspaces, and
// chat calls over many keys. What is let in is counted here, independently of the server, and on PostgreSQL over two nodes.
import type { Call } from '../../../server/test/harness/call.ts'
import { type MailServer, startMailServer } from '../../../server/test/harness/external/mail-server.ts'
import { createWorkspace, invite, MANAGE } from '../../../server/test/harness/people.ts'
import { uploadForm } from '../../../server/test/harness/samples/route-samples.ts'
import { ADMIN_TOKEN, startServer } from '../../../server/test/harness/start-server.ts'
import { createVisitor } from '../../../server/test/harness/visitors.ts'
import { inParallel, type PartOptions, type PartResult } from '../part.ts'
import { makeRandom, type Random } from './random.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const AT_ONCE = 8
const BOTS = 8
/** Over all bots. */
const MESSAGES = 60
const SESSIONS = 12
const UPLOADS = 10
const DOWNLOADS = 20
const MAILS_PER_WORKSPACE = 60
const MAILS_PER_ADDRESS = 5
const KEYS = 50
const KEY_ROUTE = `${MANAGE}/bots/{botId}/keys`
const token = ADMIN_TOKEN

interface World {
  /** By any node. */
  call: Call
  pass: (ms: number) => void
  mail: MailServer
  random: Random
  problems: Set<string>
}

type Kind = 'messages' | 'sessions' | 'uploads' | 'downloads' | 'mails' | 'calls' | 'keys'

export async function exceedLimits({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const counts = { rounds: times, requests: 0, 'let in': 0 }
  const random = makeRandom(seed)
  const mail = await startMailServer()
  const environment = {
    WIDGET_REQUESTS_PER_MINUTE: '30',
    WIDGET_BOTS_PER_ADDRESS: String(MESSAGES / 30),
    WIDGET_SESSIONS_PER_HOUR: String(SESSIONS),
    WIDGET_FILES_PER_DAY: String(UPLOADS),
    DOWNLOADS_PER_MINUTE: String(DOWNLOADS),
    WIDGET_MESSAGES_PER_MINUTE: '1000',
    SMTP_URL: mail.url,
    MAIL_FROM: 'docent@example.com',
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  }
  const first = await startServer(engine, { environment })
  const nodes =
    engine === 'sqlite' ? [first] : [first, await startServer(engine, { environment, database: first.database })]
  const problems = new Set<string>()
  const call: Call = async (route, options) => {
    const response = await random.pick(nodes).call(route, options)
    counts.requests++
    if (response.status < 300) counts['let in']++
    if (response.status >= 500) problems.add(`${route}: ${response.status} ${response.text.slice(0, 200)}`)
    return response
  }
  const pass = (ms: number) => {
    for (const { clock } of nodes) clock.now += ms
  }
  const world: World = { call, pass, mail, random, problems }
  const bots: string[] = []
  for (let n = 0; n < BOTS; n++) bots.push((await first.createBot({ plan: 'free' })).botId)
  const workspaces = [await createWorkspace(call, 'one'), await createWorkspace(call, 'two')]
  for (let round = 0; round < times; round++) {
    await oneAddress(world, bots, round)
    await inviteMany(world, workspaces, round)
    const { botId, workspaceId } = await first.createBot()
    const other = await call(`POST ${MANAGE}/bots`, { token, body: { name: 'Other', workspace_id: workspaceId } })
    await manyKeys(world, workspaceId, [botId, other.body.id])
    // A whole day, at another time of it.
    pass(DAY + random.below(HOUR))
  }
  return { counts, problems: [...problems] }
}

/** Tries until the limit must have been reached; exactly as many as it allows are let in. */
async function exhaust(world: World, kind: Kind, limit: number, attempt: () => Promise<number>) {
  let admittedCount = 0
  await inParallel(limit * 2, AT_ONCE, async () => {
    const status = await attempt()
    if (status < 300) admittedCount++
    else if (status !== 429) world.problems.add(`${kind}: ${status}`)
  })
  if (admittedCount !== limit) world.problems.add(`${kind}: ${admittedCount} were let in, ${limit} are allowed`)
}

async function oneAddress(world: World, bots: string[], round: number) {
  const { call, pass, random } = world
  // All addresses of one IPv6 network are one caller.
  const isWide = random.chance(0.5)
  const address = () =>
    isWide ? `2001:db8:${round}:1::${random.below(65_536).toString(16)}` : `198.51.${round % 256}.7`
  const fromAddress: Call = (route, { headers, ...options } = {}) =>
    call(route, { ...options, headers: { ...headers, 'x-forwarded-for': address() } })
  const visitors: { botId: string; sessionId: string; headers: Record<string, string> }[] = []
  const files: (() => Promise<number>)[] = []

  await exhaust(world, 'sessions', SESSIONS, async () => {
    const botId = random.pick(bots)
    const visitor = createVisitor(fromAddress, botId)
    const { status } = await visitor.say('Hello')
    const headers = { 'x-visitor-token': visitor.token() }
    if (status === 200) visitors.push({ botId, sessionId: visitor.sessionId(), headers })
    return status
  })
  if (visitors.length === 0) return
  pass(MINUTE + 1)
  await exhaust(world, 'uploads', UPLOADS, async () => {
    const { botId, headers } = random.pick(visitors)
    const { raw, headers: form } = uploadForm('note.txt', 'A note.')
    const params = { botId }
    const response = await fromAddress('POST /api/chat/{botId}/attachments', {
      params,
      raw,
      headers: { ...form, ...headers },
    })
    const attachmentId = response.body?.messages?.[0]?.attachments?.[0]?.id as string
    if (response.status < 300)
      files.push(async () => {
        const options = { params: { botId, attachmentId }, headers }
        return (await fromAddress('GET /api/chat/{botId}/attachments/{attachmentId}', options)).status
      })
    return response.status
  })
  pass(MINUTE + 1)
  if (files.length > 0) await exhaust(world, 'downloads', DOWNLOADS, () => random.pick(files)())
  pass(MINUTE + 1)
  await exhaust(world, 'messages', MESSAGES, async () => {
    const { botId, sessionId, headers } = random.pick(visitors)
    const body = { session_id: sessionId, message: 'Hello again' }
    return (await fromAddress('POST /api/chat/{botId}/message', { params: { botId }, headers, body })).status
  })
  const other = await createVisitor(call, random.pick(bots)).say('Hello')
  if (other.status !== 200) world.problems.add(`another address: ${other.status}`)
  pass(HOUR + 1)
}

async function inviteMany({ call, pass, mail, random, problems }: World, workspaces: string[], round: number) {
  const sentTo = new Map<string, number>()
  for (let hour = 0; hour < 2; hour++) {
    const before = mail.mails.length
    const perWorkspace = new Map<string, number>()
    await inParallel(MAILS_PER_WORKSPACE * 4, AT_ONCE, async () => {
      const workspaceId = random.pick(workspaces)
      const name = hour === 0 && random.chance(0.2) ? 'Same' : `guest${random.below(500)}`
      const email = `${random.chance(0.5) ? name.toUpperCase() : name}-${round}@example.test`
      const { response } = await invite(call, workspaceId, email, 'viewer')
      if (response.body?.sent) perWorkspace.set(workspaceId, (perWorkspace.get(workspaceId) ?? 0) + 1)
      else if (response.status !== 429) problems.add(`mails: ${response.status} ${response.text.slice(0, 200)}`)
    })
    for (const { to } of mail.mails.slice(before))
      for (const each of to) sentTo.set(each.toLowerCase(), (sentTo.get(each.toLowerCase()) ?? 0) + 1)
    for (const count of perWorkspace.values())
      if (count > MAILS_PER_WORKSPACE) problems.add(`mails: ${count} of a workspace in an hour`)
    pass(HOUR + 1)
  }
  for (const [address, count] of sentTo)
    if (count > MAILS_PER_ADDRESS) problems.add(`mails: ${count} to ${address} in a day`)
  if (sentTo.size === 0) problems.add('mails: none were sent')
}

/** Calls while keys are made, rotated and revoked. */
async function manyKeys(world: World, workspaceId: string, bots: string[]) {
  const { call, random, problems } = world
  const limit = 20 + random.below(30)
  const params = { workspaceId }
  await call(`PATCH ${MANAGE}/workspaces/{workspaceId}`, { token, params, body: { total_daily_limit: limit } })
  const keys: { botId: string; keyId: string; key: string }[] = []
  let admittedCount = 0
  const add = async (botId: string, route: string, keyId = '', body: object = { name: 'more' }) => {
    const response = await call(route, { token, params: { botId, keyId }, body })
    if (response.status === 201) keys.push({ botId, keyId: response.body.id, key: response.body.key })
    return response.status
  }
  const chat = async () => {
    const { botId, key } = random.pick(keys)
    const { status, body } = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hello' } })
    if (status === 200) admittedCount++
    else if (![401, 429].includes(status)) problems.add(`calls: ${status} ${body?.error?.code}`)
  }
  for (const botId of bots) await add(botId, `POST ${KEY_ROUTE}`)
  await inParallel(limit + KEYS * 3, AT_ONCE, async () => {
    const action = random.next()
    const { botId, keyId } = random.pick(keys)
    if (action < 0.6) await add(botId, `POST ${KEY_ROUTE}`)
    else if (action < 0.75)
      await add(botId, `POST ${KEY_ROUTE}/{keyId}/rotate`, keyId, { overlap: random.pick(['0', '1h', '24h']) })
    else if (action < 0.8) await call(`POST ${KEY_ROUTE}/{keyId}/revoke`, { token, params: { botId, keyId } })
    else await chat()
  })
  for (const botId of bots) {
    const { body } = await call(`GET ${KEY_ROUTE}`, { token, params: { botId }, query: { limit: 200 } })
    const active = body.items.filter(({ state }: { state: string }) => state === 'active').length
    if (active > KEYS) problems.add(`keys: ${active} of a bot are valid`)
  }
  for (const botId of bots) await add(botId, `POST ${KEY_ROUTE}`)
  await inParallel(limit * 4, AT_ONCE, chat)
  if (admittedCount !== limit) problems.add(`calls: ${admittedCount} of a workspace were let in, ${limit} are allowed`)
}
