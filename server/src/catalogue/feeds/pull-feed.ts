// One run of a feed: downloads it, parses it in a thread, and imports it like any product sync.
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import type { FeedRun, ShopKey, SyncReport } from '@docent/contract'
import type { Context } from '../../context.ts'
import { timedId } from '../../ids.ts'
import { FetchFailure, type FetchPage, type PageResponse } from '../../outbound/fetch-page.ts'
import { openUnnamedFile } from '../../sources/files/stage-file.ts'
import type { BotRecord } from '../../storage/bots.ts'
import { StorageError } from '../../storage/database.ts'
import type { FeedEnd, FeedRecord, ProductFeedsTable } from '../../storage/feeds.ts'
import type { ParsedIds, SyncProducts } from '../products/sync-products.ts'
import { type FeedEntry, UnreadableFeed } from './feed-formats.ts'
import { type CutReason, makeFeedPages, siteOfFeed } from './feed-pages.ts'
import { readInThread } from './feed-thread.ts'
import { feedRequest } from './feeds.ts'
import { FeedFailure, openShop } from './shop-calls.ts'
import { readShopify } from './shopify.ts'
import { readWooCommerce } from './woocommerce.ts'

const HOUR_MS = 3_600_000
const PROGRESS_MS = 500
// After so many starts without an end, the feed itself probably crashes the process.
const MAX_ATTEMPTS = 3

interface Neighbours {
  syncProducts: SyncProducts
  /** Null when it was sealed with another key. */
  openUrl: (feedId: string, sealedUrl: string) => string | null
  openShopKey: (feedId: string, sealedKey: string) => string | null
  stagingFolder: string
  onRemoved: (bot: BotRecord, feed: FeedRecord, count: number) => Promise<void>
}

type Report = Omit<FeedRun, 'id' | 'started_at' | 'finished_at'>
type Result = { report: Report } & Omit<FeedEnd, 'dueAt'>

const nothing: Report = {
  outcome: 'unchanged',
  reason: null,
  status_code: null,
  received: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  removal_held: 0,
  pages: 0,
  cut_reason: null,
  errors: [],
  warnings: [],
}

