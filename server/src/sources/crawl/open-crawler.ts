// Assembles the crawler.
import type { FetchPage } from '../../outbound/fetch-page.ts'
import type { BotsTable } from '../../storage/bots.ts'
import type { CrawlPagesTable } from '../../storage/crawl-pages.ts'
import type { CrawlsTable } from '../../storage/crawls.ts'
import { StorageError } from '../../storage/database.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { Span, Trace } from '../../telemetry/trace.ts'
import { documentIdOf, type ImportDocuments } from '../documents/import-documents.ts'
import type { Extractor } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import { type LeasedWorker, startLeasedWorker } from '../leased-worker.ts'
import { createHostGate } from './host-gate.ts'
import { createReadPage, type StorePage } from './read-page.ts'
import { createRobotsCache } from './robots-cache.ts'
import { createRunSlice, type RunSlice, type SliceDeps } from './run-slice.ts'
import { LONGEST_WAIT_MS } from './visit.ts'
import { createVisitPage, type VisitPage } from './visit-page.ts'

// The sitemap protocol's limit.
const SITEMAP_BYTES = 50 * 1024 ** 2

interface Deps {
  crawls: CrawlsTable
  crawlPages: CrawlPagesTable
  documents: Pick<DocumentsTable, 'remove'>
  bots: Pick<BotsTable, 'findWorkspaceId' | 'find'>
  importDocuments: ImportDocuments
  fetchPage: FetchPage
  extractor: Extractor
  limits: {
    pageBytes: number
    fileBytes: number
    timeoutMs: number
    atOnce: number
    hostConcurrency: number
    hostDelayMs: number
  }
  onVisited: SliceDeps['onVisited']
  trace: Trace
  clock: () => number
  onError: (error: unknown) => void
}

export function openCrawler(deps: Deps): LeasedWorker {
  const {
    crawls,
    crawlPages: pages,
    documents,
    bots,
    importDocuments,
    fetchPage,
    extractor,
    trace,
    clock,
    onError,
  } = deps
  const limits = { ...deps.limits, sitemapBytes: SITEMAP_BYTES }
  const robotsOf = createRobotsCache({ fetchPage, timeoutMs: limits.timeoutMs, clock })

  const storePage: StorePage = async (crawl, { url, title, format, content }) => {
    const workspaceId = await bots.findWorkspaceId(crawl.botId)
    const bot = workspaceId && (await bots.find(workspaceId, crawl.botId))
    if (!bot) throw new StorageError('foreign_key', 'the bot was deleted')
    const report = await importDocuments(bot, [{ url, title, [format]: content }], crawl.id)
    if (report.errors[0]) throw new Unreadable(report.errors[0].message)
    return documentIdOf(url)
  }

  const findWorkspaceId = bots.findWorkspaceId
  const readPage = createReadPage({ extractor, pages, storePage, findWorkspaceId, sitemapBytes: SITEMAP_BYTES })
  const gate = createHostGate(limits.hostConcurrency)
  const runSlice = createRunSlice({
    crawls,
    pages,
    visitPage: tracedVisit(createVisitPage({ fetchPage, robotsOf, gate, readPage, limits, clock }), trace),
    removeDocument: async (crawl, documentId) => void (await documents.remove(crawl.botId, documentId, crawl.id)),
    robotsOf,
    pagesAtOnce: limits.hostConcurrency,
    onVisited: deps.onVisited,
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
    ...{ runTurn: tracedSlice, atOnce: limits.atOnce, clock, onError },
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
      const visited = await visitPage(crawl, page, signal)
      const { state, reason } = visited.outcome
      span.set({ 'docent.result': state, ...(reason ? { 'docent.reason': reason } : {}) })
      if (state === 'failed') span.fail(reason ?? state)
      return visited
    }
    return trace('crawl page', { 'server.address': host }, visit, 'client')
  }
}
