// The crawler: leases crawls that are due, visits their pages in short slices, and stores what it read.
import type { Context } from '../../context.ts'
import { DAY_MS } from '../../days.ts'
import {
  type CrawlPageRecord,
  type CrawlPagesTable,
  crawlPageId,
  type FoundPage,
  type PageOutcome,
} from '../../storage/crawl-pages.ts'
import type { CrawlRecord, CrawlsTable } from '../../storage/crawls.ts'
import { StorageError } from '../../storage/database.ts'
import type { Span, Trace } from '../../telemetry/tracing.ts'
import { documentIdOf, type ImportDocuments } from '../documents/documents.ts'
import type { Extractor } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { type LeasedWorker, startLeasedWorker } from '../leased-worker.ts'
import { openHostGate } from './host-gate.ts'
import { isSitemapUrl, normaliseUrl } from './page-urls.ts'
import { openRobotsCache, type RobotsOf } from './robots.ts'
import {
  failedVisit,
  LONGEST_WAIT_MS,
  makeReadPage,
  makeVisitPage,
  retriedVisit,
  type StorePage,
  type Visit,
  type VisitPage,
} from './visit-page.ts'

// The sitemap protocol's limit.
const SITEMAP_BYTES = 50 * 1024 ** 2

interface Neighbours {
  importDocuments: ImportDocuments
  extractor: Extractor
}

export function openCrawler(context: Context, { importDocuments, extractor }: Neighbours): LeasedWorker {
  const { storage, outbound, config, metrics, trace, clock, onError } = context
  const { bots, crawls, crawlPages: pages, documents } = storage
  const { fetchPage } = outbound
  const limits = { ...config.crawl, fileBytes: config.fileMaxBytes, sitemapBytes: SITEMAP_BYTES }
  const robotsOf = openRobotsCache({ fetchPage, timeoutMs: limits.timeoutMs, clock })

  const storePage: StorePage = async (crawl, { url, title, format, content }) => {
    const bot = await bots.findById(crawl.botId)
    if (!bot) throw new StorageError('foreign_key', 'the bot was deleted')
    const report = await importDocuments(bot, [{ url, title, [format]: content }], crawl.id)
    if (report.errors[0]) throw new Unreadable(report.errors[0].message)
    return documentIdOf(url)
  }

  const findWorkspaceId = bots.findWorkspaceId
  const readPage = makeReadPage({ extractor, pages, storePage, findWorkspaceId, sitemapBytes: SITEMAP_BYTES })
  const gate = openHostGate(limits.hostConcurrency)
  const runSlice = makeRunSlice({
    crawls,
    pages,
    visitPage: tracedVisit(makeVisitPage({ fetchPage, robotsOf, gate, readPage, limits, clock }), trace),
    removeDocument: async (crawl, documentId) => void (await documents.remove(crawl.botId, documentId, crawl.id)),
    robotsOf,
    pagesAtOnce: limits.hostConcurrency,
    onVisited: (result) => metrics.count('docent_crawled_pages_total', { result }),
    clock,
    onError,
  })
  const tracedSlice: RunSlice = (crawl, ...rest) =>
    trace('crawl', { 'docent.bot_id': crawl.botId, 'docent.crawl_id': crawl.id }, () => runSlice(crawl, ...rest))
  const crawler = startLeasedWorker({
    jobs: {
      ...crawls,
      capWaits: (now, leaseMs) => crawls.capWaits(now, { leaseMs, retryMs: LONGEST_WAIT_MS }),
    },
    runSlice: tracedSlice,
    atOnce: config.role === 'web' ? 0 : limits.atOnce,
    clock,
    onError,
  })
  return {
    ...crawler,
    async close() {
      // First end running visits, so that a closed parser does not look like a broken page.
      const closing = crawler.close()
      await extractor.close()
      await closing
    },
  }
}

/** Traces only the host: the rest of a URL may be private. */
function tracedVisit(visitPage: VisitPage, trace: Trace): VisitPage {
  return (crawl, page, signal) => {
    const { host } = new URL(page.url)
    const visit = async (span: Span) => {
      const result = await visitPage(crawl, page, signal)
      const { state, reason } = result.outcome
      span.set({ 'docent.result': state, ...(reason ? { 'docent.reason': reason } : {}) })
      if (state === 'failed') span.fail(reason ?? state)
      return result
    }
    return trace('crawl page', { 'server.address': host }, visit, 'client')
  }
}

