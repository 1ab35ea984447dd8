// The parts of the crawler put together.
import type { FetchPage } from '../../outbound/fetch-page.ts'
import type { BotsTable } from '../../storage/bots/bots.ts'
import type { CrawlPagesTable } from '../../storage/crawls/crawl-pages.ts'
import type { CrawlsTable } from '../../storage/crawls/crawls.ts'
import { StorageError } from '../../storage/database.ts'
import type { DocumentsTable } from '../../storage/documents/documents.ts'
import { documentIdOf, type ImportDocuments } from '../documents/import-documents.ts'
import type { Extractor } from '../extract/extractor.ts'
import { Unreadable } from '../extract/parse-thread.ts'
import { type Crawler, startCrawler } from './crawler.ts'
import { createHostGate } from './host-gate.ts'
import { createReadPage, type StorePage } from './read-page.ts'
import { createRobotsCache } from './robots-cache.ts'
import { createRunSlice } from './run-slice.ts'
import { createVisitPage } from './visit-page.ts'

// What the sitemap protocol allows.
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
  clock: () => number
  onError: (error: unknown) => void
}

export function openCrawler(deps: Deps): Crawler {
  const { crawls, crawlPages: pages, documents, bots, importDocuments, fetchPage, extractor, clock, onError } = deps
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
    visitPage: createVisitPage({ fetchPage, robotsOf, gate, readPage, limits, clock }),
    removeDocument: async (crawl, documentId) => void (await documents.remove(crawl.botId, documentId, crawl.id)),
    robotsOf,
    pagesAtOnce: limits.hostConcurrency,
    clock,
    onError,
  })
  const crawler = startCrawler({ crawls, runSlice, crawlsAtOnce: limits.atOnce, clock, onError })
  return {
    ...crawler,
    async close() {
      // Ends what is under way first, so that nobody takes a closed reader for a fault of the page.
      const closing = crawler.close()
      await extractor.close()
      await closing
    },
  }
}
