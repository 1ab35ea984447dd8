// Jobs waiting for a thread. The workspace with the least recent thread time goes first, so that one with many or
// slow jobs delays only itself. Limited in bytes, in total and per workspace. One large job runs at a time, since
// parsing takes many times its memory.
interface Job {
  workspaceId: string
  /** Memory it takes while waiting. */
  waitingBytes: number
  isLarge: boolean
}

interface Share {
  waiting: Job[]
  waitingBytes: number
  running: number
  /** Thread time, halved every HALF_LIFE_MS. */
  usedMs: number
  usedAt: number
}

const HALF_LIFE_MS = 30_000
/** Above this, the last free thread is reserved for others. */
const HEAVY_MS = 2000
// Negligible shares are removed.
const NEGLIGIBLE_MS = 1

interface FairQueue<T> {
  /** False when the queue is full. A workspace's only job is always accepted, whatever its size. */
  add(job: T): boolean
  /** The next job, or null if none may run on that many free threads. Every job taken must be released. */
  take(freeThreads: number): T | null
  release(job: T, usedMs: number): void
  takeAll(): T[]
}

export function makeFairQueue<T extends Job>(limitBytes: number, now = () => performance.now()): FairQueue<T> {
  // In order of arrival or last service.
  const shares = new Map<string, Share>()
  let waitingBytes = 0
  let isLargeRunning = false

  function usedMs({ usedMs, usedAt }: Share): number {
    return usedMs * 0.5 ** ((now() - usedAt) / HALF_LIFE_MS)
  }

  function isIdle({ waiting, running }: Share): boolean {
    return waiting.length === 0 && running === 0
  }

  function forgetIdle() {
    for (const [id, share] of shares) if (isIdle(share) && usedMs(share) < NEGLIGIBLE_MS) shares.delete(id)
  }

  function mayRun(share: Share, freeThreads: number): boolean {
    return freeThreads > 1 || (share.running === 0 && usedMs(share) < HEAVY_MS) || !isSomethingRunning()
  }

  function isSomethingRunning(): boolean {
    return shares.values().some(({ running }) => running > 0)
  }

  function nextOf({ waiting }: Share): number {
    return waiting.findIndex(({ isLarge }) => !isLarge || !isLargeRunning)
  }

  return {
    add(job) {
      forgetIdle()
      const share = shares.get(job.workspaceId) ?? {
        waiting: [],
        waitingBytes: 0,
        running: 0,
        usedMs: 0,
        usedAt: now(),
      }
      if (share.waitingBytes > 0 && share.waitingBytes + job.waitingBytes > limitBytes / 2) return false
      // A full queue must not shut out a workspace that has nothing in it.
      if (!isIdle(share) && waitingBytes + job.waitingBytes > limitBytes) return false
      shares.set(job.workspaceId, share)
      share.waiting.push(job)
      share.waitingBytes += job.waitingBytes
      waitingBytes += job.waitingBytes
      return true
    },

    take(freeThreads) {
      const [next] = [...shares]
        .filter(([, share]) => nextOf(share) >= 0 && mayRun(share, freeThreads))
        .toSorted(([, a], [, b]) => a.running - b.running || usedMs(a) - usedMs(b))
      const [job] = next ? next[1].waiting.splice(nextOf(next[1]), 1) : []
      if (!next || !job) return null
      const [id, share] = next
      share.waitingBytes -= job.waitingBytes
      waitingBytes -= job.waitingBytes
      share.running++
      isLargeRunning ||= job.isLarge
      shares.delete(id)
      shares.set(id, share)
      return job as T
    },

    release(job, addedMs) {
      if (job.isLarge) isLargeRunning = false
      const share = shares.get(job.workspaceId)
      if (!share) return
      share.running--
      share.usedMs = usedMs(share) + addedMs
      share.usedAt = now()
    },

    takeAll() {
      const all = [...shares.values()].flatMap(({ waiting }) => waiting.splice(0))
      for (const share of shares.values()) share.waitingBytes = 0
      waitingBytes = 0
      return all as T[]
    },
  }
}