// One slice of a crawl: starts or resumes a run, visits some pages, and releases the crawl.

// Few enough that many crawls alternate quickly, enough that resuming costs little.
const PAGES_PER_SLICE = 25
const SLICE_MS = 20_000
const PAGES_PER_WRITE = 100
// After so many starts without an end, the crawl itself probably crashes the process.
const MAX_ATTEMPTS = 6
// Fetch again after this time, whatever the sitemap says.
const READ_AGAIN_MS = 7 * DAY_MS

interface SliceDeps {
  crawls: CrawlsTable
  pages: CrawlPagesTable
  visitPage: VisitPage
  removeDocument: (crawl: CrawlRecord, documentId: string) => Promise<void>
  robotsOf: RobotsOf
  /** Concurrent page visits per crawl. */
  pagesAtOnce: number
  /** Called for each visited page. */
  onVisited: (state: PageOutcome['state']) => void
  clock: () => number
  onError: (error: unknown) => void
}

type RunSlice = (crawl: CrawlRecord, lease: string, signal: AbortSignal) => Promise<void>

function makeRunSlice(deps: SliceDeps): RunSlice {
  const { crawls, pages, visitPage, removeDocument, robotsOf, pagesAtOnce, onVisited, clock, onError } = deps

  return async (crawl, lease, signal) => {
    const { botId, id } = crawl
    const isFirstRun = crawl.run === (crawl.state === 'running' ? 1 : 0)
    if (crawl.state === 'running') await pages.putBack(botId, id, lease)
    else
      await startRun(crawl, lease, signal).catch(async (error) => {
        if (signal.aborted) await crawls.release(botId, id, lease, clock())
        throw error
      })
    const underWay = new Map<string, Promise<void>>()
    const sitemapsUnderWay = new Set<string>()
    let isStartUnderWay = false
    const sliceEnds = performance.now() + SLICE_MS
    let isFull = false
    let pagesSeen = 0
    let failure: unknown

    async function processPage(page: CrawlPageRecord) {
      if (page.attempts >= MAX_ATTEMPTS) return settle(page, failedVisit(page, 'unreadable'))
      await pages.take(botId, id, page.id)
      const visit = await visitOrFail({ ...page, attempts: page.attempts + 1 })
      onVisited(visit.outcome.state)
      await settle(page, visit).finally(visit.onStored)
    }

    /** An unexpected error on one page must not stop the others. */
    async function visitOrFail(page: CrawlPageRecord): Promise<Visit> {
      try {
        return await visitPage(crawl, page, signal)
      } catch (error) {
        if (signal.aborted || error instanceof StorageError) throw error
        onError(error)
        return retriedVisit(page, 'internal', clock())
      }
    }

    async function settle(page: CrawlPageRecord, { outcome, found, include = [], removesDocument }: Visit) {
      let isThere = false
      try {
        if (include.length > 0) await addIncluded(crawl, include)
        // Links first: after a crash in between, the page is visited again and nothing is lost.
        isFull = (await addPages(crawl, found)) || isFull
        if (removesDocument && page.documentId) await removeDocument(crawl, page.documentId)
        isThere = await pages.finish(botId, id, page.id, outcome)
      } catch (error) {
        if (!(error instanceof StorageError && error.kind === 'foreign_key')) throw error
      }
      // The crawl and its documents were deleted meanwhile, but this document was stored later.
      if (!isThere && outcome.documentId) await removeDocument(crawl, outcome.documentId)
    }

    while (!signal.aborted && !failure) {
      const hasTime = pagesSeen < PAGES_PER_SLICE && performance.now() < sliceEnds
      const room = hasTime ? pagesAtOnce - underWay.size : 0
      const due = room > 0 ? await pages.listDue(botId, id, clock(), room + underWay.size) : []
      for (const page of due.filter((one) => !underWay.has(one.id)).slice(0, room)) {
        // Wait for sitemaps: they tell which pages have not changed.
        if (page.kind === 'page' && sitemapsUnderWay.size > 0 && !isFirstRun) break
        // Where it redirects to may change what is included.
        if (isStartUnderWay) break
        const isStart = page.kind === 'page' && page.depth === 0
        isStartUnderWay = isStart && crawl.include.length > 0
        pagesSeen++
        if (page.kind === 'sitemap') sitemapsUnderWay.add(page.id)
        const work = processPage(page)
          .catch((error) => {
            failure ??= error
          })
          .finally(() => {
            underWay.delete(page.id)
            sitemapsUnderWay.delete(page.id)
            if (isStart) isStartUnderWay = false
          })
        underWay.set(page.id, work)
      }
      if (underWay.size === 0) break
      await Promise.race(underWay.values())
    }
    await Promise.all(underWay.values())
    if (isFull && !crawl.limitReached) await crawls.reachLimit(botId, id)
    if (failure && !signal.aborted) throw failure
    await handBack(crawl, lease)
  }

  async function startRun(crawl: CrawlRecord, lease: string, signal: AbortSignal) {
    const { botId, id, maxPages } = crawl
    await pages.begin(botId, id, clock())
    for (const page of await pages.listBeyond(botId, id, maxPages)) {
      if (page.documentId) await removeDocument(crawl, page.documentId)
      await pages.remove(botId, id, page.id)
    }
    const start = normaliseUrl(crawl.url, { keepIndex: true }) ?? crawl.url
    const isSitemap = isSitemapUrl(start)
    const seed = { depth: 0, redirects: 0, skipped: null }
    const sitemaps = isSitemap ? [] : await namedSitemaps(start, signal)
    await addPages(crawl, [
      { ...seed, kind: isSitemap ? 'sitemap' : 'page', url: start },
      ...sitemaps.map((url): FoundPage => ({ ...seed, kind: 'sitemap', url })),
    ])
    await crawls.startRun(botId, id, lease, clock())
    crawl.limitReached = false
  }

  /** Those named in robots.txt, otherwise the usual location. */
  async function namedSitemaps(start: string, signal: AbortSignal): Promise<string[]> {
    const { origin } = new URL(start)
    try {
      const { sitemaps } = await robotsOf(origin, signal)
      const sitemapUrls = sitemaps.flatMap((url) => normaliseUrl(url, { base: origin }) ?? [])
      return sitemapUrls.length > 0 ? sitemapUrls : [`${origin}/sitemap.xml`]
    } catch {
      signal.throwIfAborted()
      // Retried later like any page; visiting the first page will report the reason.
      return [`${origin}/sitemap.xml`]
    }
  }

  /** What was skipped before is found again. */
  async function addIncluded(crawl: CrawlRecord, patterns: string[]) {
    const { botId, id, include } = crawl
    await pages.forgetLinks(botId, id)
    await crawls.addIncluded(botId, id, { before: include, patterns })
    crawl.include = [...include, ...patterns]
  }

  /** Returns whether the limit was exceeded. Writes in batches, so that other writes get through. */
  async function addPages(crawl: CrawlRecord, foundPages: FoundPage[]): Promise<boolean> {
    const { botId, id, maxPages } = crawl
    let isFull = false
    for (let from = 0; from < foundPages.length; from += PAGES_PER_WRITE) {
      const some = foundPages.slice(from, from + PAGES_PER_WRITE)
      const knownIds = await pages.listKnown(
        botId,
        id,
        some.map(({ url }) => crawlPageId(url)),
      )
      await pages.settleUnchanged(botId, id, some, clock() - READ_AGAIN_MS)
      const fresh = some.filter((page) => !knownIds.has(crawlPageId(page.url)) && !(isFull && isWanted(page)))
      if (fresh.length > 0) isFull = (await pages.add(botId, id, fresh, { maxPages, now: clock() })).isFull || isFull
    }
    return isFull
  }

  async function handBack(crawl: CrawlRecord, lease: string) {
    const { botId, id } = crawl
    await pages.putBack(botId, id, lease)
    const dueAt = await pages.firstDueAt(botId, id)
    if (dueAt !== null) return crawls.release(botId, id, lease, Math.max(dueAt, clock()))
    const counts = await pages.count(botId, id)
    const hasText = counts.some(({ state }) => state === 'done' || state === 'unchanged')
    const start = await pages.find(botId, id, crawlPageId(normaliseUrl(crawl.url, { keepIndex: true }) ?? crawl.url))
    const reason = hasText ? null : (start?.reason ?? 'no_pages')
    await crawls.finish(botId, id, lease, { state: hasText ? 'done' : 'failed', reason, now: clock() })
  }
}

function isWanted({ kind, skipped }: FoundPage): boolean {
  return kind === 'page' && skipped === null
}
