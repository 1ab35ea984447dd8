// Reads a shop's export in any format, product by product. The sync interprets the fields.
import { csvRecords } from '../../sources/csv.ts'
import { type FeedEntry, type FeedItem, LONGEST_ITEM, UnreadableFeed } from './feed-item.ts'
import { feedText } from './feed-text.ts'
import { isLines, readJson, readJsonLines } from './json-feed.ts'
import { readMerchantXml } from './merchant-xml.ts'
import { isShopifyExport, readShopifyExport } from './shopify-export.ts'
import { isWooCommerceExport, readWooCommerceExport } from './woocommerce-export.ts'

export type FeedFormat = 'json' | 'ndjson' | 'csv' | 'xml' | 'shopify' | 'woocommerce'

export interface Feed {
  format: FeedFormat
  entries: AsyncGenerator<FeedEntry[]>
}

const ROWS_AT_ONCE = 200

interface Options {
  contentType?: string
  /** Decompressed size. */
  maxBytes?: number
}

/** Throws `UnreadableFeed`, here or while the entries are read. */
export async function readFeed(
  chunks: AsyncIterable<Uint8Array>,
  { contentType = '', maxBytes = Number.POSITIVE_INFINITY }: Options = {},
): Promise<Feed> {
  const text = feedText(chunks, contentType, maxBytes)
  const start = await firstLine(text)
  const all = chain(start, text)
  if (start.startsWith('<')) return { format: 'xml', entries: readMerchantXml(all) }
  if (start.startsWith('{') && isLines(start.split('\n', 1)[0] ?? ''))
    return { format: 'ndjson', entries: readJsonLines(all) }
  if (start.startsWith('[') || start.startsWith('{')) return { format: 'json', entries: readJson(all) }
  return readCsv(all)
}

/** Enough to detect the format, without a byte order mark. */
async function firstLine(text: AsyncGenerator<string>): Promise<string> {
  let start = ''
  while (start.length < LONGEST_ITEM && !start.includes('\n')) {
    const next = await text.next()
    if (next.done) break
    start = (start + next.value).replace(/^\uFEFF/, '').trimStart()
  }
  if (start.includes('\0')) throw new UnreadableFeed('not_a_feed', 'This is not XML, CSV or JSON.')
  return start
}

async function* chain(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start
  yield* rest
}

async function readCsv(chunks: AsyncIterable<string>): Promise<Feed> {
  let names = new Set<string>()
  const records = csvRecords(chunks, (found) => {
    names = new Set(found)
  }) as AsyncGenerator<Record<string, string>>
  const first = await records.next()
  if (names.size < 2 && !names.has('id')) throw new UnreadableFeed('not_a_feed', 'This is not XML, CSV or JSON.')
  const all = chainRecords(first, records)
  if (isShopifyExport(names)) return { format: 'shopify', entries: together(all, readShopifyExport) }
  if (isWooCommerceExport(names)) return { format: 'woocommerce', entries: together(all, readWooCommerceExport) }
  return { format: 'csv', entries: inBatches(all) }
}

type Records = AsyncGenerator<Record<string, string>>

async function* chainRecords(first: IteratorResult<Record<string, string>>, rest: Records): Records {
  if (first.done) return
  yield first.value
  yield* rest
}

/** Where a product has several rows, all must be read first. */
async function* together(records: Records, read: (rows: Record<string, string>[]) => FeedItem[]) {
  const items = read(await Array.fromAsync(records))
  for (let from = 0; from < items.length; from += ROWS_AT_ONCE)
    yield items.slice(from, from + ROWS_AT_ONCE).map((value): FeedEntry => ({ kind: 'item', value }))
}

async function* inBatches(records: Records): AsyncGenerator<FeedEntry[]> {
  let batch: FeedEntry[] = []
  for await (const value of records) {
    batch.push({ kind: 'item', value })
    if (batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
  }
  yield batch
}
