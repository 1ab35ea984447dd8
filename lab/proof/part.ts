// The result of a part of the proof: how much was tried, and every violated guarantee.
import { readFileSync } from 'node:fs'
import type { Engine } from '../../server/test/harness/database/databases.ts'
import type { StartedProcess } from '../../server/test/harness/start-process.ts'
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
