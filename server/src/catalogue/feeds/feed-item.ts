import type { SyncEntry } from '../products/read-products.ts'

/** A product with the shop's own field names. */
export type FeedItem = Record<string, unknown>

export type FeedEntry = Exclude<SyncEntry, { kind: 'delete' }>

export const LONGEST_ITEM = 1024 * 1024

export const TOO_LARGE = { kind: 'bad_item', code: 'item_too_large', message: 'An item can be at most 1 MB.' } as const

/** Why a whole feed cannot be read. */
export class UnreadableFeed extends Error {
  override readonly name = 'UnreadableFeed'
  readonly code: 'not_a_feed' | 'truncated' | 'too_large' | 'unreadable'

  constructor(code: UnreadableFeed['code'], message: string) {
    super(message)
    this.code = code
  }
}
