import type { BodyOf, Routes } from '@docent/contract'
import type { CrawlRecord } from '../../storage/crawls.ts'
import { type CrawlDeps, checkCrawlInput } from './find-crawl.ts'

const HOUR_MS = 3_600_000

type Input = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}']>

export async function updateCrawl(deps: CrawlDeps, crawl: CrawlRecord, input: Input): Promise<void> {
  const { crawls, crawlPages, clock } = deps
  await checkCrawlInput(deps, input)
  const everyHours = input.every_hours
  const isAtRest = crawl.state === 'done' || crawl.state === 'failed'
  const dueAt = everyHours ? (crawl.finishedAt ?? clock()) + everyHours * HOUR_MS : everyHours
  await crawls.update(crawl.botId, crawl.id, {
    url: input.url,
    hosts: input.hosts,
    include: input.include,
    exclude: input.exclude,
    maxPages: input.max_pages,
    everyHours,
    dueAt: isAtRest ? dueAt : undefined,
  })
  const { url, hosts, include, exclude, max_pages = 0 } = input
  const hasNewLinks = url || hosts || include || exclude || max_pages > crawl.maxPages
  if (hasNewLinks) await crawlPages.forgetLinks(crawl.botId, crawl.id)
}
