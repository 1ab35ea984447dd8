// Prices in objects or lists: schema.org offers, Shopify's ranges, WooCommerce's minor units.
import { type Item, isItem } from './collect-fields.ts'
import { parsePrice } from './parse-price.ts'

export interface Offer {
  price?: unknown
  regularPrice?: unknown
  salePrice?: unknown
  currency?: unknown
  availability?: unknown
  url?: unknown
}

const MAX_OFFERS = 100
const DEEPEST = 5

/** The offer in a price field; the cheapest of several. */
export function readOffer(value: unknown, depth = 0): Offer {
  if (depth > DEEPEST) return {}
  if (Array.isArray(value)) {
    const offers = value.slice(0, MAX_OFFERS).filter(isItem)
    return cheapest(offers.map((offer) => readOffer(offer, depth)))
  }
  if (!isItem(value)) return { price: value }
  if (value.currency_minor_unit !== undefined) return minorUnits(value)
  const range = value.minVariantPrice ?? value.min_variant_price
  if (range !== undefined) return { price: range }
  if (value.lowPrice !== undefined || value.offers !== undefined) {
    const inner = value.offers === undefined ? {} : readOffer(value.offers, depth + 1)
    const { priceCurrency: currency = inner.currency, availability = inner.availability } = value
    return { ...inner, price: value.lowPrice ?? inner.price, currency, availability }
  }
  const specification = Array.isArray(value.priceSpecification) ? value.priceSpecification[0] : value.priceSpecification
  if (value.price === undefined && isItem(specification)) return { ...offerFields(value), price: specification }
  return { ...offerFields(value), price: value }
}

function offerFields({ priceCurrency, availability, url }: Item): Offer {
  return { currency: priceCurrency, availability, url }
}

function cheapest(offers: Offer[]): Offer {
  const amount = ({ price, currency }: Offer) => {
    const read = parsePrice(price, typeof currency === 'string' ? currency : null)
    return typeof read === 'object' ? read.amount : Number.POSITIVE_INFINITY
  }
  return offers.toSorted((a, b) => amount(a) - amount(b))[0] ?? {}
}

/** WooCommerce's Store API uses minor units and states their number of decimals. */
function minorUnits(prices: Item): Offer {
  const scale = 10 ** Math.min(Math.max(Number(prices.currency_minor_unit) || 0, 0), 6)
  const scaled = (value: unknown) =>
    value === undefined || value === null || value === '' ? undefined : Number(value) / scale
  const [price, regularPrice] = [scaled(prices.price), scaled(prices.regular_price)]
  return { price, regularPrice, currency: prices.currency_code }
}
