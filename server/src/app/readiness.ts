// Readiness, tested with a write because a full or read-only disk can still be read, and the background backlog. Both
// are cached briefly, so that frequent checks cost little.
import { cacheResult } from '../caching.ts'
import { StorageError } from '../storage/database.ts'
import type { Storage } from '../storage/storage.ts'

const WRITE_EVERY_MS = 900
const LONGEST_WRITE_MS = 3000
const COUNT_EVERY_MS = 5000
const MAX_COUNTED = 1000

interface Backlog {
  depth: number
  /** When the oldest item was queued; null when the queue is empty. */
  since: number | null
}

interface Deps {
  storage: Pick<Storage, 'instanceValues' | 'crawls' | 'deliveryQueue' | 'nodes'>
  vectorBacklog: (limit: number) => Promise<Backlog>
  clock: () => number
}

export function openReadiness({ storage, vectorBacklog, clock }: Deps) {
  const { instanceValues, crawls, deliveryQueue, nodes } = storage

  async function write(): Promise<string | null> {
    const check = Promise.all([nodes.isOutdated(), instanceValues.set('written_at', String(clock()))]).then(
      ([isOutdated]) => (isOutdated ? 'a newer version has changed the database: this one can no longer use it' : null),
    )
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, LONGEST_WRITE_MS, 'the database takes too long to write').unref()
    })
    return Promise.race([check, late]).catch((error: unknown) => {
      if (error instanceof StorageError && error.reason) return error.reason
      throw error
    })
  }

  async function webhookBacklog(): Promise<Backlog> {
    const depth = await deliveryQueue.countWaiting(MAX_COUNTED)
    const due = depth > 0 ? (await deliveryQueue.listWaiting()).map(({ dueAt }) => dueAt) : []
    return { depth, since: due.length > 0 ? Math.min(...due) : null }
  }

  async function count() {
    const [vectors, crawling, webhooks] = await Promise.all([
      vectorBacklog(MAX_COUNTED),
      crawls.countDue(clock(), MAX_COUNTED),
      webhookBacklog(),
    ])
    return { vectors: withAge(vectors), crawls: withAge(crawling), webhooks: withAge(webhooks) }
  }

  function withAge({ depth, since }: Backlog) {
    return { depth, oldest_seconds: since === null ? 0 : Math.max(0, Math.round((clock() - since) / 1000)) }
  }

  return { whyNotReady: cacheResult(write, WRITE_EVERY_MS), backlogs: cacheResult(count, COUNT_EVERY_MS) }
}
