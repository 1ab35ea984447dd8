// The result of a part of the proof: how much was tried, and every violated guarantee.
import { readFileSync } from 'node:fs'
import type { Engine } from '../../server/test/harness/database/databases.ts'
import { createTestDatabase, type StartedProcess, startProcess } from '../../server/test/harness/start-process.ts'
import { botCreator } from '../../server/test/harness/start-server.ts'
import { pause } from '../../server/test/harness/wait.ts'

const PROBE_MS = 20
/** Of a server, whatever is asked of it. */
const MAX_MB = 512

export interface PartResult {
  counts: Record<string, number>
  problems: string[]
  /** What could not be tried here, and why. */
  notRun?: string
}

export interface PartOptions {
  engine: Engine
  seed: number
  /** How often, in the unit of the part: requests, kills, rounds. */
  times: number
}

/** As many at once as a busy client would; the order is that of the seed, but for what overlaps. */
export async function inParallel(times: number, atOnce: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

// All callers of a part share one address, and nothing listens for names.
const WITHOUT_LIMITS = {
  LOG_LEVEL: 'error',
  CRAWL_HOST_DELAY_MS: '0',
  WIDGET_FILES_PER_DAY: '100000',
  WIDGET_BOTS_PER_ADDRESS: '1000',
  WIDGET_REQUESTS_PER_MINUTE: '10000000',
  WIDGET_MESSAGES_PER_MINUTE: '1000000',
  WIDGET_SESSIONS_PER_HOUR: '10000000',
  DOWNLOADS_PER_MINUTE: '100000',
  BASE_URL: 'https://docent.test',
  DNS_SERVERS: '127.0.0.1:9',
}

export type WatchedServer = Awaited<ReturnType<typeof startWatchedServer>>

/** In a process of its own, so that its memory and its stalls are not those of the part. */
export async function startWatchedServer(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startProcess({
    database: await createTestDatabase(engine),
    environment: { ...WITHOUT_LIMITS, ...environment },
  })
  const [, setUpToken = null] = /Set up +\S*#(\S+)/.exec(server.output()) ?? []
  const watch = watchServer(server)

  return {
    ...server,
    setUpToken,
    createBot: botCreator(server.call),
    /** The result of the part, with what was sampled. */
    async end({ counts, problems }: PartResult): Promise<PartResult> {
      const sampled = await watch.end()
      await server.stop()
      return { counts: { ...counts, ...sampled.counts }, problems: [...problems, ...sampled.problems] }
    },
  }
}

/**
 * Samples the memory of a server in a process of its own, and how long health checks wait. How long is told and bounded
 * by the parts that need an idle machine only.
 */
export function watchServer({ pid, call }: Pick<StartedProcess, 'pid' | 'call'>) {
  let slowestMs = 0
  let peakMb = 0
  let isRunning = true
  const watching = (async () => {
    while (isRunning) {
      const askedAt = performance.now()
      await call('GET /livez')
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - askedAt))
      peakMb = Math.max(peakMb, residentMb(pid))
      await pause(PROBE_MS)
    }
  })()

  return {
    /** The slowest since the last call. */
    takeSlowestMs() {
      const slowestSoFarMs = slowestMs
      slowestMs = 0
      return slowestSoFarMs
    },
    async end() {
      isRunning = false
      await watching
      const counts = { 'MB at most': peakMb, 'ms the slowest health check took': slowestMs }
      return { peakMb, slowestMs, counts, problems: peakMb > MAX_MB ? [`${peakMb} MB were resident`] : [] }
    },
  }
}

/** Zero where there is no /proc. */
export function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
