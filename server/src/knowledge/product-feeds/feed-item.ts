/** A product as a shop calls its parts. */
export type FeedItem = Record<string, unknown>
