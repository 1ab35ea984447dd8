// The figures of lab/reports/scaling.md. All are CPU time and bytes, which other load on the machine hardly
// affects. Linux only.
//   node lab/performance/scaling.ts nodes [rounds] [turns]   CPU time of a turn with 1, 2 and 4 nodes on PostgreSQL
//   node lab/performance/scaling.ts costs                    a turn, a bot, a passage and a conversation on SQLite
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../server/test/harness/database/postgres.ts'
import { type ServerProcess, spawnServer } from '../../server/test/harness/spawn-server.ts'
import { askTurns } from './load/ask-turns.ts'
import { createBot } from './load/create-bot.ts'
import { documents } from './load/demo-content.ts'
import { treeUse } from './load/process-tree.ts'

const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const SECRET_KEY = 'bench-secret-key-0123456789-0123456789'
const WARM_UP_TURNS = 800
const IDLE_MS = 10_000
const BOTS = 300
const TURNS_READ = 80
const TURNS_BY_WORDS = 2000
type Bot = Awaited<ReturnType<typeof createBot>>

const [what, ...numbers] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'docent-scaling-'))

try {
  if (what === 'nodes') await compareNodes(Number(numbers[0] ?? 3), Number(numbers[1] ?? 2000))
  else if (what === 'costs') await measureCosts()
  else console.log('Say "nodes" or "costs".')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Alternating, so that other load on the machine affects all alike. */
async function compareNodes(rounds: number, turns: number) {
  const postgres = await startPostgres()
  const costs = new Map<number, { node: number[]; database: number[]; idle: number[] }>()
  try {
    for (let round = 0; round < rounds; round++) {
      for (const count of [1, 2, 4]) {
        const { nodeMs, databaseMs, idleMs } = await measureNodes(postgres.url, count, turns)
        const cost = costs.get(count) ?? { node: [], database: [], idle: [] }
        cost.node.push(nodeMs)
        cost.database.push(databaseMs)
        cost.idle.push(idleMs)
        costs.set(count, cost)
        console.log(
          `round ${round + 1}, ${count} nodes: ${nodeMs.toFixed(2)} ms a turn, ${databaseMs.toFixed(2)} ms in PostgreSQL, ${idleMs.toFixed(1)} ms a second idle`,
        )
      }
    }
  } finally {
    await postgres.stop()
  }
  const one = median(costs.get(1)?.node ?? [])
  console.log(`\nmedians of ${rounds} rounds of ${turns} turns, EMBEDDINGS=off`)
  console.table(
    [...costs].map(([nodes, { node, database, idle }]) => ({
      nodes,
      'ms a turn': hundredths(median(node)),
      'of one node': hundredths(median(node) / one),
      'ms in PostgreSQL': hundredths(median(database)),
      'ms a second when idle, per node': hundredths(median(idle)),
    })),
  )
}

async function measureNodes(databaseUrl: string, count: number, turns: number) {
  const nodes: ServerProcess[] = []
  const urls: string[] = []
  const use = () => ({
    nodes: nodes.reduce((sum, { pid }) => sum + treeUse(pid).cpuSeconds, 0),
    database: treeUse(process.pid, 'postgres').cpuSeconds,
  })
  try {
    for (let node = 0; node < count; node++) {
      const dataDir = mkdtempSync(join(folder, 'node-'))
      nodes.push(start(dataDir, { DATABASE_URL: databaseUrl, SECRET_KEY, EMBEDDINGS: 'off' }))
      urls.push(await urlOf(nodes[node] as ServerProcess))
    }
    const bot = await createBot(urls[0] ?? '', ADMIN_TOKEN, documents())
    await askTurns(urls, bot, WARM_UP_TURNS * count)
    const before = use()
    const startedAt = performance.now()
    await askTurns(urls, bot, turns)
    const after = use()
    const wallMs = performance.now() - startedAt
    await pause(IDLE_MS)
    const idleShare = ((use().nodes - after.nodes) * 1000) / IDLE_MS
    // Subtract the nodes' constant background work, which is not a cost of turns.
    const turnsMs = (after.nodes - before.nodes) * 1000 - idleShare * wallMs
    return {
      nodeMs: turnsMs / turns,
      databaseMs: ((after.database - before.database) / turns) * 1000,
      idleMs: (idleShare / count) * 1000,
    }
  } finally {
    for (const node of nodes) await node.stop()
  }
}

async function measureCosts() {
  const dataDir = mkdtempSync(join(folder, 'costs-'))
  const byWords = { EMBEDDINGS: 'off' }
  const empty = await phase(dataDir, byWords, async () => {})
  const bots = await phase(dataDir, byWords, async ({ url }) => {
    for (let botCount = 0; botCount < BOTS; botCount++) await createBot(url, ADMIN_TOKEN, [])
  })
  const content = await phase(dataDir, {}, async ({ url }) => {
    const bot = await createBot(url, ADMIN_TOKEN, documents())
    const passages = await waitForVectors(url, bot.botId)
    await askTurns([url], bot, 4)
    return { bot, passages, indexBytes: await indexBytesOf(url) }
  })
  const { bot, passages, indexBytes } = content.result
  const reading = await phase(dataDir, {}, (server) => costOfTurns(server, bot, 8, TURNS_READ, 1))
  const words = await phase(dataDir, byWords, (server) => costOfTurns(server, bot, WARM_UP_TURNS, TURNS_BY_WORDS))
  const conversations = (8 + TURNS_READ + WARM_UP_TURNS + TURNS_BY_WORDS) / 4
  console.table({
    'empty instance: bytes on disk': empty.diskBytes,
    'workspace with a bot and a key: bytes on disk': Math.round((bots.diskBytes - empty.diskBytes) / BOTS),
    [`passage with vector (of ${passages}): bytes on disk`]: Math.round(
      (content.diskBytes - bots.diskBytes) / passages,
    ),
    'passage with vector: bytes in the index': Math.round(indexBytes / passages),
    'conversation of four turns: bytes on disk': Math.round((words.diskBytes - content.diskBytes) / conversations),
    'server after its start: resident MB': Math.round(empty.residentBytes / 1e6),
    'server after turns by words: resident MB': Math.round(words.residentBytes / 1e6),
    'server and models after turns: resident MB': Math.round(reading.residentBytes / 1e6),
    'turn by words: ms of processor time': hundredths(words.result * 1000),
    'turn with both models: ms of processor time': hundredths(reading.result * 1000),
  })
}

interface Measured {
  url: string
  cpuSeconds: () => number
}

/** From start to stop, with the disk space it leaves. */
async function phase<T>(
  dataDir: string,
  environment: Record<string, string>,
  work: (server: Measured) => Promise<T>,
): Promise<{ result: T; residentBytes: number; diskBytes: number }> {
  const server = start(dataDir, environment)
  try {
    const result = await work({ url: await urlOf(server), cpuSeconds: () => treeUse(server.pid).cpuSeconds })
    const { residentBytes } = treeUse(server.pid)
    await server.stop()
    const files = readdirSync(dataDir).filter((name) => name.startsWith('docent.sqlite'))
    return {
      result,
      residentBytes,
      diskBytes: files.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0),
    }
  } finally {
    await server.stop()
  }
}

