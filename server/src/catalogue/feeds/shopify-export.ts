// Shopify's export: one row per variant or image; the first row of a handle has the product's own fields.
import type { FeedItem } from './feed-item.ts'

type Cells = Record<string, string>

export function isShopifyExport(names: ReadonlySet<string>): boolean {
  return names.has('handle') && (names.has('variant price') || names.has('body (html)'))
}

export function readShopifyExport(rows: Cells[]): FeedItem[] {
  const byHandle = Map.groupBy(rows, (row) => row.handle ?? '')
  byHandle.delete('')
  return [...byHandle].map(([handle, own]) => product(handle, own))
}

function product(handle: string, rows: Cells[]): FeedItem {
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
    variants: variants.map((row, index) => variant(row, `${handle}-${index + 1}`, isPlain)),
  }
}

function variant(row: Cells, id: string, isPlain: boolean): FeedItem {
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
