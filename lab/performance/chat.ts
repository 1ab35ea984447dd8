// Chat turns per second with durable writes, alternating with a bare Fastify echo of the same bodies;
// then the CPU time of one turn by stage. `node lab/performance/chat.ts [rounds] [seconds] [vectors]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from './load/create-bot.ts'
import { documents } from './load/demo-content.ts'
import { type LoadResult, load } from './load/load.ts'
import { stageCosts } from './load/stages.ts'

const CONNECTIONS = 32
const MIN_RATIO = 0.25
const MAX_P99_MS = 25
const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 4)
// Without vectors by default: the target applies to lexical search.
const vectors = process.argv[4] === 'vectors'
const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))

try {
  const { turns, echoes } = await compare()
  const rate = median(turns.map(({ turnsPerSecond }) => turnsPerSecond))
  const reference = median(echoes.map(({ turnsPerSecond }) => turnsPerSecond))
  const ratio = median(turns.map(({ turnsPerSecond }, round) => turnsPerSecond / (echoes[round]?.turnsPerSecond ?? 0)))
  const p99 = median(turns.map(({ p99Ms }) => p99Ms))
  console.log(`\nmedians of ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections, SQLite with synchronous=FULL`)
  console.log(`chat turns      ${rate.toFixed(0)} a second`)
  console.log(`bare echo       ${reference.toFixed(0)} a second`)
  console.log(`ratio           ${ratio.toFixed(3)} ${verdict(ratio >= MIN_RATIO)}`)
  const cost = median(turns.map(({ cpuMicroseconds }) => cpuMicroseconds))
  const referenceCost = median(echoes.map(({ cpuMicroseconds }) => cpuMicroseconds))
  console.log(`processor time  ${cost.toFixed(0)} µs a turn, ${referenceCost.toFixed(0)} µs an echo`)
  console.log(`p50             ${median(turns.map(({ p50Ms }) => p50Ms))} ms`)
  console.log(`p99             ${p99} ms ${verdict(p99 <= MAX_P99_MS)}`)
  await printStages()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Alternates several times, so that other load on the machine affects both alike. */
async function compare() {
  const server = startServer('compare')
  const echo = await startEcho()
  const url = `http://127.0.0.1:${await server.listening}`
  const turns: LoadResult[] = []
  const echoes: LoadResult[] = []
  try {
    const bot = await createBot(url, ADMIN_TOKEN, documents())
    await load(url, bot, { connections: CONNECTIONS, seconds: 2 })
    await load(echo.url, bot, { connections: CONNECTIONS, seconds: 1 })
    for (let round = 1; round <= rounds; round++) {
      const turn = await load(url, bot, { connections: CONNECTIONS, seconds })
      const reference = await load(echo.url, bot, { connections: CONNECTIONS, seconds })
      turns.push(turn)
      echoes.push(reference)
      const ratio = turn.turnsPerSecond / reference.turnsPerSecond
      console.log(
        `round ${round}: ${turn.turnsPerSecond} turns/s (p50 ${turn.p50Ms}, p99 ${turn.p99Ms} ms, ${turn.cpuMicroseconds.toFixed(0)} µs), ` +
          `${reference.turnsPerSecond} echoes/s (p99 ${reference.p99Ms} ms, ${reference.cpuMicroseconds.toFixed(0)} µs), ratio ${ratio.toFixed(3)}`,
      )
    }
  } finally {
    echo.stop()
    await server.stop()
  }
  return { turns, echoes }
}

async function printStages() {
  const profiles = join(folder, 'profiles')
  const server = startServer('profile', ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=250'])
  const url = `http://127.0.0.1:${await server.listening}`
  const bot = await createBot(url, ADMIN_TOKEN, documents())
  await load(url, bot, { connections: CONNECTIONS, seconds: 2 })
  const from = monotonicMicroseconds()
  const { turns, cpuMicroseconds } = await load(url, bot, { connections: CONNECTIONS, seconds })
  const to = monotonicMicroseconds()
  await server.stop()

  const { byStage, byFunction } = stageCosts(join(profiles, readdirSync(profiles)[0] ?? ''), from, to)
  const total = [...byStage.values()].reduce((sum, value) => sum + value, 0)
  console.log(
    `\none turn: ${cpuMicroseconds.toFixed(0)} µs of processor time; with waits for disk and processor, by stage`,
  )
  for (const [stage, microseconds] of largest(byStage, 20)) console.log(line(stage, microseconds, turns, total))
  console.log('\nfunctions by self time')
  for (const [name, microseconds] of largest(byFunction, 15)) console.log(line(name, microseconds, turns, total))
}

function startServer(name: string, nodeOptions: string[] = []) {
  const dataDir = mkdtempSync(join(folder, `${name}-`))
  return spawnServer({
    dataDir,
    environment: { ADMIN_TOKEN, DEMO_BOT: 'off', EMBEDDINGS: vectors ? 'on' : 'off' },
    nodeOptions,
  })
}

async function startEcho() {
  const path = fileURLToPath(new URL('./load/echo-server.ts', import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(Number(String(chunk))))
    child.once('exit', () => reject(new Error('the echo server did not start')))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

function line(name: string, microseconds: number, turns: number, total: number): string {
  const share = `${((microseconds / total) * 100).toFixed(1)} %`
  return `  ${(microseconds / turns).toFixed(1).padStart(7)} µs ${share.padStart(7)}  ${name}`
}

function largest(map: Map<string, number>, count: number) {
  return [...map].sort(([, a], [, b]) => b - a).slice(0, count)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function verdict(holds: boolean): string {
  return holds ? '(as aimed)' : '(short of the aim)'
}

/** The clock of V8's profiles. */
function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
