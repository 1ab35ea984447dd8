// Products as JSON: a list, an object with the list in `products` or `items`, one product, or NDJSON.
import { createByteCollector } from './byte-collector.ts'
import { type FeedEntry, type FeedItem, LONGEST_ITEM, TOO_LARGE, UnreadableFeed } from './feed-item.ts'
import { createJsonSplitter, JsonError } from './json-splitter.ts'

/** Whether each line is a product: the first line is complete JSON and contains no list of products. */
export function isLines(firstLine: string): boolean {
  const value = parseItem(firstLine)
  return typeof value === 'object' && value !== null && !Array.isArray(value) && listOf(value as FeedItem) === undefined
}

export async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  const collector = createByteCollector(LONGEST_ITEM)
  function entries(line: Buffer | null): FeedEntry[] {
    if (line === null) return [TOO_LARGE]
    const text = line.toString('utf8').trim()
    return text === '' ? [] : [entryOf(text, 'The line is not valid JSON.')]
  }
  for await (const text of chunks) {
    const found = Array.from(collector.takeLines(Buffer.from(text)), entries).flat()
    if (found.length > 0) yield found
  }
  yield entries(collector.take())
}

export async function* readJson(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  const splitter = createJsonSplitter(['products', 'items'], LONGEST_ITEM)
  // In case the object itself is the product.
  const whole: FeedItem = {}
  for await (const text of chunks) {
    const found: FeedEntry[] = []
    try {
      for (const { field, isItem, bytes } of splitter.write(Buffer.from(text))) {
        if (isItem)
          found.push(bytes === null ? TOO_LARGE : entryOf(bytes.toString('utf8'), 'The item is not valid JSON.'))
        else if (field !== null && field !== '__proto__' && bytes !== null)
          whole[field] = parseItem(bytes.toString('utf8'))
      }
    } catch (error) {
      throw error instanceof JsonError ? new UnreadableFeed('unreadable', 'The JSON is not valid.') : error
    }
    if (found.length > 0) yield found
  }
  try {
    const lists = splitter.end()
    if (lists?.size === 0 && 'title' in whole) yield [{ kind: 'item', value: whole }]
    else if (lists?.size === 0)
      throw new UnreadableFeed(
        'not_a_feed',
        'The JSON has no list of products. It is expected in `products` or `items`.',
      )
  } catch (error) {
    throw error instanceof JsonError
      ? new UnreadableFeed('truncated', 'The JSON ends before its last list does.')
      : error
  }
}

function listOf({ products, items }: FeedItem): unknown {
  return products ?? items
}

function entryOf(text: string, message: string): FeedEntry {
  const value = parseItem(text)
  return value === undefined ? { kind: 'bad_item', code: 'invalid_json', message } : { kind: 'item', value }
}

function parseItem(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