export function makePullFeed(context: Context, neighbours: Neighbours) {
  const { storage, outbound, config, clock, onError } = context
  const { productFeeds, bots } = storage
  const { fetchPage, urlProblem } = outbound
  const { syncProducts, openUrl, openShopKey, stagingFolder, onRemoved } = neighbours
  const limits = { bytes: config.syncMaxBytes, items: config.syncMaxItems, timeoutMs: config.feedTimeoutMs }

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
    const isChanged =
      current.url !== feed.url ||
      current.shopKey !== feed.shopKey ||
      current.removeMissing !== feed.removeMissing ||
      current.currency !== feed.currency
    const finishedAt = clock()
    const run = { id: timedId('run', finishedAt), startedAt, finishedAt, report: JSON.stringify(report) }
    const whole = isChanged ? { etag: null, lastModified: null } : {}
    const dueAt = nextRunAt(current, report, finishedAt)
    await productFeeds.finish(botId, id, lease, { ...end, ...whole, dueAt }, run)
  }

  /** It is missing after the instance's secret was changed. */
  function shopKeyOf({ id, shopKey }: FeedRecord): ShopKey {
    const key = shopKey && openShopKey(id, shopKey)
    if (!key) throw new FeedFailure('key_missing')
    return JSON.parse(key)
  }

  async function pull(feed: FeedRecord, lease: string, signal: AbortSignal): Promise<Result> {
    const { botId, id } = feed
    const bot = await bots.findById(botId)
    if (!bot) throw new StorageError('foreign_key', 'the bot was deleted')
    const url = openUrl(id, feed.url)
    if (feed.attempts >= MAX_ATTEMPTS || url === null) throw new FeedFailure('internal')
    const progress = { bytes: 0, totalBytes: null as number | null, items: 0 }
    const download = { url, progress, signal, deadline: Date.now() + limits.timeoutMs }
    const telling = setInterval(() => {
      productFeeds.recordProgress(botId, id, lease, progress).catch(onError)
    }, PROGRESS_MS)
    const file = await openUnnamedFile(stagingFolder)
    try {
      const summary: ImportSummary = { format: undefined, pages: 1, cutReason: null }
      const first = feed.shop ? null : await fetchFeed({ fetchPage, limits }, feed, download, file)
      const { status = 200, headers = {} } = first?.response ?? {}
      if (status === 304) return { report: { ...nothing, status_code: status } }
      const entries = first ? entriesOfFile(first) : entriesOfShop()
      let removal: Removal | undefined

      async function* entriesOfFile(start: DownloadedPage): AsyncGenerator<FeedEntry[]> {
        const feedPages = makeFeedPages()
        for (let page = start; ; summary.pages++) {
          const before = progress.items
          yield* entriesOfPage(page)
          const next = feedPages.next(page.response, progress.items - before, page.hash)
          if (next && 'cut' in next) summary.cutReason = next.cut
          if (!next || 'cut' in next) return
          page = await fetchFeed(
            { fetchPage, limits },
            {},
            { ...download, url: next.url, credentials: download.url },
            file,
          )
        }
      }

      async function* entriesOfPage({ response, sizeBytes }: DownloadedPage): AsyncGenerator<FeedEntry[]> {
        const contentType = response.headers['content-type'] ?? ''
        const batches = readInThread({ descriptor: file.fd, sizeBytes, contentType, maxBytes: limits.bytes }, signal)
        summary.format = yield* countItems(batches)
      }

      async function* entriesOfShop(): AsyncGenerator<FeedEntry[]> {
        const key = shopKeyOf(feed)
        const { url: address } = feedRequest(download.url)
        // The name may lead elsewhere than when it was saved.
        if (await urlProblem(address, { carriesKey: true }))
          throw new FeedFailure((await urlProblem(address)) ? 'refused_address' : 'insecure_address')
        const access = openShop({ fetchPage, limitBytes: limits.bytes, deadline: download.deadline, signal, progress })
        const products =
          key.type === 'shopify' ? readShopify(access, download.url, key) : readWooCommerce(access, download.url, key)
        Object.assign(summary, yield* countItems(products))
        summary.format = `${key.type}_api`
      }

      async function* countItems<End>(batches: AsyncGenerator<FeedEntry[], End>): AsyncGenerator<FeedEntry[], End> {
        try {
          let next = await batches.next()
          for (; !next.done; next = await batches.next()) {
            progress.items += next.value.length
            if (progress.items > limits.items) throw new FeedFailure('too_many_items')
            yield next.value
          }
          return next.value
        } finally {
          await batches.return(undefined as End)
        }
      }
      const siteUrl = bot.siteUrl ?? (first && siteOfFeed(first.response.url))
      const { report, everyItemFailed } = await syncProducts(
        { ...bot, siteUrl },
        {
          entries,
          options: () => (feed.currency ? { currency: feed.currency } : {}),
          async removals(parsedIds) {
            if (parsedIds.received === 0) throw new FeedFailure('empty', status)
            // Read again: whoever notices a wrong feed can still stop it from removing products.
            const now = await productFeeds.find(feed.botId, feed.id)
            const isWanted = feed.removeMissing && now?.removeMissing === true && now.url === feed.url
            const removeMissing = isWanted && summary.cutReason === null
            removal = await planRemoval(productFeeds, { ...feed, removeMissing }, parsedIds)
            return removal.ids
          },
        },
      )
      // The first page may be unchanged while others change.
      const { etag = null, 'last-modified': lastModified = null } = summary.pages === 1 ? headers : {}
      if (report.deleted > 0) await onRemoved(bot, feed, report.deleted)
      return {
        report: {
          ...toReport(report, everyItemFailed, status, removal?.held ?? 0),
          pages: summary.pages,
          cut_reason: summary.cutReason,
        },
        format: summary.format,
        ...(everyItemFailed ? {} : { etag, lastModified }),
        productIds: removal?.packed,
      }
    } finally {
      clearInterval(telling)
      await file.close()
    }
  }
}

/** How the products were read, known when all have been. */
interface ImportSummary {
  format: string | undefined
  pages: number
  cutReason: CutReason | null
}

function toReport(
  report: SyncReport,
  everyItemFailed: boolean,
  statusCode: number,
  heldCount: number,
): Omit<Report, 'pages' | 'cut_reason'> {
  const { received, created, updated, unchanged, deleted, failed, errors, warnings } = report
  return {
    outcome: everyItemFailed ? 'failed' : 'done',
    reason: everyItemFailed ? 'every_item_failed' : null,
    status_code: statusCode,
    received,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    removal_held: heldCount,
    errors,
    warnings,
  }
}

/** A failed run is retried in an hour. */
function nextRunAt({ everyHours, paused }: FeedRecord, { outcome }: Report, now: number): number | null {
  if (everyHours === null || paused) return null
  return now + (outcome === 'failed' ? 1 : everyHours) * HOUR_MS
}

