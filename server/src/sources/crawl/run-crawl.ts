import type { CrawlRecord } from '../../storage/crawls.ts'
import type { CrawlDeps } from './find-crawl.ts'

export async function runCrawl({ crawls, crawler, clock }: CrawlDeps, { botId, id }: CrawlRecord): Promise<void> {
  await crawls.requestRun(botId, id, clock())
  crawler.wake()
}

export async function stopCrawl({ crawls, crawler, clock }: CrawlDeps, { botId, id }: CrawlRecord): Promise<void> {
  await crawls.stop(botId, id, clock())
  await crawler.cancel(botId, id)
}

/** Also deletes its documents. */
export async function deleteCrawl(deps: CrawlDeps, crawl: CrawlRecord): Promise<void> {
  await stopCrawl(deps, crawl)
  await deps.documents.removeCrawl(crawl.botId, crawl.id)
}
