// A Shopify shop, read through the GraphQL Admin API with an access token.
import type { ShopKey } from '@docent/contract'
import { type Item, isItem } from '../products/collect-fields.ts'
import { FeedFailure, itemsOf, type ShopAccess, type ShopReading } from './shop-calls.ts'

/** Supported for a year; afterwards Shopify answers as the oldest version that it supports. */
const API_VERSION = '2026-10'
const FIRST_PAGE_SIZE = 25
const VARIANTS = 'first: 30'
const MAX_VARIANT_PAGES = 20
const MAX_THROTTLED = 30
const MIN_PAUSE_MS = 500

const VARIANT_FIELDS = `pageInfo { hasNextPage endCursor }
  nodes {
    id title sku barcode price compareAtPrice availableForSale inventoryQuantity inventoryPolicy
    selectedOptions { name value }
  }`

const PRODUCTS = `query Products($size: Int!, $after: String) {
  shop { currencyCode }
  products(first: $size, after: $after, sortKey: ID, query: "status:active published_status:published") {
    pageInfo { hasNextPage endCursor }
    nodes {
      id title descriptionHtml vendor productType tags status onlineStoreUrl updatedAt
      featuredMedia { preview { image { url } } }
      metafields(first: 25) { nodes { key type value definition { access { storefront } } } }
      variants(${VARIANTS}) { ${VARIANT_FIELDS} }
    }
  }
}`

const VARIANTS_OF_PRODUCT = `query Variants($id: ID!, $after: String) {
  product(id: $id) { variants(first: 100, after: $after) { ${VARIANT_FIELDS} } }
}`

type ShopifyKey = Extract<ShopKey, { type: 'shopify' }>
type Query = (query: string, variables: Record<string, unknown>) => Promise<Item>

export async function* readShopify(access: ShopAccess, address: string, key: ShopifyKey): ShopReading {
  const query = makeQuery(access, address, key)
  let size = FIRST_PAGE_SIZE
  let after: string | null = null
  for (let pages = 1; ; pages++) {
    let data: Item
    for (;;) {
      try {
        data = await query(PRODUCTS, { size, after })
        break
      } catch (error) {
        if (!(error instanceof CostExceeded) || size === 1) throw error
        // What a query costs depends on the plan and version of the shop.
        size = Math.ceil(size / 2)
      }
    }
    const { nodes, next } = connectionOf(data.products)
    const currency = isItem(data.shop) ? data.shop.currencyCode : null
    const visibleNodes = nodes.filter(isShown)
    const products: Item[] = []
    for (const node of visibleNodes) products.push(toProduct(node, currency, await variantsOf(node, query)))
    yield products.map((value) => ({ kind: 'item', value }))
    if (next === null) return { pages, cutReason: null }
    if (next === after) return { pages, cutReason: 'repeated_page' }
    after = next
  }
}

class CostExceeded extends FeedFailure {
  constructor() {
    super('rate_limited', 200)
  }
}

function makeQuery({ call, pause }: ShopAccess, address: string, key: ShopifyKey): Query {
  const url = `${new URL(address).origin}/admin/api/${API_VERSION}/graphql.json`
  const headers = { 'x-shopify-access-token': key.access_token.trim() }
  return async (query, variables) => {
    for (let attempt = 1; ; attempt++) {
      const { body } = await call({ url, headers, json: { query, variables } })
      if (!isItem(body)) throw new FeedFailure('wrong_address', 200)
      const codes = itemsOf(body.errors).map(({ extensions }) => isItem(extensions) && extensions.code)
      if (codes.includes('THROTTLED')) {
        if (attempt === MAX_THROTTLED) throw new FeedFailure('rate_limited', 200)
        await pause(pauseFor(body.extensions))
        continue
      }
      if (codes.includes('MAX_COST_EXCEEDED')) throw new CostExceeded()
      if (codes.includes('ACCESS_DENIED')) throw new FeedFailure('permission_missing', 200)
      if (codes.length > 0) throw new FeedFailure('unreadable', 200)
      if (!isItem(body.data)) throw new FeedFailure('wrong_address', 200)
      return body.data
    }
  }
}

