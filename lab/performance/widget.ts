// Widget load: the cost of an open event stream, how soon an agent's reply reaches a visitor on another node, and
// what flooding one bot does to another. `node lab/performance/widget.ts [streams|reply|flood]`
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startPostgres } from '../../server/test/harness/database/postgres.ts'
import { type ServerProcess, spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'
import { documents, questions } from './load/demo-content.ts'
import { openFlood } from './load/flood.ts'

const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const STREAMS = 2000
const REPLIES = 200
const FLOOD_ROUNDS = 10
const FLOOD_SECONDS = 2
const only = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'docent-widget-'))
const servers: ServerProcess[] = []

try {
  const parts = { streams, reply, flood }
  for (const [name, measure] of Object.entries(parts)) if (!only || only === name) await measure()
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
}

/** One visitor with many streams: only the stream's cost is measured. */
async function streams() {
  const server = await start({ WIDGET_STREAMS_PER_ADDRESS: String(STREAMS) })
  const { botId } = await createBot(server.url, ADMIN_TOKEN, documents().slice(0, 1))
  const visitor = await meet(server.url, botId)
  const before = memoryOf(server.pid)
  const answers: IncomingMessage[] = []
  const agent = new Agent({ keepAlive: false })
  for (let count = 0; count < STREAMS; count += 100) {
    answers.push(...(await Promise.all(Array.from({ length: 100 }, () => listen(server.url, botId, visitor, agent)))))
  }
  await pause(2000)
  const each = (memoryOf(server.pid) - before) / STREAMS
  let heardCount = 0
  for (const answer of answers)
    answer.on('data', (chunk) => (heardCount += String(chunk).includes('event: message') ? 1 : 0))
  const startedAt = performance.now()
  await say(server.url, botId, 'Hello', visitor)
  while (heardCount < STREAMS && performance.now() - startedAt < 20_000) await pause(10)
  console.log(`streams         ${STREAMS} open, ${(each / 1024).toFixed(1)} kB each ${verdict(each <= 30 * 1024)}`)
  console.log(`heard by all    ${heardCount} of ${STREAMS} after ${(performance.now() - startedAt).toFixed(0)} ms`)
  for (const answer of answers) answer.destroy()
}

/** Two nodes on one PostgreSQL: the agent writes on one, the visitor listens on the other. */
async function reply() {
  const database = await startPostgres()
  try {
    const sql = postgres(database.url, { max: 1 })
    await sql.unsafe('CREATE DATABASE bench')
    await sql.end()
    const DATABASE_URL = database.url.replace(/\/postgres$/, '/bench')
    const sharedSettings = { DATABASE_URL, SECRET_KEY: 'bench-secret-key-0123456789-0123456789' }
    const [one, two] = [await start(sharedSettings), await start(sharedSettings)]
    const { botId } = await createBot(one.url, ADMIN_TOKEN, documents().slice(0, 1))
    const visitor = await meet(one.url, botId)
    const stream = await listen(two.url, botId, visitor)
    let wake = () => {}
    stream.on('data', (chunk) => String(chunk).includes('event: message') && wake())
    const manage = `${one.url}/api/manage/v1/bots/${botId}/conversations`
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const list = (await (await fetch(manage, { headers })).json()) as { items: { id: string }[] }
    const times: number[] = []
    for (let count = 0; count < REPLIES; count++) {
      const arrival = new Promise<void>((resolve) => {
        wake = resolve
      })
      const startedAt = performance.now()
      const body = JSON.stringify({ text: `Reply ${count}` })
      await fetch(`${manage}/${list.items[0]?.id}/messages`, { method: 'POST', headers, body })
      await arrival
      times.push(performance.now() - startedAt)
      await pause(20)
    }
    stream.destroy()
    const p99 = percentile(times, 0.99)
    console.log(
      `a person's reply on another node, from the agent's call on: p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms ${verdict(p99 <= 300)}`,
    )
    await Promise.all([one.stop(), two.stop()])
  } finally {
    await database.stop()
  }
}

