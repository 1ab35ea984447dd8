import { type BodyOf, Fault, FEEDS_PER_BOT, type Routes } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { FeedRecord } from '../../storage/feeds.ts'
import { shownUrl } from './feed-url.ts'
import { checkFeedUrl, type FeedDeps, findFeed } from './find-feed.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/feeds']>

export async function createFeed(deps: FeedDeps, botId: string, input: Input): Promise<FeedRecord> {
  const { productFeeds, puller, sealUrl, clock } = deps
  await checkFeedUrl(deps, input.url)
  const id = randomId('feed')
  const feed = {
    botId,
    id,
    url: sealUrl(id, input.url),
    shownUrl: shownUrl(input.url),
    everyHours: input.every_hours ?? null,
    removeMissing: input.remove_missing ?? false,
    createdAt: clock(),
  }
  if (!(await productFeeds.insert(feed, FEEDS_PER_BOT))) throw new Fault('too_many_feeds')
  puller.wake()
  return findFeed(deps, botId, id)
}