// Downloads a feed to an unnamed file, within size and time limits.
const MAX_REDIRECTS = 5
const ACCEPT = 'application/xml,text/xml,application/rss+xml,application/atom+xml,text/csv,application/json,*/*;q=0.5'
const NO_FEED = /^(image|audio|video|font)\/|^application\/(pdf|zip|javascript)\b/i

interface Deps {
  fetchPage: FetchPage
  limits: { bytes: number; timeoutMs: number }
}

interface Download {
  url: string
  /** The feed's own URL, whose credentials its further pages on the same origin get too. */
  credentials?: string
  /** Of all pages together. */
  progress: { bytes: number; totalBytes: number | null }
  deadline: number
  signal: AbortSignal
}

interface DownloadedPage {
  response: PageResponse
  sizeBytes: number
  hash: string
}

/** Overwrites the page before it in the file. */
async function fetchFeed(
  { fetchPage, limits }: Deps,
  { etag = null, lastModified = null }: Partial<Pick<FeedRecord, 'etag' | 'lastModified'>>,
  { url, credentials = url, progress, deadline, signal }: Download,
  file: FileHandle,
): Promise<DownloadedPage> {
  const isOwnOrigin = new URL(url).origin === new URL(credentials).origin
  const hash = createHash('sha256')
  let sizeBytes = 0
  const response = await fetchPage({
    url: feedRequest(url).url,
    authorization: isOwnOrigin ? feedRequest(credentials).authorization : null,
    etag,
    lastModified,
    signal,
    accept: ACCEPT,
    redirects: MAX_REDIRECTS,
    limitBytes: Math.max(limits.bytes - progress.bytes, 0),
    timeoutMs: Math.max(deadline - Date.now(), 1),
    wants({ status, headers }) {
      const isWanted = status === 200 && !NO_FEED.test(headers['content-type'] ?? '')
      // The content length of a compressed response is not its real size.
      const length = headers['content-encoding'] ? Number.NaN : Number(headers['content-length'] ?? Number.NaN)
      progress.totalBytes = isWanted && !Number.isNaN(length) ? progress.bytes + length : null
      return isWanted
    },
    async receive(chunk) {
      await file.write(chunk, 0, chunk.length, sizeBytes)
      hash.update(chunk)
      sizeBytes += chunk.length
      progress.bytes += chunk.length
    },
  })
  const { status, headers } = response
  if (status !== 200 && status !== 304) throw new FeedFailure('http_status', status)
  if (status === 200 && NO_FEED.test(headers['content-type'] ?? '')) throw new FeedFailure('unsupported_type', status)
  return { response, sizeBytes, hash: hash.digest('base64url') }
}

// Tracks the products of each feed, so that a run can remove those that are missing, and no others.
const pack = promisify(deflate)
const unpack = promisify(inflate)

interface Removal {
  ids: string[]
  /** Missing, but too many to remove without confirmation. */
  held: number
  /** The feed's products from now on, compressed for storage. */
  packed: Uint8Array
}

async function planRemoval(
  feeds: Pick<ProductFeedsTable, 'listProductIds'>,
  { botId, id, removeMissing, removalConfirmed }: FeedRecord,
  { ids, failedIds }: ParsedIds,
): Promise<Removal> {
  const [ownIds] = await feeds.listProductIds(botId, id, 'own')
  const before = ownIds ? await idsOf(ownIds) : []
  const missingIds = before.filter((one) => !ids.has(one) && !failedIds.has(one))
  const isTooMuch = missingIds.length * 2 > before.length && !removalConfirmed
  const removes = removeMissing && missingIds.length > 0 && !isTooMuch
  // Products not removed now stay assigned to the feed, so that a later run can remove them.
  const keptIds = removes ? [] : missingIds
  const refusedIds = before.filter((one) => failedIds.has(one) && !ids.has(one))
  const packedIds = await pack(JSON.stringify([...ids, ...refusedIds, ...keptIds]))
  if (!removes) return { ids: [], held: removeMissing ? missingIds.length : 0, packed: packedIds }
  const elsewhere = new Set<string>()
  for (const other of await feeds.listProductIds(botId, id, 'others'))
    for (const one of await idsOf(other)) elsewhere.add(one)
  return { ids: missingIds.filter((one) => !elsewhere.has(one)), held: 0, packed: packedIds }
}

async function idsOf(packedIds: Uint8Array): Promise<string[]> {
  return JSON.parse((await unpack(packedIds)).toString('utf8'))
}

/** Null for internal errors. */
function feedFailure(error: unknown): FeedFailure | null {
  if (error instanceof FeedFailure) return error
  if (error instanceof FetchFailure || error instanceof UnreadableFeed) return new FeedFailure(error.code)
  return null
}