/** A visitor of one bot keeps asking: alone, beside a flood elsewhere on the machine, and while another bot is flooded. */
async function flood() {
  const server = await start({ WIDGET_MESSAGES_PER_MINUTE: '1000000', TRUSTED_PROXIES: '127.0.0.1' })
  const quiet = await createBot(server.url, ADMIN_TOKEN, documents())
  const floodedBot = await createBot(server.url, ADMIN_TOKEN, documents())
  const ask = () => askFor(server.url, quiet.botId, FLOOD_SECONDS)
  const floods = await openFlood(server.url, floodedBot.botId)
  const times = { alone: [] as number[], beside: [] as number[], during: [] as number[] }
  let [refusedCount, admittedCount] = [0, 0]
  const costs = { ours: [] as number[], bare: [] as number[] }
  try {
    // Uses up the allowance, and warms up both servers.
    await floods.ours(ask)
    await floods.bare(ask)
    // Short turns, so that other load on the machine affects all alike.
    for (let round = 0; round < FLOOD_ROUNDS; round++) {
      times.alone.push(...(await ask()))
      times.beside.push(...(await floods.bare(ask)).result)
      const during = await floods.ours(ask)
      times.during.push(...during.result)
      refusedCount += during.refused
      admittedCount += during.admitted
      for (const which of ['ours', 'bare'] as const) {
        const idleCost = await floods[which](() => pause(FLOOD_SECONDS * 1000))
        costs[which].push((idleCost.cpuSeconds / idleCost.refused) * 1e6)
      }
    }
  } finally {
    floods.close()
  }
  const [alone, beside, during] = [times.alone, times.beside, times.during].map((measuredTimes) =>
    percentile(measuredTimes, 0.99),
  )
  const rise = (from = 0, to = 0) => `${((to / from - 1) * 100).toFixed(0)} %`
  console.log(`flood           ${refusedCount} refused, ${admittedCount} admitted in ${FLOOD_ROUNDS * FLOOD_SECONDS} s`)
  console.log(
    `a refusal       ${percentile(costs.ours, 0.5).toFixed(0)} µs of processor time, ${percentile(costs.bare, 0.5).toFixed(0)} µs by bare Node`,
  )
  console.log(
    `another bot     p99 ${alone?.toFixed(1)} ms alone, ${beside?.toFixed(1)} ms beside a flooded bare Node, ${during?.toFixed(1)} ms while Docent is flooded`,
  )
  console.log(
    `rise of p99     ${rise(alone, during)} in all, ${rise(beside, during)} over bare Node ${verdict((during ?? 0) <= (beside ?? 0) * 1.2)}`,
  )
}

/** One visitor after another, each from a new address, at a moderate pace. */
async function askFor(url: string, botId: string, seconds: number): Promise<number[]> {
  const questionTexts = questions()
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  for (let count = 0; performance.now() < end; count++) {
    const address = `198.51.${count % 250}.${Math.floor(Math.random() * 250)}`
    const startedAt = performance.now()
    const response = await say(url, botId, questionTexts[count % questionTexts.length] ?? '', undefined, address)
    if (response.status !== 200) throw new Error(`the message was refused: ${response.status}`)
    times.push(performance.now() - startedAt)
    await pause(5)
  }
  return times
}

async function start(environment: Record<string, string>) {
  const dataDir = mkdtempSync(join(folder, 'node-'))
  const server = spawnServer({
    dataDir,
    environment: {
      ADMIN_TOKEN,
      DEMO_BOT: 'off',
      LOG_LEVEL: 'warn',
      EMBEDDINGS: 'off',
      WIDGET_SESSIONS_PER_HOUR: '1000000',
      ...environment,
    },
  })
  servers.push(server)
  return { ...server, url: `http://127.0.0.1:${await server.listening}` }
}

function say(url: string, botId: string, message: string, token?: string, address?: string) {
  return fetch(`${url}/api/chat/${botId}/message`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { 'x-visitor-token': token } : {}),
      ...(address ? { 'x-forwarded-for': address } : {}),
    },
    body: JSON.stringify({ message, ...(token ? { session_id: 'bench' } : {}) }),
  }).then(async (response) => ({
    status: response.status,
    body: (await response.json()) as { visitor_token?: string },
  }))
}

async function meet(url: string, botId: string): Promise<string> {
  const answer = await fetch(`${url}/api/chat/${botId}/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello', session_id: 'bench' }),
  })
  return ((await answer.json()) as { visitor_token: string }).visitor_token
}

function listen(url: string, botId: string, token: string, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { 'x-visitor-token': token }, ...(agent ? { agent } : {}) }
    get(`${url}/api/chat/${botId}/events`, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`events: ${response.statusCode}`))
      response.once('data', () => resolve(response))
    }).on('error', reject)
  })
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

function percentile(values: number[], share: number): number {
  const sortedValues = values.toSorted((a, b) => a - b)
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * share))] ?? 0
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function verdict(holds: boolean): string {
  return holds ? '(as aimed)' : '(short of the aim)'
}