/** CPU seconds per turn. The models serve one at a time: concurrent turns would skip them and cost less. */
async function costOfTurns({ url, cpuSeconds }: Measured, bot: Bot, warmUp: number, turns: number, atOnce?: number) {
  await askTurns([url], bot, warmUp, atOnce)
  const before = cpuSeconds()
  await askTurns([url], bot, turns, atOnce)
  return (cpuSeconds() - before) / turns
}

async function waitForVectors(url: string, botId: string): Promise<number> {
  for (;;) {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const response = await fetch(`${url}/api/manage/v1/bots/${botId}`, { headers })
    const { knowledge } = (await response.json()) as { knowledge: { passages: number; embedded_passages: number } }
    if (knowledge.embedded_passages >= knowledge.passages) return knowledge.passages
    await pause(1000)
  }
}

async function indexBytesOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^docent_index_memory_bytes (\d+)$/m.exec(text)?.[1])
}

function start(dataDir: string, environment: Record<string, string>): ServerProcess {
  const common = { ADMIN_TOKEN, DEMO_BOT: 'off', LOG_LEVEL: 'warn' }
  return spawnServer({ dataDir, environment: { ...common, ...environment } })
}

async function urlOf({ listening }: ServerProcess): Promise<string> {
  return `http://127.0.0.1:${await listening}`
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
