// Shops on loopback, invented, that answer as the documented APIs of WooCommerce (REST, version 3) and Shopify (GraphQL
// Admin API) do.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { startSite, type TestSite } from './test-site.ts'

type Row = Record<string, unknown>
type Reply = { status?: number; headers?: Record<string, string>; body: string }

const json = { 'content-type': 'application/json; charset=UTF-8' }
const reply = (body: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
})

export interface WooCommerceShop {
  site: TestSite
  products: Row[]
  variations: Map<number, Row[]>
  currency: string | null
  /** Answers of the next requests, before any other. */
  first: Reply[]
}

/** WordPress in the folder `/store`. */
export async function startWooCommerce(key = 'ck_1234567890abcd', secret = 'cs_secret'): Promise<WooCommerceShop> {
  const site = await startSite()
  const shop: WooCommerceShop = { site, products: [], variations: new Map(), currency: 'EUR', first: [] }
  const base = '/store/wp-json/wc/v3/'
  const error = (code: string, message: string, status: number) => reply({ code, message, data: { status } }, status)

  function page(rows: Row[], query: URLSearchParams) {
    const size = Number(query.get('per_page') ?? 10)
    const from = (Number(query.get('page') ?? 1) - 1) * size
    const fields = new Set(query.get('_fields')?.split(','))
    const pageRows = rows
      .slice(from, from + size)
      .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => fields.size === 0 || fields.has(name))))
    const pages = Math.max(1, Math.ceil(rows.length / size))
    return reply(pageRows, 200, { 'X-WP-Total': String(rows.length), 'X-WP-TotalPages': String(pages) })
  }

  site.fallback = (address) => (request: IncomingMessage) => {
    const { pathname, searchParams } = new URL(address, site.url)
    if (!pathname.startsWith(base)) return { status: 404, body: '<h1>Not found</h1>' }
    const next = shop.first.shift()
    if (next) return next
    if (request.headers.authorization !== `Basic ${btoa(`${key}:${secret}`)}`)
      return error('woocommerce_rest_authentication_error', 'Consumer key is invalid.', 401)
    const path = pathname.slice(base.length)
    if (path === 'products') {
      const status = searchParams.get('status') ?? 'any'
      const rows = shop.products.filter((row) => status === 'any' || row.status === status)
      return page(rows, searchParams)
    }
    const variations = /^products\/(\d+)\/variations$/.exec(path)
    if (variations) return page(shop.variations.get(Number(variations[1])) ?? [], searchParams)
    const isSettings = path === 'data/currencies/current' || path === 'settings/products'
    if (isSettings && shop.currency === null)
      return error('woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.', 403)
    if (path === 'data/currencies/current') return reply({ code: shop.currency, name: 'Euro', symbol: '&euro;' })
    if (path === 'settings/products')
      return reply([
        { id: 'woocommerce_weight_unit', value: 'kg' },
        { id: 'woocommerce_dimension_unit', value: 'cm' },
      ])
    return error('rest_no_route', 'No route was found matching the URL and request method.', 404)
  }
  return shop
}

/** A product of the documented shape. */
export function wooProduct(id: number, name: string, more: Row = {}): Row {
  return {
    id,
    name,
    slug: `product-${id}`,
    permalink: `https://shop.test/product/product-${id}/`,
    date_modified_gmt: '2026-03-01T10:00:00',
    type: 'simple',
    status: 'publish',
    featured: false,
    catalog_visibility: 'visible',
    description: `<p>${name}, made in Graz.</p>`,
    short_description: '',
    sku: `SKU-${id}`,
    price: '20.00',
    regular_price: '20.00',
    sale_price: '',
    on_sale: false,
    stock_quantity: null,
    stock_status: 'instock',
    weight: '',
    dimensions: { length: '', width: '', height: '' },
    average_rating: '0.00',
    rating_count: 0,
    categories: [{ id: 9, name: 'Lamps', slug: 'lamps' }],
    tags: [],
    images: [{ id: 1, src: `https://shop.test/${id}.jpg`, name: '', alt: '' }],
    attributes: [],
    default_attributes: [],
    variations: [],
    grouped_products: [],
    meta_data: [{ id: 1, key: '_purchase_price', value: '7.10' }],
    ...more,
  }
}

