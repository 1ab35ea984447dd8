// How long the event loop is held, in processor time of this thread: a busy machine changes that little.
import { existsSync, readFileSync } from 'node:fs'

function cpuMsSince(last: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(last)
  return (user + system) / 1000
}

export async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  await work()
  return cpuMsSince(start)
}

/** The longest time for which nothing else could run. */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let last = process.threadCpuUsage()
  let longest = 0
  const beat = () => {
    longest = Math.max(longest, cpuMsSince(last))
    last = process.threadCpuUsage()
  }
  const ticking = setInterval(beat, 1)
  try {
    await work()
    beat()
    return longest
  } finally {
    clearInterval(ticking)
  }
}

/** Of all the time that the work takes. */
export async function longestHoldShare(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  const wholeMs = await cpuMsOf(async () => {
    longestMs = await longestHoldMs(work)
  })
  return longestMs / wholeMs
}

/** A clock that runs while the event loop of another process does; where that is not told, one that always runs. */
export function eventLoopClock(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(file)) return () => performance.now()
  return () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}
