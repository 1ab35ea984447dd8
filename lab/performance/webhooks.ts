// Webhooks: deliveries per second next to a bare request loop to the same receiver, latency from event to
// receipt, hanging endpoints among healthy ones, and what a mirror adds to a chat turn.
// `node lab/performance/webhooks.ts [events] [throughput|idleLatency|hanging|mirrorCost|mirrorCostWithVectors]`
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'
import { documents, questions } from './load/demo-content.ts'
import { cpuSeconds } from './load/load.ts'

const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const events = Number(process.argv[2] ?? 10_000)
const only = process.argv[3]
const PARALLEL = 32
/** Per round of a comparison. */
const TURNS = 500
/** Turns per bot before measuring, so that most code is compiled. */
const WARM_UP = 10_000
const folder = mkdtempSync(join(tmpdir(), 'docent-webhooks-'))
const receiver = await startReceiver()

try {
  const parts = { throughput, idleLatency, hanging, mirrorCost, mirrorCostWithVectors }
  for (const [name, measure] of Object.entries(parts)) if (!only || only === name) await measure()
} finally {
  receiver.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Fills the queue while nothing is delivered, so that only delivery is measured. */
async function throughput() {
  const dataDir = join(folder, 'throughput')
  const url = `${receiver.url}/`
  const bot = await withServer(dataDir, (base) => createBot(base, ADMIN_TOKEN, documents(), url))
  fillQueue(dataDir, bot.botId, events)
  const bare = await bareLoop(url, events)
  await receiver.read()
  const server = start(dataDir)
  const startedAt = performance.now()
  await server.listening
  let arrivedCount = 0
  const startMs = performance.now() - startedAt
  while (arrivedCount < events) {
    await pause(20)
    arrivedCount += (await receiver.read()).received
  }
  const rate = events / ((performance.now() - startedAt - startMs) / 1000)
  await server.stop()
  console.log(`deliveries      ${rate.toFixed(0)} a second`)
  console.log(`bare requests   ${bare.toFixed(0)} a second, ${PARALLEL} at a time`)
  console.log(`ratio           ${(rate / bare).toFixed(2)} ${verdict(rate / bare >= 0.5)}`)
}

async function idleLatency() {
  const dataDir = join(folder, 'latency')
  await withServer(dataDir, async (base) => {
    const bot = await createBot(base, ADMIN_TOKEN, documents(), `${receiver.url}/`)
    await receiver.read()
    for (let turn = 0; turn < 100; turn++) {
      await ask(base, bot)
      await pause(30)
    }
    await pause(500)
    const { latencies } = await receiver.read()
    console.log(
      `event to receipt, idle: p50 ${percentile(latencies, 0.5)} ms ${verdict(percentile(latencies, 0.5) <= 50)}, p99 ${percentile(latencies, 0.99)} ms`,
    )
  })
}

/** 1,000 endpoints, 20 for each of 50 bots; every tenth hangs. One event for each at once. */
async function hanging() {
  const dataDir = join(folder, 'hanging')
  await withServer(dataDir, async (base) => {
    const bots = []
    for (let index = 0; index < 50; index++) {
      const bot = await createBot(base, ADMIN_TOKEN, documents().slice(0, 1))
      for (let hook = 0; hook < 20; hook++) {
        const path = hook % 10 === 0 ? '/hang' : '/'
        await manage(base, `/bots/${bot.botId}/webhooks`, {
          url: `${receiver.url}${path}`,
          event_types: ['conversation.started'],
        })
      }
      bots.push(bot)
    }
    await receiver.read()
    for (let round = 0; round < 5; round++) {
      await Promise.all(bots.map((bot) => ask(base, bot)))
      // Below one node's throughput: this measures isolation, not capacity.
      await pause(1000)
    }
    const latencies: number[] = []
    while (latencies.length < 4500) {
      await pause(50)
      latencies.push(...(await receiver.read()).latencies)
    }
    const p99 = percentile(latencies, 0.99)
    console.log(
      `1,000 endpoints, 100 of them hang: the others' p50 ${percentile(latencies, 0.5)} ms, p99 ${p99} ms ${verdict(p99 <= 1000)}`,
    )
  })
}

/** With default settings. The embedding process is not counted: after the first round it has cached all questions. */
function mirrorCostWithVectors() {
  return mirrorCost('on')
}

/** Without vectors a turn is cheapest, so a mirror's share is largest: the target applies here. */
async function mirrorCost(embeddings: Embeddings = 'off') {
  const dataDir = join(folder, `mirror-${embeddings}`)
  await withServer(dataDir, measure, embeddings)

  async function measure(base: string) {
    const plain = await createBot(base, ADMIN_TOKEN, documents())
    const mirroredBot = await createBot(base, ADMIN_TOKEN, documents())
    const { items } = await manage(base, `/bots/${mirroredBot.botId}/keys`)
    await manage(base, `/bots/${mirroredBot.botId}/keys/${items[0].id}`, { webhook_url: `${receiver.url}/` }, 'PATCH')
    for (const bot of [plain, mirroredBot]) await embedded(base, bot)
    for (const bot of [plain, mirroredBot]) await askMany(base, bot, 8, WARM_UP)
    const busy = await compare(8, 40)
    console.log(
      `EMBEDDINGS=${embeddings}, 8 at a time: ${busy.plain.cpu.toFixed(0)} µs of processor time a turn, ${busy.mirrored.cpu.toFixed(0)} with a mirror`,
    )
    const cost = busy.mirrored.cpu / busy.plain.cpu - 1
    console.log(
      `a mirror costs ${(cost * 100).toFixed(1)} % of a turn's processor time, delivery included ${verdict(cost <= 0.25)}`,
    )
    const alone = await compare(1, 20)
    const slower = alone.mirrored.time / alone.plain.time - 1
    console.log(`one after the other, a turn takes ${(slower * 100).toFixed(1)} % longer ${verdict(slower <= 0.25)}`)

    /** Many short rounds in alternating order, so that other load on the machine affects both alike. */
    async function compare(parallel: number, rounds: number) {
      const sums = { plain: { cpu: 0, time: 0 }, mirrored: { cpu: 0, time: 0 } }
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? (['plain', 'mirrored'] as const) : (['mirrored', 'plain'] as const)
        for (const which of order) {
          const before = await cpuSeconds(base)
          const startedAt = performance.now()
          await askMany(base, which === 'plain' ? plain : mirroredBot, parallel, TURNS)
          sums[which].time += (performance.now() - startedAt) / TURNS / rounds
          // Pending deliveries belong to these turns, not to the next.
          await pause(150)
          sums[which].cpu += (((await cpuSeconds(base)) - before) * 1e6) / TURNS / rounds
        }
      }
      return sums
    }
  }
}

