import type { Feed, FeedRun } from '@docent/contract'
import { changeTitle, hostTitle } from '../access/audit.ts'
import { hasRole, type Manager } from '../access/managers.ts'
import { createFeed, deleteFeed, findFeed, hostAndFile, runFeed, updateFeed } from '../catalogue/feeds/feeds.ts'
import type { Context } from '../context.ts'
import type { FeedRecord, FeedRunRecord } from '../storage/feeds.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function feedRoutes(
  route: Route,
  { storage, outbound, clock }: Context,
  { access, catalogue }: Pick<Modules, 'access' | 'catalogue'>,
) {
  const { productFeeds } = storage
  const { findBot } = access
  const { puller, sealUrl, sealShopKey } = catalogue
  const deps = { productFeeds, puller, urlProblem: outbound.urlProblem, sealUrl, sealShopKey, clock }

  async function feedOf(manager: Manager, params: { botId: string; feedId: string }): Promise<FeedRecord> {
    const bot = await findBot(manager, params.botId)
    return findFeed(deps, bot.id, params.feedId)
  }

  async function toFeed(caller: Manager, feed: FeedRecord): Promise<Feed> {
    const [last] = await productFeeds.listRuns(feed.botId, feed.id, '', 1)
    const url = hasRole(caller, 'editor') ? feed.shownUrl : hostAndFile(feed.shownUrl)
    return shape(feed, url, last)
  }

  route('POST /api/manage/v1/bots/{botId}/feeds', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const feed = await createFeed(deps, bot.id, body)
    setAuditTarget(feedTitle(feed))
    return toFeed(caller, feed)
  })

  route('GET /api/manage/v1/bots/{botId}/feeds', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(
      query,
      (after, limit) => productFeeds.list(bot.id, after, limit),
      (feed) => toFeed(caller, feed),
    )
  })

  route('GET /api/manage/v1/bots/{botId}/feeds/{feedId}', async ({ caller, params }) =>
    toFeed(caller, await feedOf(caller, params)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}', async ({ caller, params, body, setAuditTarget }) => {
    const before = await feedOf(caller, params)
    const feed = await updateFeed(deps, before, body)
    setAuditTarget(changeTitle(feedTitle(feed), settingsOf(before), settingsOf(feed)))
    return toFeed(caller, feed)
  })

  route('DELETE /api/manage/v1/bots/{botId}/feeds/{feedId}', async ({ caller, params, setAuditTarget }) => {
    const feed = await feedOf(caller, params)
    await deleteFeed(deps, feed)
    setAuditTarget(feedTitle(feed))
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run', async ({ caller, params, query, setAuditTarget }) => {
    const feed = await runFeed(deps, await feedOf(caller, params), query.confirm_removal ?? false)
    setAuditTarget(feedTitle(feed))
    return toFeed(caller, feed)
  })

  route('GET /api/manage/v1/bots/{botId}/feeds/{feedId}/runs', async ({ caller, params, query }) => {
    const { botId, id } = await feedOf(caller, params)
    return page(query, (before, limit) => productFeeds.listRuns(botId, id, before, limit), toRun)
  })
}

function feedTitle({ id, shownUrl }: FeedRecord): string {
  return hostTitle({ id, url: shownUrl })
}

/** The address and the key are sealed anew whenever they are set. */
function settingsOf({ url, shopKey, everyHours, currency, removeMissing, paused }: FeedRecord) {
  return { url, shop: shopKey, every_hours: everyHours, currency, remove_missing: removeMissing, paused }
}

function shape(feed: FeedRecord, url: string, last: FeedRunRecord | undefined): Feed {
  const isRunning = feed.state === 'running'
  return {
    id: feed.id,
    url,
    shop: feed.shop && { type: feed.shop, key_hint: feed.keyHint ?? '' },
    format: feed.format as Feed['format'],
    every_hours: feed.everyHours,
    currency: feed.currency,
    remove_missing: feed.removeMissing,
    state: feed.state === 'idle' && feed.paused ? 'paused' : feed.state,
    progress: isRunning ? { bytes: feed.readBytes, total_bytes: feed.totalBytes, items: feed.readItems } : null,
    last_run: last ? toRun(last) : null,
    created_at: timestamp(feed.createdAt),
    next_run_at: timestampOrNull(feed.state === 'idle' ? feed.dueAt : null),
  }
}

function toRun({ id, startedAt, finishedAt, report }: FeedRunRecord): FeedRun {
  const times = { started_at: timestamp(startedAt), finished_at: timestamp(finishedAt) }
  // Older runs were stored without these.
  return { id, ...times, pages: 1, cut_reason: null, warnings: [], ...JSON.parse(report) }
}
