import type { BodyOf, Routes } from '@docent/contract'
import type { FeedRecord } from '../../storage/feeds.ts'
import { shownUrl } from './feed-url.ts'
import { checkFeedUrl, type FeedDeps, findFeed } from './find-feed.ts'

const HOUR_MS = 3_600_000

type Input = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}']>

export async function updateFeed(deps: FeedDeps, feed: FeedRecord, input: Input): Promise<FeedRecord> {
  const { productFeeds, puller, sealUrl, clock } = deps
  const { botId, id } = feed
  await checkFeedUrl(deps, input.url)
  const everyHours = input.every_hours === undefined ? feed.everyHours : input.every_hours
  const dueAt = everyHours === null ? null : (feed.finishedAt ?? clock()) + everyHours * HOUR_MS
  // The next run must fetch the whole feed.
  const isWhole = input.url !== undefined || input.remove_missing === true
  await productFeeds.update(botId, id, {
    ...(input.url === undefined ? {} : { url: sealUrl(id, input.url), shownUrl: shownUrl(input.url) }),
    everyHours: input.every_hours,
    removeMissing: input.remove_missing === undefined ? undefined : Number(input.remove_missing),
    ...(isWhole ? { etag: null, lastModified: null } : {}),
    dueAt: input.every_hours === undefined || feed.paused || feed.state !== 'idle' ? undefined : dueAt,
  })
  if (input.paused === true) {
    await productFeeds.pause(botId, id)
    await puller.cancel(botId, id)
  }
  if (input.paused === false) await productFeeds.resume(botId, id, dueAt)
  puller.wake()
  return findFeed(deps, botId, id)
}
