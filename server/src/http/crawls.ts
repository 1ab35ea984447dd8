import type { Crawl, CrawlPage } from '@docent/contract'
import { changeTitle, hostTitle } from '../access/audit.ts'
import type { Manager } from '../access/managers.ts'
import type { Context } from '../context.ts'
import { createCrawl, deleteCrawl, findCrawl, runCrawl, stopCrawl, updateCrawl } from '../sources/crawl/crawls.ts'
import type { CrawlPageRecord, CrawlPagesTable } from '../storage/crawl-pages.ts'
import type { CrawlRecord } from '../storage/crawls.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function crawlRoutes(
  route: Route,
  { storage, outbound, config, clock }: Context,
  { access, sources }: Pick<Modules, 'access' | 'sources'>,
) {
  const { crawls, crawlPages, documents } = storage
  const { findBot } = access
  const deps = {
    crawls,
    crawlPages,
    documents,
    crawler: sources.crawler,
    urlProblem: outbound.urlProblem,
    maxPages: config.crawl.maxPages,
    clock,
  }

  async function crawlOf(manager: Manager, params: { botId: string; crawlId: string }): Promise<CrawlRecord> {
    const bot = await findBot(manager, params.botId)
    return findCrawl(deps, bot.id, params.crawlId)
  }

  async function toCrawl(crawl: CrawlRecord): Promise<Crawl> {
    return shape(crawl, await crawlPages.count(crawl.botId, crawl.id))
  }

  route('POST /api/manage/v1/bots/{botId}/crawls', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const crawl = await createCrawl(deps, bot.id, body)
    setAuditTarget(hostTitle(crawl))
    return toCrawl(crawl)
  })

  route('GET /api/manage/v1/bots/{botId}/crawls', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => crawls.list(bot.id, after, limit), toCrawl)
  })

  route('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params }) =>
    toCrawl(await crawlOf(caller, params)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params, body, setAuditTarget }) => {
    const before = await crawlOf(caller, params)
    await updateCrawl(deps, before, body)
    const after = await crawlOf(caller, params)
    setAuditTarget(changeTitle(hostTitle(after), settingsOf(before), settingsOf(after)))
    return toCrawl(after)
  })

  route('DELETE /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params, setAuditTarget }) => {
    const crawl = await crawlOf(caller, params)
    await deleteCrawl(deps, crawl)
    setAuditTarget(hostTitle(crawl))
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', async ({ caller, params, setAuditTarget }) => {
    const crawl = await crawlOf(caller, params)
    await runCrawl(deps, crawl)
    setAuditTarget(hostTitle(crawl))
    return toCrawl(await crawlOf(caller, params))
  })

  route('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop', async ({ caller, params, setAuditTarget }) => {
    const crawl = await crawlOf(caller, params)
    await stopCrawl(deps, crawl)
    setAuditTarget(hostTitle(crawl))
    return toCrawl(await crawlOf(caller, params))
  })

  route('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}/pages', async ({ caller, params, query }) => {
    const { botId, id } = await crawlOf(caller, params)
    return page(query, (after, limit) => crawlPages.list(botId, id, query, after, limit), toPage)
  })
}

type Counts = Awaited<ReturnType<CrawlPagesTable['count']>>

function shape(crawl: CrawlRecord, counts: Counts): Crawl {
  const sum = (...states: string[]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((total, { pages }) => total + pages, 0)
  const reasons = (wantedState: string) =>
    counts.flatMap(({ state, reason, pages }) => (state === wantedState && reason ? [{ reason, pages }] : []))
  const isAtRest = crawl.state !== 'queued' && crawl.state !== 'running'
  return {
    id: crawl.id,
    url: crawl.url,
    max_pages: crawl.maxPages,
    include: crawl.include,
    exclude: crawl.exclude,
    hosts: crawl.hosts,
    every_hours: crawl.everyHours,
    state: crawl.state,
    reason: crawl.reason,
    pages: {
      found: counts.reduce((total, { pages }) => total + pages, 0),
      waiting: sum('queued', 'fetching'),
      done: sum('done'),
      unchanged: sum('unchanged'),
      skipped: sum('skipped'),
      failed: sum('failed'),
      gone: sum('gone'),
    },
    skipped: reasons('skipped'),
    failed: reasons('failed'),
    limit_reached: crawl.limitReached,
    runs: crawl.run,
    created_at: timestamp(crawl.createdAt),
    started_at: timestampOrNull(crawl.startedAt),
    finished_at: timestampOrNull(crawl.finishedAt),
    next_run_at: timestampOrNull(isAtRest ? crawl.dueAt : null),
  }
}

function settingsOf({ url, hosts, include, exclude, maxPages, everyHours }: CrawlRecord) {
  return { url, hosts, include, exclude, max_pages: maxPages, every_hours: everyHours }
}

function toPage(record: CrawlPageRecord): CrawlPage {
  return {
    url: record.url,
    kind: record.kind,
    state: record.state,
    reason: record.reason,
    related_url: record.relatedUrl,
    status_code: record.statusCode,
    title: record.title,
    depth: record.depth,
    document_id: record.documentId,
    fetched_at: timestampOrNull(record.fetchedAt),
    next_attempt_at: timestampOrNull(record.state === 'queued' ? record.dueAt : null),
  }
}
