// Works on crawls that are due, a few at a time, each for a turn; what is not done then goes to the back of the line.
// Any node may take up what another has left.
import { CLOCK_SKEW_MS } from '../../days.ts'
import { randomId } from '../../ids.ts'
import type { CrawlsTable } from '../../storage/crawls/crawls.ts'
import { StorageError } from '../../storage/database.ts'
import type { RunSlice } from './run-slice.ts'
import { LONGEST_WAIT_MS } from './visit.ts'

const LEASE_MS = 20_000
const RENEW_MS = 4000
const POLL_MS = 2000

export interface Crawler {
  /** Looks for what is due now instead of in a moment. */
  wake(): void
  /** Lets go of a crawl that was stopped or deleted, when this node is at it. */
  cancel(botId: string, crawlId: string): Promise<void>
  close(): Promise<void>
}

interface Deps {
  crawls: Pick<CrawlsTable, 'claim' | 'renew' | 'forgetLeases' | 'capWaits'>
  runSlice: RunSlice
  crawlsAtOnce: number
  clock: () => number
  onError: (error: unknown) => void
}

export function startCrawler({ crawls, runSlice, crawlsAtOnce, clock, onError }: Deps): Crawler {
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  let looking: Promise<void> | null = crawls.forgetLeases().catch(onError)
  let wanted = true
  let closed = false
  let lastLookAt = clock()
  void looking.then(() => {
    looking = null
    look()
  })
  const polling = setInterval(look, POLL_MS)
  polling.unref()

  function look() {
    wanted = true
    looking ??= takeAll()
      .catch(onError)
      .finally(() => {
        looking = null
      })
  }

  async function takeAll() {
    while (wanted && !closed) {
      wanted = false
      const lookedAt = clock()
      if (lookedAt < lastLookAt - CLOCK_SKEW_MS) await capWaits(lookedAt)
      lastLookAt = lookedAt
      while (!closed && running.size < crawlsAtOnce) {
        const lease = randomId('crl')
        const crawl = await crawls.claim(lease, clock(), clock() + LEASE_MS)
        if (!crawl) break
        const key = `${crawl.botId}/${crawl.id}`
        // After a sleep of the whole machine a lease may have run out that is our own.
        const before = running.get(key)
        before?.abort.abort()
        await before?.ended
        const abort = new AbortController()
        if (closed) abort.abort()
        const ended = turn(crawl, lease, abort).finally(() => {
          running.delete(key)
          if (!closed) look()
        })
        running.set(key, { abort, ended })
      }
    }
  }

  /** The clock was set back: what was to wait for a time of before would wait as much longer. */
  const capWaits = (now: number) => crawls.capWaits(now, { leaseMs: LEASE_MS, retryMs: LONGEST_WAIT_MS })

  async function turn(crawl: Parameters<RunSlice>[0], lease: string, abort: AbortController) {
    const renewing = setInterval(() => {
      crawls.renew(crawl.botId, crawl.id, lease, clock() + LEASE_MS).then((isOurs) => isOurs || abort.abort(), onError)
    }, RENEW_MS)
    try {
      await runSlice(crawl, lease, abort.signal)
    } catch (error) {
      // Another node, or a later turn, goes on when the lease has run out.
      if (!abort.signal.aborted && !isDeleted(error)) onError(error)
    } finally {
      clearInterval(renewing)
    }
  }

  return {
    wake: look,
    async cancel(botId, crawlId) {
      const found = running.get(`${botId}/${crawlId}`)
      found?.abort.abort()
      await found?.ended
    },
    async close() {
      closed = true
      clearInterval(polling)
      for (const { abort } of running.values()) abort.abort()
      await looking
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** Its bot went while it was at work, and everything of the crawl with it. */
function isDeleted(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'foreign_key'
}
