// Google Merchant's feeds: RSS 2.0 or Atom, a product an <item> or <entry>, its fields with or without "g:".
import { Parser } from 'htmlparser2'
import type { FeedItem } from './feed-item.ts'

const PRODUCT = new Set(['item', 'entry'])

export function readMerchantXml(text: string): FeedItem[] {
  const items: FeedItem[] = []
  let item: FeedItem | null = null
  const path: string[] = []
  let value = ''
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.replace(/^g:/, '')
        if (item === null) {
          if (PRODUCT.has(name)) item = {}
          return
        }
        path.push(name)
        value = ''
        // Atom names an address in an attribute.
        if (path.length === 1 && name === 'link' && attributes.href) add(item, name, attributes.href)
      },
      ontext(part) {
        value += part
      },
      onclosetag(tag) {
        if (item === null) return
        const name = path.pop()
        if (name === undefined) {
          if (PRODUCT.has(tag)) items.push(item)
          item = null
          return
        }
        const trimmed = value.trim()
        value = ''
        if (trimmed === '') return
        // Shipping and the like have parts: what they are part of says more than they do.
        if (path.length === 0) add(item, name, trimmed)
        else if (path[0] === 'product_detail' && name === 'attribute_value') add(item, 'attribute_value', trimmed)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  if (items.length === 0) throw new Error('There is no <item> and no <entry> in it.')
  return items
}

/** What is there several times becomes a list. */
function add(item: FeedItem, name: string, value: string) {
  if (name === '__proto__') return
  const held = item[name]
  item[name] = held === undefined ? value : Array.isArray(held) ? [...held, value] : [held, value]
}
