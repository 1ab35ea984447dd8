// Shared by all operations on crawls.
import { Fault } from '@docent/contract'
import type { CrawlPagesTable } from '../../storage/crawl-pages.ts'
import type { CrawlRecord, CrawlsTable } from '../../storage/crawls.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { LeasedWorker } from '../leased-worker.ts'

export interface CrawlDeps {
  crawls: CrawlsTable
  crawlPages: CrawlPagesTable
  documents: Pick<DocumentsTable, 'removeCrawl'>
  crawler: LeasedWorker
  /** Why a URL may not be called, or null. */
  urlProblem: (url: string) => Promise<string | null>
  /** The page limit of one crawl on this instance. */
  maxPages: number
  clock: () => number
}

export async function findCrawl({ crawls }: CrawlDeps, botId: string, crawlId: string): Promise<CrawlRecord> {
  const crawl = await crawls.find(botId, crawlId)
  if (!crawl) throw new Fault('not_found')
  return crawl
}

export async function checkCrawlInput(
  { urlProblem, maxPages }: CrawlDeps,
  input: { url?: string; max_pages?: number },
): Promise<void> {
  const problem = input.url === undefined ? null : await urlProblem(input.url)
  if (problem) throw new Fault('validation_failed', { details: [{ path: 'url', message: problem }] })
  if ((input.max_pages ?? 0) <= maxPages) return
  const message = `Use ${maxPages} or less, the limit of this instance.`
  throw new Fault('validation_failed', { details: [{ path: 'max_pages', message }] })
}
