// Runs due jobs, such as crawls, a few at a time, under leases: another node can continue after a crash.
import { CLOCK_SKEW_MS } from '../days.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'

const LEASE_MS = 20_000
const RENEW_MS = 4000
const POLL_MS = 2000

export interface LeasedWorker {
  /** Looks for due jobs now. */
  wake(): void
  /** Ends a stopped or deleted job that runs on this node. */
  cancel(botId: string, id: string): Promise<void>
  close(): Promise<void>
}

interface Job {
  botId: string
  id: string
}

interface LeasedWork<J extends Job> {
  jobs: {
    /** Leases a due job. */
    claim(lease: string, now: number, until: number): Promise<J | undefined>
    /** Extends the lease if it is still the holder's. */
    renew(botId: string, id: string, lease: string, until: number): Promise<boolean>
    /** After a start with a database that no other node uses. */
    forgetLeases(): Promise<void>
    /** After the clock was set back, scheduled jobs would wait that much longer. */
    capWaits(now: number, leaseMs: number): Promise<void>
  }
  runSlice: (job: J, lease: string, signal: AbortSignal) => Promise<void>
  atOnce: number
  clock: () => number
  onError: (error: unknown) => void
}

export function startLeasedWorker<J extends Job>({
  jobs,
  runSlice,
  atOnce,
  clock,
  onError,
}: LeasedWork<J>): LeasedWorker {
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  let polling: Promise<void> | null = jobs.forgetLeases().catch(onError)
  let isWanted = true
  let isClosed = false
  let lastPollAt = clock()
  void polling.then(() => {
    polling = null
    poll()
  })
  const pollTimer = setInterval(poll, POLL_MS)
  pollTimer.unref()

  function poll() {
    isWanted = true
    polling ??= takeAll()
      .catch(onError)
      .finally(() => {
        polling = null
      })
  }

  async function takeAll() {
    while (isWanted && !isClosed) {
      isWanted = false
      const polledAt = clock()
      if (polledAt < lastPollAt - CLOCK_SKEW_MS) await jobs.capWaits(polledAt, LEASE_MS)
      lastPollAt = polledAt
      while (!isClosed && running.size < atOnce) {
        const lease = randomId('req')
        const job = await jobs.claim(lease, clock(), clock() + LEASE_MS)
        if (!job) break
        const key = `${job.botId}/${job.id}`
        // After the machine slept, our own lease may have expired.
        const before = running.get(key)
        before?.abort.abort()
        await before?.ended
        const abort = new AbortController()
        if (isClosed) abort.abort()
        const completion = runJob(job, lease, abort).finally(() => {
          running.delete(key)
          if (!isClosed) poll()
        })
        running.set(key, { abort, ended: completion })
      }
    }
  }

  async function runJob(job: J, lease: string, abort: AbortController) {
    const renewing = setInterval(() => {
      jobs.renew(job.botId, job.id, lease, clock() + LEASE_MS).then((isOurs) => isOurs || abort.abort(), onError)
    }, RENEW_MS)
    try {
      await runSlice(job, lease, abort.signal)
    } catch (error) {
      // Another node, or a later slice, continues when the lease expires.
      if (!abort.signal.aborted && !isDeleted(error)) onError(error)
    } finally {
      clearInterval(renewing)
    }
  }

  return {
    wake: poll,
    async cancel(botId, id) {
      const runningJob = running.get(`${botId}/${id}`)
      runningJob?.abort.abort()
      await runningJob?.ended
    },
    async close() {
      isClosed = true
      clearInterval(pollTimer)
      for (const { abort } of running.values()) abort.abort()
      await polling
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** The bot was deleted during the job, and all its data with it. */
function isDeleted(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'foreign_key'
}