/** Until the shop's budget covers what the query may cost. */
function pauseFor(extensions: unknown): number {
  const cost = isItem(extensions) && isItem(extensions.cost) ? extensions.cost : {}
  const budget = isItem(cost.throttleStatus) ? cost.throttleStatus : {}
  const missingCost = Number(cost.requestedQueryCost) - Number(budget.currentlyAvailable)
  const waitMs = Math.ceil((missingCost / Number(budget.restoreRate)) * 1000)
  return Number.isFinite(waitMs) ? Math.max(waitMs, MIN_PAUSE_MS) : 2 * MIN_PAUSE_MS
}

function connectionOf(connection: unknown): { nodes: Item[]; next: string | null } {
  if (!isItem(connection)) return { nodes: [], next: null }
  const { hasNextPage, endCursor } = isItem(connection.pageInfo) ? connection.pageInfo : {}
  const next = hasNextPage === true && typeof endCursor === 'string' ? endCursor : null
  return { nodes: itemsOf(connection.nodes), next }
}

/** Products without a page in the shop are hidden: not published, or published for other channels only. */
function isShown({ status, onlineStoreUrl }: Item): boolean {
  return status === 'ACTIVE' && typeof onlineStoreUrl === 'string'
}

async function variantsOf({ id, variants }: Item, query: Query): Promise<Item[]> {
  let { nodes, next } = connectionOf(variants)
  for (let page = 1; next !== null && page <= MAX_VARIANT_PAGES; page++) {
    const { product } = await query(VARIANTS_OF_PRODUCT, { id, after: next })
    const more = connectionOf(isItem(product) ? product.variants : null)
    nodes = [...nodes, ...more.nodes]
    next = more.next
  }
  return nodes
}

function toProduct(node: Item, currency: unknown, variants: Item[]): Item {
  const { id, title, descriptionHtml, vendor, productType, tags, onlineStoreUrl, updatedAt } = node
  return {
    id: plainId(id),
    title,
    description: descriptionHtml,
    vendor,
    product_type: productType,
    tags,
    link: onlineStoreUrl,
    image_link: imageOf(node.featuredMedia),
    updated_at: updatedAt,
    currency,
    attributes: attributesOf(node.metafields),
    variants: variants.map(toVariant),
  }
}

function toVariant({ id, title, sku, barcode, price, compareAtPrice, selectedOptions, ...stock }: Item): Item {
  return {
    id: plainId(id),
    title,
    sku,
    barcode,
    price,
    compare_at_price: compareAtPrice,
    availability: availabilityOf(stock),
    // "Title: Default Title" is Shopify's way to say that there is nothing to choose.
    attributes: title === 'Default Title' ? [] : selectedOptions,
  }
}

/** For sale although nothing is left: sold on back order. Shops that count no stock report zero with the policy "deny". */
function availabilityOf({ availableForSale, inventoryQuantity, inventoryPolicy }: Item): string {
  if (availableForSale !== true) return 'out_of_stock'
  return inventoryPolicy === 'CONTINUE' && Number(inventoryQuantity) < 0 ? 'backorder' : 'in_stock'
}

/** "gid://shopify/Product/1001" → "1001", the id in every other list of the shop. */
function plainId(id: unknown): string {
  return String(id ?? '').replace(/^.*\//, '')
}

function imageOf(media: unknown): unknown {
  const preview = isItem(media) ? media.preview : null
  const image = isItem(preview) ? preview.image : null
  return isItem(image) ? image.url : undefined
}

/** Texts and numbers that the shop shows to customers; suppliers and notes are not for them. */
function attributesOf(metafields: unknown): Item {
  const attributes: Item = {}
  for (const { key, type, value, definition } of connectionOf(metafields).nodes) {
    const access = isItem(definition) ? definition.access : null
    if (!isItem(access) || access.storefront !== 'PUBLIC_READ') continue
    if (typeof key !== 'string' || typeof type !== 'string' || typeof value !== 'string') continue
    const name = key.replaceAll(/[_-]+/g, ' ')
    if (/^(single_line_text_field|multi_line_text_field|number_integer|number_decimal)$/.test(type))
      attributes[name] = value
    if (type === 'list.single_line_text_field') attributes[name] = listOf(value)
  }
  return attributes
}

function listOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