export interface ShopifyShop {
  site: TestSite
  products: Row[]
  currency: string
  first: Reply[]
  /** The highest number of products that a query may ask for. */
  largestPage: number
  queries: { query: string; variables: Row }[]
}

export async function startShopify(token = 'shpat_1234567890abcd'): Promise<ShopifyShop> {
  const site = await startSite()
  const shop: ShopifyShop = { site, products: [], currency: 'CAD', first: [], largestPage: 250, queries: [] }
  const failed = (code: string, extensions?: Row) =>
    reply({ errors: [{ message: code, extensions: { code } }], ...(extensions ? { extensions } : {}) })

  function connection(rows: Row[], size: number, after: unknown) {
    const from = after ? Number(atob(String(after))) : 0
    const nodes = rows.slice(from, from + size)
    const hasNextPage = from + size < rows.length
    return { pageInfo: { hasNextPage, endCursor: nodes.length > 0 ? btoa(String(from + nodes.length)) : null }, nodes }
  }
  const variantsOf = (row: Row, size: number, after: unknown = null) => connection(row.variants as Row[], size, after)

  function answer(query: string, variables: Row): Reply {
    if (query.includes('product(id:')) {
      const row = shop.products.find(({ id }) => id === variables.id) as Row
      return reply({ data: { product: { variants: variantsOf(row, 100, variables.after) } } })
    }
    const size = Number(variables.size)
    if (size > shop.largestPage) return failed('MAX_COST_EXCEEDED')
    const perProduct = Number(/variants\(first: (\d+)/.exec(query)?.[1])
    const products = connection(shop.products, size, variables.after)
    const nodes = products.nodes.map((row) => ({ ...row, variants: variantsOf(row, perProduct) }))
    return reply({ data: { shop: { currencyCode: shop.currency }, products: { ...products, nodes } } })
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const send = ({ status = 200, headers = {}, body }: Reply) => response.writeHead(status, headers).end(body)
    if (request.headers['x-shopify-access-token'] !== token)
      return send(
        reply({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }, 401),
      )
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    shop.queries.push({ query, variables })
    send(shop.first.shift() ?? answer(query, variables))
  }

  site.fallback = (address) =>
    /^\/admin\/api\/\d{4}-\d{2}\/graphql\.json$/.test(address)
      ? (request, response) => {
          void handle(request, response)
          return undefined
        }
      : undefined
  return shop
}

export const throttled = (restoreRate: number): Reply =>
  reply({
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 100,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 0, restoreRate },
      },
    },
  })

export const denied = (): Reply =>
  reply({ errors: [{ message: 'Access denied for products field.', extensions: { code: 'ACCESS_DENIED' } }] })

/** A product of the documented shape. */
export function shopifyProduct(id: number, title: string, variants: Row[], more: Row = {}): Row {
  return {
    id: `gid://shopify/Product/${id}`,
    title,
    descriptionHtml: `<p>${title}, made in Graz.</p>`,
    vendor: 'Lumen & Co',
    productType: 'Lamps',
    tags: ['light'],
    status: 'ACTIVE',
    onlineStoreUrl: `https://shop.test/products/product-${id}`,
    updatedAt: '2026-03-01T10:00:00Z',
    featuredMedia: { preview: { image: { url: `https://cdn.shop.test/${id}.jpg` } } },
    metafields: { nodes: [] },
    variants,
    ...more,
  }
}

export function shopifyVariant(id: number, title: string, more: Row = {}): Row {
  return {
    id: `gid://shopify/ProductVariant/${id}`,
    title,
    sku: `V-${id}`,
    barcode: null,
    price: '20.00',
    compareAtPrice: null,
    availableForSale: true,
    inventoryQuantity: 5,
    inventoryPolicy: 'DENY',
    selectedOptions: [{ name: title === 'Default Title' ? 'Title' : 'Colour', value: title }],
    ...more,
  }
}