function fillQueue(dataDir: string, botId: string, count: number) {
  const file = new DatabaseSync(join(dataDir, 'docent.sqlite'))
  const { id } = file.prepare('SELECT id FROM webhooks WHERE bot_id = ? AND key_id IS NULL').get(botId) as {
    id: string
  }
  const insert = file.prepare(
    `INSERT INTO deliveries (bot_id, id, webhook_id, event_id, event_type, payload, state, attempts, attempt_log, due_at, created_at)
     VALUES (?, ?, ?, ?, 'conversation.message', ?, 'pending', 0, '', ?, ?)`,
  )
  file.exec('BEGIN')
  for (let index = 0; index < count; index++) {
    const event = `evt_${String(index).padStart(21, '0')}`
    insert.run(botId, `${event}-${id}`, id, event, payload(event), Date.now(), Date.now())
  }
  file.exec('COMMIT')
  file.close()
}

function payload(id: string) {
  return JSON.stringify({ id, event_type: 'conversation.message', data: { message: { text: 'x'.repeat(500) } } })
}

async function bareLoop(url: string, count: number): Promise<number> {
  const agent = new Agent({ connections: PARALLEL })
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (next < count) {
        const body = payload(`evt_${next++}`)
        const headers = { 'content-type': 'application/json' }
        const response = await request(url, { method: 'POST', headers, body, dispatcher: agent })
        await response.body.dump()
      }
    }),
  )
  const rate = count / ((performance.now() - startedAt) / 1000)
  await agent.close()
  return rate
}

type Embeddings = 'on' | 'off'

function start(dataDir: string, embeddings: Embeddings = 'off') {
  return spawnServer({
    dataDir,
    environment: {
      ADMIN_TOKEN,
      DEMO_BOT: 'off',
      EMBEDDINGS: embeddings,
      LOG_LEVEL: 'warn',
      ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
    },
  })
}

async function withServer<T>(
  dataDir: string,
  work: (baseUrl: string) => Promise<T>,
  embeddings?: Embeddings,
): Promise<T> {
  mkdirSync(dataDir, { recursive: true })
  const server = start(dataDir, embeddings)
  try {
    return await work(`http://127.0.0.1:${await server.listening}`)
  } finally {
    await server.stop()
  }
}

/** The demo shop's questions, in conversations of four turns. */
async function askMany(base: string, bot: Bot, parallel: number, turns: number) {
  const questionTexts = questions()
  let next = 0
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let turn = 0, session: string | undefined; next < turns; turn++) {
        if (turn % 4 === 0) session = undefined
        session = await ask(base, bot, questionTexts[next++ % questionTexts.length], session)
      }
    }),
  )
}

interface Bot {
  botId: string
  key: string
}

async function ask(base: string, { botId, key }: Bot, message = 'Hello', session_id?: string): Promise<string> {
  const { statusCode, body } = await request(`${base}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: botId, message, session_id }),
  })
  if (statusCode !== 200) throw new Error(await body.text())
  return ((await body.json()) as { session_id: string }).session_id
}

async function manage(base: string, path: string, body?: object, method = body ? 'POST' : 'GET') {
  const response = await fetch(`${base}/api/manage/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { items: [{ id: string }]; knowledge: { status: string } }
}

/** Waits for the bot's vectors. */
async function embedded(base: string, { botId }: Bot) {
  while ((await manage(base, `/bots/${botId}`)).knowledge.status !== 'ready') await pause(200)
}

async function startReceiver() {
  const child = fork(fileURLToPath(new URL('./load/receiver-process.ts', import.meta.url)))
  const next = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))
  const { port } = await next<{ port: number }>()
  return {
    url: `http://127.0.0.1:${port}`,
    read() {
      child.send('read')
      return next<{ received: number; latencies: number[] }>()
    },
    stop: () => child.disconnect(),
  }
}

function percentile(values: number[], share: number): number {
  const sortedValues = values.toSorted((a, b) => a - b)
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * share))] ?? Number.NaN
}

function verdict(isMet: boolean): string {
  return isMet ? '(aim met)' : '(aim missed)'
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
