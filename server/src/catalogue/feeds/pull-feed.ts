// One run of a feed: downloads it, parses it in a thread, and imports it like any product sync.
import type { FeedRun, SyncReport } from '@docent/contract'
import { timedId } from '../../ids.ts'
import type { FetchPage } from '../../outbound/fetch-page.ts'
import { openUnnamedFile } from '../../sources/files/open-unnamed-file.ts'
import type { BotRecord, BotsTable } from '../../storage/bots.ts'
import { StorageError } from '../../storage/database.ts'
import type { FeedEnd, FeedRecord, ProductFeedsTable } from '../../storage/feeds.ts'
import type { SyncProducts } from '../products/sync-products.ts'
import { FeedFailure, feedFailure } from './feed-failure.ts'
import type { FeedEntry } from './feed-item.ts'
import { readInThread } from './feed-thread.ts'
import { fetchFeed } from './fetch-feed.ts'
import { planRemoval, type Removal } from './product-ids.ts'

const HOUR_MS = 3_600_000
const PROGRESS_MS = 500
// After so many starts without an end, the feed itself probably crashes the process.
const MAX_ATTEMPTS = 3

export interface PullDeps {
  productFeeds: ProductFeedsTable
  bots: Pick<BotsTable, 'findWorkspaceId' | 'find'>
  fetchPage: FetchPage
  syncProducts: SyncProducts
  /** Null when it was sealed with another key. */
  openUrl: (feedId: string, sealed: string) => string | null
  limits: { bytes: number; items: number; timeoutMs: number }
  stagingFolder: string
  onRemoved: (bot: BotRecord, feed: FeedRecord, count: number) => Promise<void>
  clock: () => number
  onError: (error: unknown) => void
}

type Report = Omit<FeedRun, 'id' | 'started_at' | 'finished_at'>
type Result = { report: Report } & Omit<FeedEnd, 'dueAt'>

const nothing: Report = {
  ...{ outcome: 'unchanged', reason: null, status_code: null },
  ...{ received: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, removal_held: 0, errors: [] },
}

export function createPullFeed(deps: PullDeps) {
  const { productFeeds, bots, syncProducts, openUrl, limits, stagingFolder, onRemoved, clock, onError } = deps

  return async (feed: FeedRecord, lease: string, signal: AbortSignal): Promise<void> => {
    const { botId, id } = feed
    const startedAt = clock()
    await productFeeds.startRun(botId, id, lease)
    const result = await pull(feed, lease, signal)
      .catch((error): Result => {
        if (signal.aborted || error instanceof StorageError) throw error
        const failure = feedFailure(error)
        if (!failure) onError(error)
        const { reason, statusCode } = failure ?? new FeedFailure('internal')
        return { report: { ...nothing, outcome: 'failed', reason, status_code: statusCode } }
      })
      .catch(async (error) => {
        // The server is stopping, or the feed was paused and the lease is gone.
        if (signal.aborted) await productFeeds.release(botId, id, lease, clock())
        throw error
      })
    const { report, ...end } = result
    // Its settings may have changed meanwhile.
    const current = (await productFeeds.find(botId, id)) ?? feed
    const isChanged = current.url !== feed.url || current.removeMissing !== feed.removeMissing
    const finishedAt = clock()
    const run = { id: timedId('run', finishedAt), startedAt, finishedAt, report: JSON.stringify(report) }
    const whole = isChanged ? { etag: null, lastModified: null } : {}
    const dueAt = nextRunAt(current, report, finishedAt)
    await productFeeds.finish(botId, id, lease, { ...end, ...whole, dueAt }, run)
  }

  async function pull(feed: FeedRecord, lease: string, signal: AbortSignal): Promise<Result> {
    const { botId, id } = feed
    const workspaceId = await bots.findWorkspaceId(botId)
    const bot = workspaceId && (await bots.find(workspaceId, botId))
    if (!bot) throw new StorageError('foreign_key', 'the bot was deleted')
    const url = openUrl(id, feed.url)
    if (feed.attempts >= MAX_ATTEMPTS || url === null) throw new FeedFailure('internal')
    const progress = { bytes: 0, totalBytes: null as number | null, items: 0 }
    const telling = setInterval(() => {
      productFeeds.recordProgress(botId, id, lease, progress).catch(onError)
    }, PROGRESS_MS)
    const file = await openUnnamedFile(stagingFolder)
    try {
      const { status, headers } = await fetchFeed(deps, feed, url, file, progress, signal)
      if (status === 304) return { report: { ...nothing, status_code: status } }
      const contentType = headers['content-type'] ?? ''
      const source = { descriptor: file.fd, sizeBytes: progress.bytes, contentType, maxBytes: limits.bytes }
      let format: string | undefined
      let removal: Removal | undefined
      async function* entries(): AsyncGenerator<FeedEntry[]> {
        const batches = readInThread(source, signal)
        try {
          let next = await batches.next()
          for (; !next.done; next = await batches.next()) {
            progress.items += next.value.length
            if (progress.items > limits.items) throw new FeedFailure('too_many_items')
            yield next.value
          }
          format = next.value
        } finally {
          await batches.return('')
        }
      }
      const sync = await syncProducts(bot, {
        entries: entries(),
        options: () => ({}),
        async removals(read) {
          if (read.received === 0) throw new FeedFailure('empty', status)
          // Read again: whoever notices a wrong feed can still stop it from removing products.
          const now = await productFeeds.find(feed.botId, feed.id)
          const removeMissing = feed.removeMissing && now?.removeMissing === true && now.url === feed.url
          removal = await planRemoval(productFeeds, { ...feed, removeMissing }, read)
          return removal.ids
        },
      })
      const { report, everyItemFailed } = sync
      if (report.deleted > 0) await onRemoved(bot, feed, report.deleted)
      return {
        report: toReport(report, everyItemFailed, status, removal?.held ?? 0),
        format,
        ...(everyItemFailed ? {} : { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null }),
        productIds: removal?.packed,
      }
    } finally {
      clearInterval(telling)
      await file.close()
    }
  }
}

function toReport(report: SyncReport, everyItemFailed: boolean, statusCode: number, held: number): Report {
  const { received, created, updated, unchanged, deleted, failed, errors } = report
  return {
    outcome: everyItemFailed ? 'failed' : 'done',
    reason: everyItemFailed ? 'every_item_failed' : null,
    status_code: statusCode,
    ...{ received, created, updated, unchanged, deleted, failed, removal_held: held, errors },
  }
}

/** A failed run is retried in an hour. */
function nextRunAt({ everyHours, paused }: FeedRecord, { outcome }: Report, now: number): number | null {
  if (everyHours === null || paused) return null
  return now + (outcome === 'failed' ? 1 : everyHours) * HOUR_MS
}
