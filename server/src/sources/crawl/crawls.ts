// The crawls of a bot: websites that it reads.
import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { UrlProblem } from '../../outbound/outbound.ts'
import type { CrawlPagesTable } from '../../storage/crawl-pages.ts'
import type { CrawlRecord, CrawlsTable } from '../../storage/crawls.ts'
import type { DocumentsTable } from '../../storage/documents.ts'
import type { LeasedWorker } from '../leased-worker.ts'
import { judgeUrl, siteOf } from './page-urls.ts'

const MAX_CRAWLS = 50
const HOUR_MS = 3_600_000
const WEEK_HOURS = 168

export interface CrawlDeps {
  crawls: CrawlsTable
  crawlPages: CrawlPagesTable
  documents: Pick<DocumentsTable, 'removeCrawl'>
  crawler: LeasedWorker
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  /** The page limit of one crawl on this instance. */
  maxPages: number
  clock: () => number
}

export async function findCrawl({ crawls }: CrawlDeps, botId: string, crawlId: string): Promise<CrawlRecord> {
  const crawl = await crawls.find(botId, crawlId)
  if (!crawl) throw new Fault('not_found')
  return crawl
}

async function checkCrawlInput(
  { urlProblem, maxPages }: CrawlDeps,
  input: { url?: string; max_pages?: number },
): Promise<void> {
  const problem = input.url === undefined ? null : await urlProblem(input.url)
  if (problem) throw new Fault('validation_failed', { details: [{ path: 'url', message: problem }] })
  if ((input.max_pages ?? 0) <= maxPages) return
  const message = `Use ${maxPages} or less, the limit of this instance.`
  throw new Fault('validation_failed', { details: [{ path: 'max_pages', message }] })
}

type NewCrawl = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/crawls']>

export async function createCrawl(deps: CrawlDeps, botId: string, input: NewCrawl): Promise<CrawlRecord> {
  const { crawls, crawler, maxPages, clock } = deps
  await checkCrawlInput(deps, input)
  const existingCrawl = input.update_existing ? await findCrawlOfSite(deps, botId, input.url) : undefined
  if (existingCrawl) {
    await updateCrawl(deps, existingCrawl, input)
    await runCrawl(deps, existingCrawl)
    return findCrawl(deps, botId, existingCrawl.id)
  }
  if ((await crawls.count(botId)) >= MAX_CRAWLS) throw new Fault('too_many_crawls')
  const crawl: CrawlRecord = {
    botId,
    id: randomId('crl'),
    url: input.url,
    hosts: input.hosts ?? [],
    include: input.include ?? [],
    exclude: input.exclude ?? [],
    maxPages: input.max_pages ?? maxPages,
    everyHours: input.every_hours === undefined ? WEEK_HOURS : input.every_hours,
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

/** The crawl that starts at this URL, else the oldest one of its site that may read it. */
async function findCrawlOfSite({ crawls }: CrawlDeps, botId: string, url: string): Promise<CrawlRecord | undefined> {
  const ofSite = (await crawls.list(botId, '', MAX_CRAWLS))
    .filter((crawl) => siteOf(crawl.url) === siteOf(url))
    .toSorted((a, b) => a.createdAt - b.createdAt)
  return (
    ofSite.find((crawl) => new URL(crawl.url).href === new URL(url).href) ??
    ofSite.find((crawl) => judgeUrl(url, 0, crawl) !== 'not_included')
  )
}

type CrawlChange = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}']>

export async function updateCrawl(deps: CrawlDeps, crawl: CrawlRecord, input: CrawlChange): Promise<void> {
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
