// A WooCommerce shop, read through its REST API (version 3) with a consumer key.
import type { ShopKey } from '@docent/contract'
import { type Item, isItem } from '../products/collect-fields.ts'
import type { FeedEntry } from './feed-formats.ts'
import type { CutReason } from './feed-pages.ts'
import { FeedFailure, itemsOf, type ShopAccess, type ShopReading } from './shop-calls.ts'

const PRODUCTS_PER_PAGE = 50
const VARIATIONS_PER_PAGE = 100
const MAX_VARIATION_PAGES = 5
// Asking for no more than is used keeps the pages small.
const VARIATION_FIELDS =
  'id,sku,status,price,regular_price,sale_price,on_sale,stock_status,attributes,image,permalink,global_unique_id'
const PRODUCT_FIELDS = `${VARIATION_FIELDS},name,type,catalog_visibility,post_password,description,short_description,categories,tags,brands,images,variations,average_rating,rating_count,date_modified_gmt,weight,dimensions`

type WooCommerceKey = Extract<ShopKey, { type: 'woocommerce' }>

export async function* readWooCommerce({ call }: ShopAccess, address: string, key: WooCommerceKey): ShopReading {
  const base = apiOf(address)
  const credentials = Buffer.from(`${key.consumer_key.trim()}:${key.consumer_secret.trim()}`).toString('base64')
  const get = (path: string) => call({ url: `${base}/${path}`, authorization: `Basic ${credentials}` })
  const currency = await currencyOf(get)
  const units = await unitsOf(get)
  let receivedItems = 0
  let cutReason: CutReason | null = null
  let statedTotal: number | undefined
  for (let page = 1; ; page++) {
    const query = `per_page=${PRODUCTS_PER_PAGE}&page=${page}&status=publish&orderby=id&order=asc&_fields=${PRODUCT_FIELDS}`
    const { headers, body } = await get(`products?${query}`)
    // Some other interface answers here.
    if (!Array.isArray(body)) throw new FeedFailure('wrong_address', 200)
    receivedItems += body.length
    const total = Number(headers['x-wp-total'] ?? 0)
    statedTotal ??= total
    // A product that left an earlier page moved the next ones up: one of them was skipped.
    if (total !== statedTotal) cutReason = 'fewer_than_stated'
    const entries: FeedEntry[] = []
    for (const product of itemsOf(body).filter(isShown)) {
      const variants = product.type === 'variable' ? await variationsOf(product, get) : []
      const value = { ...toItem(product), ...measuresOf(product, units), currency, variants }
      // Its own price is the lowest of its variations, without the regular one.
      entries.push({ kind: 'item', value: variants.length > 0 ? { ...value, price: undefined } : value })
    }
    yield entries
    const isLast = page >= Number(headers['x-wp-totalpages'] ?? 1) || body.length === 0
    if (!isLast) continue
    if (receivedItems < total) cutReason = 'fewer_than_stated'
    return { pages: page, cutReason }
  }
}

type Get = (path: string) => ReturnType<ShopAccess['call']>

/** WordPress may live in a folder. People also paste the address of the interface itself. */
function apiOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/wp-json(\/.*)?$/, '').replace(/\/+$/, '')}/wp-json/wc/v3`
}

/** Without it, the currency of the feed or the bot counts. */
async function currencyOf(get: Get): Promise<string | null> {
  const body = await optional(get('data/currencies/current'))
  return isItem(body) && typeof body.code === 'string' ? body.code : null
}

interface Units {
  weight: string | null
  length: string | null
}

async function unitsOf(get: Get): Promise<Units> {
  const settings = itemsOf(await optional(get('settings/products?_fields=id,value')))
  const setting = (name: string) => {
    const value = settings.find(({ id }) => id === name)?.value
    return typeof value === 'string' && value !== '' ? value : null
  }
  return { weight: setting('woocommerce_weight_unit'), length: setting('woocommerce_dimension_unit') }
}

/** Keys of some users may read products but no settings. */
async function optional(response: ReturnType<Get>): Promise<unknown> {
  try {
    return (await response).body
  } catch (error) {
    if (error instanceof FeedFailure && (error.statusCode === 403 || error.statusCode === 404)) return null
    throw error
  }
}

async function variationsOf({ id }: Item, get: Get): Promise<Item[]> {
  const variations: Item[] = []
  for (let page = 1; page <= MAX_VARIATION_PAGES; page++) {
    const query = `per_page=${VARIATIONS_PER_PAGE}&page=${page}&_fields=${VARIATION_FIELDS}`
    const { headers, body } = await get(`products/${encodeURIComponent(String(id))}/variations?${query}`)
    variations.push(...itemsOf(body).filter(isShown).map(toItem))
    if (page >= Number(headers['x-wp-totalpages'] ?? 1)) break
  }
  return variations
}

/** Neither drafts nor what customers cannot find or need a password for. */
function isShown({ status, catalog_visibility: visibility, post_password: password }: Item): boolean {
  return (status === undefined || status === 'publish') && visibility !== 'hidden' && !password
}

/** A number without its unit would be a riddle. */
function measuresOf({ weight, dimensions }: Item, units: Units): Item {
  const sides = isItem(dimensions) ? [dimensions.length, dimensions.width, dimensions.height].filter(Boolean) : []
  return {
    weight: weight && units.weight ? `${weight} ${units.weight}` : undefined,
    dimensions: sides.length > 0 && units.length ? `${sides.join(' × ')} ${units.length}` : undefined,
  }
}

/** A sale price that is planned or over is not the price. */
function toItem(product: Item): Item {
  const {
    sale_price: salePrice,
    on_sale: isOnSale,
    attributes,
    type: _type,
    post_password: _password,
    ...rest
  } = product
  return {
    ...rest,
    ...(isOnSale === false ? {} : { sale_price: salePrice }),
    attributes: itemsOf(attributes).filter(({ visible, variation }) => visible !== false || variation === true),
  }
}
