// A shop's export as a list of products, whatever format it is in. What the fields mean is for the sync to say.
import { csvRecords } from '../csv.ts'
import type { FeedItem } from './feed-item.ts'
import { readMerchantXml } from './merchant-xml.ts'
import { isShopifyExport, readShopifyExport } from './shopify-export.ts'
import { isWooCommerceExport, readWooCommerceExport } from './woocommerce-export.ts'

export type FeedFormat = 'json' | 'ndjson' | 'csv' | 'xml' | 'shopify' | 'woocommerce'

export async function readFeed(text: string): Promise<{ format: FeedFormat; items: FeedItem[] }> {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (start.startsWith('<')) return { format: 'xml', items: readMerchantXml(start) }
  if (start.startsWith('[') || start.startsWith('{')) return readJson(start)
  const rows: Record<string, string>[] = []
  for await (const row of csvRecords([text])) rows.push(row as Record<string, string>)
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  if (isShopifyExport(names)) return { format: 'shopify', items: readShopifyExport(rows) }
  if (isWooCommerceExport(names)) return { format: 'woocommerce', items: readWooCommerceExport(rows) }
  return { format: 'csv', items: rows }
}

/** A list, an object with the list in `products` or `items`, or an object a line. */
function readJson(text: string): { format: FeedFormat; items: FeedItem[] } {
  const whole = parsed(text)
  if (Array.isArray(whole)) return { format: 'json', items: whole as FeedItem[] }
  if (whole !== undefined) {
    const { products, items } = whole as { products?: unknown; items?: unknown }
    const list = products ?? items ?? [whole]
    if (Array.isArray(list)) return { format: 'json', items: list as FeedItem[] }
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const items = lines.map((line, index) => {
    const item = parsed(line)
    if (item === undefined) throw new Error(`Line ${index + 1} is no JSON.`)
    return item as FeedItem
  })
  return { format: 'ndjson', items }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
