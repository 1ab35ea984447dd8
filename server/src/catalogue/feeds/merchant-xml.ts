// Google Merchant feeds: RSS 2.0 or Atom, one <item> or <entry> per product, fields with or without "g:".
import { Parser } from 'htmlparser2'
import { type FeedEntry, type FeedItem, LONGEST_ITEM, TOO_LARGE, UnreadableFeed } from './feed-item.ts'

const PRODUCT = new Set(['item', 'entry'])
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf', 'channel', ...PRODUCT])
const DEEPEST = 100

export async function* readMerchantXml(chunks: AsyncIterable<string>): AsyncGenerator<FeedEntry[]> {
  let found: FeedEntry[] = []
  const parser = merchantParser((entry) => found.push(entry))
  for await (const chunk of chunks) {
    parser.write(chunk)
    if (found.length > 0) yield found
    found = []
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
        const trimmed = value.trim()
        value = ''
        if (trimmed === '') return
        // Shipping and the like are nested: only the outer field matters.
        if (path.length === 0) add(item, name, trimmed)
        else if (path[0] === 'product_detail' && name === 'attribute_value') add(item, 'attribute_value', trimmed)
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
  const held = Object.hasOwn(item, name) ? item[name] : undefined
  if (held === undefined) item[name] = value
  else if (Array.isArray(held)) held.push(value)
  else item[name] = [held, value]
}
