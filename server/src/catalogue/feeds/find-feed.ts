// Shared by all operations on product feeds.
import { Fault } from '@docent/contract'
import type { LeasedWorker } from '../../sources/leased-worker.ts'
import type { FeedRecord, ProductFeedsTable } from '../../storage/feeds.ts'
import { feedRequest } from './feed-url.ts'

export interface FeedDeps {
  productFeeds: ProductFeedsTable
  puller: LeasedWorker
  /** Why a URL may not be called, or null. */
  urlProblem: (url: string) => Promise<string | null>
  sealUrl: (feedId: string, url: string) => string
  clock: () => number
}

export async function findFeed({ productFeeds }: FeedDeps, botId: string, feedId: string): Promise<FeedRecord> {
  const feed = await productFeeds.find(botId, feedId)
  if (!feed) throw new Fault('not_found')
  return feed
}

export async function checkFeedUrl({ urlProblem }: FeedDeps, url: string | undefined): Promise<void> {
  if (url === undefined) return
  const problem = URL.canParse(url) ? await urlProblem(feedRequest(url).url) : 'Enter a complete URL.'
  if (problem) throw new Fault('validation_failed', { details: [{ path: 'url', message: problem }] })
}
