// WooCommerce's export: one row per product; variations name their parent.
import type { FeedItem } from './feed-item.ts'

type Cells = Record<string, string>

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
    ...product(row),
    variants: variationsOf(row, variations).map(product),
  }))
}

/** Parents are named by SKU, or by "id:123" without one. */
function variationsOf({ id, sku }: Cells, byParent: Map<string, Cells[]>): Cells[] {
  return [...((sku && byParent.get(sku)) || []), ...(byParent.get(`id:${id}`) ?? [])]
}

function product(row: Cells): FeedItem {
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
  const found: FeedItem = {}
  for (let number = 1; row[`attribute ${number} name`]; number++)
    found[row[`attribute ${number} name`] as string] = list(row[`attribute ${number} value(s)`])
  return found
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
