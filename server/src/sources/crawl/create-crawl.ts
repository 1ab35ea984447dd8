import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { CrawlRecord } from '../../storage/crawls.ts'
import { type CrawlDeps, checkCrawlInput } from './find-crawl.ts'

const MAX_CRAWLS = 50

type Input = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/crawls']>

export async function createCrawl(deps: CrawlDeps, botId: string, input: Input): Promise<CrawlRecord> {
  const { crawls, crawler, maxPages, clock } = deps
  await checkCrawlInput(deps, input)
  if ((await crawls.count(botId)) >= MAX_CRAWLS) throw new Fault('too_many_crawls')
  const crawl: CrawlRecord = {
    botId,
    id: randomId('crl'),
    url: input.url,
    hosts: input.hosts ?? [],
    include: input.include ?? [],
    exclude: input.exclude ?? [],
    maxPages: input.max_pages ?? maxPages,
    everyHours: input.every_hours ?? null,
    state: 'queued',
    reason: null,
    limitReached: false,
    run: 0,
    dueAt: clock(),
    createdAt: clock(),
    startedAt: null,
    finishedAt: null,
  }
  await crawls.insert(crawl)
  crawler.wake()
  return crawl
}
