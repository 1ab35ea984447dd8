import type { FeedReason } from '@docent/contract'
import { FetchFailure } from '../../outbound/fetch-page.ts'
import { UnreadableFeed } from './feed-formats.ts'

/** Why a run imported nothing. */
export class FeedFailure extends Error {
  override readonly name = 'FeedFailure'
  readonly reason: FeedReason
  readonly statusCode: number | null

  constructor(reason: FeedReason, statusCode: number | null = null) {
    super(`the feed could not be pulled: ${reason}`)
    this.reason = reason
    this.statusCode = statusCode
  }
}

/** Null for internal errors. */
export function feedFailure(error: unknown): FeedFailure | null {
  if (error instanceof FeedFailure) return error
  if (error instanceof FetchFailure || error instanceof UnreadableFeed) return new FeedFailure(error.code)
  return null
}
