// Reads a shop's export in any format, product by product. The sync interprets the fields.

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { csvRecords } from '../../sources/csv.ts'
import { declaredDecoder } from '../../sources/extraction/decode-text.ts'
import {
  type FeedEntry,
  type FeedItem,
  isLines,
  isShopifyExport,
  isWooCommerceExport,
  LONGEST_ITEM,
  readJson,
  readJsonLines,
  readMerchantXml,
  readShopifyExport,
  readWooCommerceExport,
  UnreadableFeed,
} from './feed-formats.ts'

type FeedFormat = 'json' | 'ndjson' | 'csv' | 'xml' | 'shopify' | 'woocommerce'

interface Feed {
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
  const records = csvRecords(chunks, (columns) => {
    names = new Set(columns)
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
async function* together(records: Records, toItems: (rows: Record<string, string>[]) => FeedItem[]) {
  const items = toItems(await Array.fromAsync(records))
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

// Decodes a feed: decompresses it, limits its size, and detects its encoding.
type Bytes = AsyncIterable<Uint8Array>

async function* feedText(chunks: Bytes, contentType: string, maxBytes: number): AsyncGenerator<string> {
  const { start, all } = await peek(chunks)
  const isPacked = start[0] === 0x1f && start[1] === 0x8b
  if (start[0] === 0x50 && start[1] === 0x4b && start[2] === 3)
    throw new UnreadableFeed('not_a_feed', 'This is a zip archive. Offer the feed uncompressed or as gzip.')
  const plain = limitSize(isPacked ? unpack(all) : all, maxBytes)
  yield* isPacked ? decode(await peek(plain), '') : decode({ start, all: plain }, contentType)
}

/** The first chunk, and all chunks including it. */
async function peek(chunks: Bytes): Promise<{ start: Uint8Array; all: Bytes }> {
  const rest = chunks[Symbol.asyncIterator]()
  const first = await rest.next()
  const start: Uint8Array = first.done ? new Uint8Array() : first.value
  async function* all() {
    if (!first.done) yield start
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  }
  return { start, all: all() }
}

async function* unpack(chunks: Bytes): Bytes {
  try {
    yield* Readable.from(chunks).pipe(createGunzip())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new UnreadableFeed('truncated', 'The compressed feed is not complete.')
    if (code?.startsWith('Z_')) throw new UnreadableFeed('unreadable', 'The feed could not be decompressed.')
    throw error
  }
}

async function* limitSize(chunks: Bytes, maxBytes: number): Bytes {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw new UnreadableFeed('too_large', `The feed is larger than ${maxBytes} bytes.`)
    yield chunk
  }
}

async function* decode({ start, all }: { start: Uint8Array; all: Bytes }, contentType: string): AsyncGenerator<string> {
  const declaredEncoding = declaredDecoder(start, contentType)
  let decoder =
    declaredEncoding && declaredEncoding.encoding !== 'utf-8'
      ? declaredEncoding
      : new TextDecoder('utf-8', { fatal: !declaredEncoding })
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of all) {
    if (!decoder.fatal) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.length - unfinishedLength(bytes)
    try {
      yield decoder.decode(bytes.subarray(0, end), { stream: true })
      rest = bytes.subarray(end)
    } catch {
      // Exports that declare nothing and are not UTF-8 are nearly always windows-1252.
      decoder = new TextDecoder('windows-1252')
      yield decoder.decode(bytes, { stream: true })
      rest = new Uint8Array()
    }
  }
  yield rest.length > 0 ? new TextDecoder('windows-1252').decode(rest) : decoder.decode()
}

/** The number of bytes at the end that start an incomplete character. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}
