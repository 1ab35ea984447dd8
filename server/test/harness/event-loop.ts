// Measures how long the event loop is blocked, in CPU time of this thread: other load on the machine hardly affects
// that.
import { existsSync, readFileSync } from 'node:fs'

function cpuMsSince(last: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(last)
  return (user + system) / 1000
}

export async function measureCpuMs(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  await work()
  return cpuMsSince(start)
}

/** The longest stretch during which nothing else could run. */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let last = process.threadCpuUsage()
  let longest = 0
  const record = () => {
    longest = Math.max(longest, cpuMsSince(last))
    last = process.threadCpuUsage()
  }
  const timer = setInterval(record, 1)
  try {
    await work()
    record()
    return longest
  } finally {
    clearInterval(timer)
  }
}

/** The longest stretch as a share of the total time. */
export async function longestBlockShare(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  const totalMs = await measureCpuMs(async () => {
    longestMs = await longestBlockMs(work)
  })
  return longestMs / totalMs
}

/** CPU time of another process's main thread; wall-clock time where the system does not report it. */
export function eventLoopClock(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(file)) return () => performance.now()
  return () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}
