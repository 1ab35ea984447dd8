// The formats of product feeds: JSON, Google Merchant XML, and the exports of Shopify and WooCommerce.
import { Parser } from 'htmlparser2'
import type { SyncEntry } from '../products/read-products.ts'
import { JsonError, makeByteCollector, makeJsonSplitter } from './json-splitter.ts'

/** A product with the shop's own field names. */
export type FeedItem = Record<string, unknown>

export type FeedEntry = Exclude<SyncEntry, { kind: 'delete' }>

export const LONGEST_ITEM = 1024 * 1024

const TOO_LARGE = { kind: 'bad_item', code: 'item_too_large', message: 'An item can be at most 1 MB.' } as const

/** Why a whole feed cannot be read. */
export class UnreadableFeed extends Error {
  override readonly name = 'UnreadableFeed'
  readonly code: 'not_a_feed' | 'truncated' | 'too_large' | 'unreadable'

  constructor(code: UnreadableFeed['code'], message: string) {
    super(message)
    this.code = code
  }
}

// Products as JSON: a list, an object with the list in `products` or `items`, one product, or NDJSON.

/** Whether each line is a product: the first line is complete JSON and contains no list of products. */
export function isLines(firstLine: string): boolean {
  const value = parseItem(firstLine)
  return typeof value === 'object' && value !== null && !Array.isArray(value) && listOf(value as FeedItem) === undefined
}

export async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  const collector = makeByteCollector(LONGEST_ITEM)
  function entries(line: Buffer | null): FeedEntry[] {
    if (line === null) return [TOO_LARGE]
    const text = line.toString('utf8').trim()
    return text === '' ? [] : [entryOf(text, 'The line is not valid JSON.')]
  }
  for await (const text of chunks) {
    const parsedEntries = Array.from(collector.takeLines(Buffer.from(text)), entries).flat()
    if (parsedEntries.length > 0) yield parsedEntries
  }
  yield entries(collector.take())
}

