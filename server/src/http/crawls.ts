import { type Crawl, type CrawlPage, Fault } from '@docent/contract'
import type { FindBot, Manager } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import type { Crawler } from '../knowledge/crawl/crawler.ts'
import type { CrawlPageRecord } from '../storage/crawl-page-rows.ts'
import type { CrawlPagesTable } from '../storage/crawl-pages.ts'
import type { CrawlRecord, CrawlsTable } from '../storage/crawls.ts'
import type { DocumentsTable } from '../storage/documents.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { timestamp, timestampOrNull } from './times.ts'

const MOST_CRAWLS = 50
const HOUR_MS = 3_600_000

interface Deps {
  crawls: CrawlsTable
  crawlPages: CrawlPagesTable
  documents: Pick<DocumentsTable, 'removeCrawl'>
  crawler: Crawler
  findBot: FindBot
  /** Why a URL may not be saved, or null. */
  refusal: (url: string) => Promise<string | null>
  /** Of one crawl. */
  maxPages: number
  clock: () => number
}

export function crawlRoutes(route: Route, deps: Deps) {
  const { crawls, crawlPages, documents, crawler, findBot, refusal, maxPages, clock } = deps

  async function crawlOf(manager: Manager, params: { botId: string; crawlId: string }): Promise<CrawlRecord> {
    const bot = await findBot(manager, params.botId)
    const crawl = await crawls.find(bot.id, params.crawlId)
    if (!crawl) throw new Fault('not_found')
    return crawl
  }

  async function toCrawl(crawl: CrawlRecord): Promise<Crawl> {
    return shape(crawl, await crawlPages.count(crawl.botId, crawl.id))
  }

  async function check(body: { url?: string; max_pages?: number }) {
    const refused = body.url === undefined ? null : await refusal(body.url)
    if (refused) throw new Fault('validation_failed', { details: [{ path: 'url', message: refused }] })
    if ((body.max_pages ?? 0) <= maxPages) return
    const message = `Use ${maxPages} or less, the limit of this instance.`
    throw new Fault('validation_failed', { details: [{ path: 'max_pages', message }] })
  }

  route('POST /api/manage/v1/bots/{botId}/crawls', async ({ caller, params, body, did }) => {
    const bot = await findBot(caller, params.botId)
    await check(body)
    if ((await crawls.count(bot.id)) >= MOST_CRAWLS) throw new Fault('too_many_crawls')
    const crawl: CrawlRecord = {
      botId: bot.id,
      id: randomId('crl'),
      url: body.url,
      hosts: body.hosts ?? [],
      include: body.include ?? [],
      exclude: body.exclude ?? [],
      maxPages: body.max_pages ?? maxPages,
      everyHours: body.every_hours ?? null,
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
    did(hostOf(crawl))
    crawler.wake()
    return shape(crawl, [])
  })

  route('GET /api/manage/v1/bots/{botId}/crawls', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => crawls.list(bot.id, after, limit), toCrawl)
  })

  route('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params }) =>
    toCrawl(await crawlOf(caller, params)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params, body, did }) => {
    const crawl = await crawlOf(caller, params)
    did(hostOf(crawl))
    await check(body)
    const everyHours = body.every_hours
    const isAtRest = crawl.state === 'done' || crawl.state === 'failed'
    const dueAt = everyHours ? (crawl.finishedAt ?? clock()) + everyHours * HOUR_MS : everyHours
    await crawls.update(crawl.botId, crawl.id, {
      url: body.url,
      hosts: body.hosts,
      include: body.include,
      exclude: body.exclude,
      maxPages: body.max_pages,
      everyHours,
      dueAt: isAtRest ? dueAt : undefined,
    })
    const { url, hosts, include, exclude, max_pages = 0 } = body
    const hasNewLinks = url || hosts || include || exclude || max_pages > crawl.maxPages
    if (hasNewLinks) await crawlPages.forgetLinks(crawl.botId, crawl.id)
    return toCrawl(await crawlOf(caller, params))
  })

  route('DELETE /api/manage/v1/bots/{botId}/crawls/{crawlId}', async ({ caller, params, did }) => {
    const crawl = await crawlOf(caller, params)
    did(hostOf(crawl))
    await crawls.stop(crawl.botId, crawl.id, clock())
    await crawler.cancel(crawl.botId, crawl.id)
    await documents.removeCrawl(crawl.botId, crawl.id)
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', async ({ caller, params, did }) => {
    const crawl = await crawlOf(caller, params)
    did(hostOf(crawl))
    await crawls.requestRun(crawl.botId, crawl.id, clock())
    crawler.wake()
    return toCrawl(await crawlOf(caller, params))
  })

  route('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop', async ({ caller, params, did }) => {
    const crawl = await crawlOf(caller, params)
    did(hostOf(crawl))
    await crawls.stop(crawl.botId, crawl.id, clock())
    await crawler.cancel(crawl.botId, crawl.id)
    return toCrawl(await crawlOf(caller, params))
  })

  route('GET /api/manage/v1/bots/{botId}/crawls/{crawlId}/pages', async ({ caller, params, query }) => {
    const { botId, id } = await crawlOf(caller, params)
    return page(query, (after, limit) => crawlPages.list(botId, id, query.state ?? null, after, limit), toPage)
  })
}

/** The path may hold what only those who look at the website should see. */
function hostOf({ url }: CrawlRecord): string {
  return new URL(url).host
}

type Counts = Awaited<ReturnType<CrawlPagesTable['count']>>

function shape(crawl: CrawlRecord, counts: Counts): Crawl {
  const sum = (...states: string[]) =>
    counts.filter(({ state }) => states.includes(state)).reduce((total, { pages }) => total + pages, 0)
  const reasons = (wanted: string) =>
    counts.flatMap(({ state, reason, pages }) => (state === wanted && reason ? [{ reason, pages }] : []))
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
