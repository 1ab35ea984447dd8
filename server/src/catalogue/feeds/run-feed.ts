import type { FeedRecord } from '../../storage/feeds.ts'
import { type FeedDeps, findFeed } from './find-feed.ts'

export async function runFeed(deps: FeedDeps, { botId, id }: FeedRecord, isConfirmed: boolean): Promise<FeedRecord> {
  await deps.productFeeds.requestRun(botId, id, isConfirmed, deps.clock())
  deps.puller.wake()
  return findFeed(deps, botId, id)
}

/** Keeps its products. */
export async function deleteFeed({ productFeeds, puller }: FeedDeps, { botId, id }: FeedRecord): Promise<void> {
  await productFeeds.remove(botId, id)
  await puller.cancel(botId, id)
}