export async function* readJson(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  const splitter = makeJsonSplitter(['products', 'items'], LONGEST_ITEM)
  // In case the object itself is the product.
  const whole: FeedItem = {}
  for await (const text of chunks) {
    const feedEntries: FeedEntry[] = []
    try {
      for (const { field, isItem, bytes } of splitter.write(Buffer.from(text))) {
        if (isItem)
          feedEntries.push(bytes === null ? TOO_LARGE : entryOf(bytes.toString('utf8'), 'The item is not valid JSON.'))
        else if (field !== null && field !== '__proto__' && bytes !== null)
          whole[field] = parseItem(bytes.toString('utf8'))
      }
    } catch (error) {
      throw error instanceof JsonError ? new UnreadableFeed('unreadable', 'The JSON is not valid.') : error
    }
    if (feedEntries.length > 0) yield feedEntries
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

// Google Merchant feeds: RSS 2.0 or Atom, one <item> or <entry> per product, fields with or without "g:".
const PRODUCT = new Set(['item', 'entry'])
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf', 'channel', ...PRODUCT])
const DEEPEST = 100

export async function* readMerchantXml(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  let feedEntries: FeedEntry[] = []
  const parser = merchantParser((entry) => feedEntries.push(entry))
  for await (const chunk of chunks) {
    parser.write(chunk)
    if (feedEntries.length > 0) yield feedEntries
    feedEntries = []
  }
  parser.end()
}

function merchantParser(onEntry: (entry: FeedEntry) => void) {
  const prefixes = new Set(['g:'])
  const path: string[] = []
  let item: FeedItem | null = null
  let hasRoot = false
  let isEnding = false
  let depth = 0
  let value = ''
  let length = 0

  /** Namespaces may use any prefix. */
  function notePrefixes(attributes: Record<string, string>) {
    for (const [name, url] of Object.entries(attributes))
      if (name.startsWith('xmlns:') && url.includes('base.google.com/ns')) prefixes.add(`${name.slice(6)}:`)
  }

  function fieldOf(tag: string): string {
    const prefix = tag.slice(0, tag.indexOf(':') + 1)
    return prefixes.has(prefix) ? tag.slice(prefix.length) : tag
  }

  const parser = new Parser(
    {
      onprocessinginstruction(name, data) {
        // Entities are not expanded, so a feed that defines them would be misread.
        if (/^!entity/i.test(name) || /<!entity/i.test(data))
          throw new UnreadableFeed('unreadable', 'The XML declares its own entities, which are not supported.')
        if (/^!doctype\s+html/i.test(data)) throw webPage()
      },
      onopentag(tag, attributes) {
        if (++depth > DEEPEST)
          throw new UnreadableFeed('unreadable', `The XML is nested more than ${DEEPEST} elements deep.`)
        if (!hasRoot) checkRoot(tag.toLowerCase())
        hasRoot = true
        if (item === null) {
          notePrefixes(attributes)
          if (!PRODUCT.has(fieldOf(tag))) return
          item = {}
          length = 0
          return
        }
        const name = fieldOf(tag)
        path.push(name)
        value = ''
        length += tag.length
        // Atom has URLs in an attribute.
        if (path.length === 1 && name === 'link' && attributes.href) add(item, name, attributes.href)
      },
      ontext(part) {
        if (item === null || length > LONGEST_ITEM) return
        value += part
        length += part.length
      },
      onclosetag(_tag, isImplied) {
        depth--
        if (isImplied && isEnding) throw new UnreadableFeed('truncated', 'The XML ends before its last element does.')
        if (item === null) return
        const name = path.pop()
        if (name === undefined) {
          onEntry(length > LONGEST_ITEM ? TOO_LARGE : { kind: 'item', value: item })
          item = null
          return
        }
        const text = value.trim()
        value = ''
        if (text === '') return
        // Shipping and the like are nested: only the outer field matters.
        if (path.length === 0) add(item, name, text)
        else if (path[0] === 'product_detail' && name === 'attribute_value') add(item, 'attribute_value', text)
      },
      onend() {
        if (!hasRoot) throw new UnreadableFeed('not_a_feed', 'The XML contains no <item> or <entry>.')
      },
      onerror(error) {
        throw error
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write: (text: string) => parser.write(text),
    end() {
      isEnding = true
      parser.end()
    },
  }

  function checkRoot(root: string) {
    if (root === 'html') throw webPage()
    if (!ROOTS.has(root)) throw new UnreadableFeed('not_a_feed', 'The XML contains no <item> or <entry>.')
  }
}

function webPage(): UnreadableFeed {
  return new UnreadableFeed('not_a_feed', 'This is a web page, not a product feed.')
}

/** Repeated fields become a list. */
function add(item: FeedItem, name: string, value: string) {
  if (name === '__proto__') return
  const current = Object.hasOwn(item, name) ? item[name] : undefined
  if (current === undefined) item[name] = value
  else if (Array.isArray(current)) current.push(value)
  else item[name] = [current, value]
}

// Shopify's export: one row per variant or image; the first row of a handle has the product's own fields.
type Cells = Record<string, string>

export function isShopifyExport(names: ReadonlySet<string>): boolean {
  return names.has('handle') && (names.has('variant price') || names.has('body (html)'))
}

export function readShopifyExport(rows: Cells[]): FeedItem[] {
  const byHandle = Map.groupBy(rows, (row) => row.handle ?? '')
  byHandle.delete('')
  return [...byHandle].map(([handle, productRows]) => shopifyProduct(handle, productRows))
}

function shopifyProduct(handle: string, rows: Cells[]): FeedItem {
  const head = rows.find((row) => row.title) ?? (rows[0] as Cells)
  const options = [1, 2, 3].flatMap((number) => head[`option${number} name`] ?? [])
  const isPlain = options.length === 1 && options[0] === 'Title'
  const variants = rows.filter((row) => row['variant price'] || row['variant sku'] || row['option1 value'])
  return {
    id: handle,
    handle,
    title: head.title,
    body_html: head['body (html)'],
    vendor: head.vendor,
    product_type: head.type ?? head['product category'],
    tags: head.tags,
    status: head.status,
    images: rows.flatMap((row) => (row['image src'] ? [{ src: row['image src'] }] : [])),
    ...(isPlain ? {} : { options: options.map((name) => ({ name })) }),
    variants: variants.map((row, index) => shopifyVariant(row, `${handle}-${index + 1}`, isPlain)),
  }
}

function shopifyVariant(row: Cells, id: string, isPlain: boolean): FeedItem {
  return {
    id: row['variant sku'] ?? id,
    sku: row['variant sku'],
    price: row['variant price'],
    compare_at_price: row['variant compare at price'],
    barcode: row['variant barcode'],
    inventory_quantity: row['variant inventory qty'],
    ...(isPlain ? {} : { option1: row['option1 value'], option2: row['option2 value'], option3: row['option3 value'] }),
  }
}

// WooCommerce's export: one row per product; variations name their parent.
export function isWooCommerceExport(names: ReadonlySet<string>): boolean {
  return names.has('regular price') && names.has('name') && (names.has('type') || names.has('in stock?'))
}

export function readWooCommerceExport(rows: Cells[]): FeedItem[] {
  const variations = Map.groupBy(
    rows.filter(({ type }) => type === 'variation'),
    ({ parent }) => parent ?? '',
  )
  const parents = rows.filter(({ type }) => type !== 'variation')
  return parents.map((row) => ({
    ...wooCommerceProduct(row),
    variants: variationsOf(row, variations).map(wooCommerceProduct),
  }))
}

/** Parents are named by SKU, or by "id:123" without one. */
function variationsOf({ id, sku }: Cells, byParent: Map<string, Cells[]>): Cells[] {
  return [...((sku && byParent.get(sku)) || []), ...(byParent.get(`id:${id}`) ?? [])]
}

function wooCommerceProduct(row: Cells): FeedItem {
  return {
    id: row.id ?? row.sku,
    sku: row.sku,
    name: row.name,
    short_description: row['short description'],
    description: row.description,
    regular_price: row['regular price'],
    sale_price: row['sale price'],
    stock_status: stock(row['in stock?']),
    stock_quantity: row.stock,
    status: row.published === '0' ? 'draft' : undefined,
    categories: list(row.categories).map((name) => ({ name })),
    tags: list(row.tags).map((name) => ({ name })),
    images: list(row.images).map((src) => ({ src })),
    brands: list(row.brands),
    average_rating: row['average rating'],
    attributes: attributes(row),
  }
}

function attributes(row: Cells): FeedItem {
  const feedItem: FeedItem = {}
  for (let number = 1; row[`attribute ${number} name`]; number++)
    feedItem[row[`attribute ${number} name`] as string] = list(row[`attribute ${number} value(s)`])
  return feedItem
}

function stock(cell: string | undefined): string | undefined {
  if (cell === undefined) return undefined
  return { '0': 'outofstock', backorder: 'onbackorder' }[cell] ?? 'instock'
}

function list(cell: string | undefined): string[] {
  return (cell ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
