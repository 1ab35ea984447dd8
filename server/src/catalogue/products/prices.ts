// Prices as shops write them: the regular price, the sale price while the sale lasts, offers and currencies.

import { type CollectedFields, type Item, isItem } from './collect-fields.ts'
import type { Remarks } from './remarks.ts'

const LONGEST_DATES = 100
/** ISO 4217 for none. */
const NO_CURRENCY = 'XXX'

interface Prices {
  price: number | null
  salePrice: number | null
  currency: string | null
  /** What a sign that several currencies share usually means. */
  assumedCurrency: string | null
  offer: Offer
}

export function readPrices(
  fields: CollectedFields,
  remarks: Remarks,
  inheritedCurrency: string | null,
  now: number,
): Prices {
  const offers = fields.all('price').map((value) => readOffer(value))
  const offer = offers.find(({ price }) => price !== undefined) ?? offers[0] ?? {}
  const ownCurrency = currencyCode(fields.first('currency') ?? offer.currency) ?? inheritedCurrency
  let assumedCurrency: string | null = null
  function read(name: string, value: unknown) {
    const money = amountOf(name, parsePrice(value, ownCurrency ?? NO_CURRENCY), remarks)
    if (money?.currency !== NO_CURRENCY) return money
    const usual = parsePrice(value, null)
    if (typeof usual === 'object') assumedCurrency ??= usual.currency
    return { ...money, currency: null }
  }

  const price = read('price', offer.price)
  const regular = read('regular price', fields.first('regularPrice') ?? offer.regularPrice)
  const sale = read('sale price', fields.first('salePrice') ?? offer.salePrice)
  const currency = price?.currency ?? regular?.currency ?? sale?.currency ?? ownCurrency
  const usual = regular && (!price || regular.amount > price.amount || sale) ? regular : price
  const lowerPrice = sale ?? (usual === regular ? price : null)
  const reducedPrice =
    lowerPrice && usual && lowerPrice.amount < usual.amount && isOn(fields.first('saleDates'), now) ? lowerPrice : null
  return {
    price: (usual ?? lowerPrice)?.amount ?? null,
    salePrice: reducedPrice?.amount ?? null,
    currency,
    assumedCurrency,
    offer,
  }
}

function amountOf(name: string, price: ParsedPrice, remarks: Remarks) {
  if (typeof price === 'object') return price
  if (price === 'unreadable') remarks.refuse('invalid_price', `The ${name} could not be read.`)
  if (price === 'words') remarks.warn('price_without_number', `The ${name} has no number and was ignored.`)
  return null
}

/** Google's "start/end"; an unreadable date does not end a sale. */
function isOn(dates: unknown, now: number): boolean {
  if (typeof dates !== 'string' || dates.length > LONGEST_DATES) return true
  const [start = Number.NaN, end = Number.NaN] = dates.split('/').map((date) => Date.parse(date.trim()))
  return !(now < start) && !(now > end)
}

// Prices in objects or lists: schema.org offers, Shopify's ranges, WooCommerce's minor units.
interface Offer {
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
function readOffer(value: unknown, depth = 0): Offer {
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
    const parsedPrice = parsePrice(price, typeof currency === 'string' ? currency : null)
    return typeof parsedPrice === 'object' ? parsedPrice.amount : Number.POSITIVE_INFINITY
  }
  return offers.toSorted((a, b) => amount(a) - amount(b))[0] ?? {}
}

/** WooCommerce's Store API uses minor units and states their number of decimals. */
function minorUnits(prices: Item): Offer {
  const scale = 10 ** Math.min(Math.max(Number(prices.currency_minor_unit) || 0, 0), 6)
  const toAmount = (value: unknown) =>
    value === undefined || value === null || value === '' ? undefined : Number(value) / scale
  const [price, regularPrice] = [toAmount(prices.price), toAmount(prices.regular_price)]
  return { price, regularPrice, currency: prices.currency_code }
}

// Parses prices as shops write them: "29.99", "1.299,00 €", "CHF 1'299.-", "₹1,29,999.00", { value, currency }.
const HIGHEST = 1e12
const LONGEST = 60
const MICROS = 1e6
// Fast path for what most feeds send.
const PLAIN = /^(\d+(?:\.\d{1,2})?)(?: ([A-Z]{3}))?$/

interface Price {
  amount: number
  currency: string | null
}

/** `absent`: no price. `words`: text without a number, such as "on request". */
type ParsedPrice = Price | 'absent' | 'words' | 'unreadable'

export function parsePrice(value: unknown, currency: string | null): ParsedPrice {
  if (value === null || value === undefined) return 'absent'
  if (typeof value === 'number') return checkAmount(value, currency)
  if (typeof value === 'string') return parseText(value, currency)
  if (typeof value === 'object' && !Array.isArray(value)) return parseMoney(value as Record<string, unknown>, currency)
  return 'unreadable'
}

/** Money objects of Google's and Shopify's APIs: an amount with a currency, or in millionths. */
function parseMoney(money: Record<string, unknown>, defaultCurrency: string | null): ParsedPrice {
  const currency =
    currencyCode(money.currency ?? money.currencyCode ?? money.currency_code ?? money.priceCurrency) ?? defaultCurrency
  const micros = money.amountMicros ?? money.amount_micros
  if (micros !== undefined) return checkAmount(Number(micros) / MICROS, currency)
  const amount = money.value ?? money.amount ?? money.price
  return typeof amount === 'object' ? 'absent' : parsePrice(amount, currency)
}

function parseText(text: string, defaultCurrency: string | null): ParsedPrice {
  const tidy = text.trim()
  if (tidy === '') return 'absent'
  if (tidy.length > LONGEST) return 'unreadable'
  const plain = PLAIN.exec(tidy)
  if (plain) return checkAmount(Number(plain[1]), currencyCode(plain[2]) ?? defaultCurrency)
  if (!/\d/.test(tidy)) return 'words'
  const currency = currencyIn(tidy, defaultCurrency)
  // Exactly one number, with any grouping and no minus sign. Only ASCII digits.
  const numbers = tidy.match(/\d[\d.,'’\s\u00a0\u202f\u2009]*/g) ?? []
  const [number, ...others] = numbers
  if (number === undefined || others.length > 0 || /[-−]\s*\D{0,4}\d/.test(tidy)) return 'unreadable'
  return checkAmount(Number(plainNumber(number, decimalsOf(currency))), currency)
}

/**
 * Finds the decimal separator: the last one of two kinds. A single kind groups thousands if it occurs more than once or
 * precedes exactly three digits ("1.299" is 1299), unless the currency has three decimals or only a zero comes
 * before it.
 */
function plainNumber(numberText: string, decimals: 2 | 3): string {
  const text = numberText.replace(/['’\s\u00a0\u202f\u2009]/g, '').replace(/[.,]+$/, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last < 0) return text
  const kind = text[last] as string
  const other = kind === '.' ? ',' : '.'
  const isRepeated = text.indexOf(kind) !== last
  if (text.includes(other)) {
    // "1.299,00,5" is not a number: a decimal separator occurs once.
    if (isRepeated) return 'none'
    return `${text.slice(0, last).replaceAll(other, '')}.${text.slice(last + 1)}`
  }
  const groups = text.length - last - 1 === 3 && (isRepeated || (decimals === 2 && !/^0/.test(text)))
  if (groups) return text.replaceAll(kind, '')
  return isRepeated ? 'none' : text.replace(kind, '.')
}

function checkAmount(amount: number, currency: string | null): Price | 'unreadable' {
  return Number.isFinite(amount) && amount >= 0 && amount <= HIGHEST ? { amount, currency } : 'unreadable'
}

// Currency codes and signs in prices.
const isoCodes = new Set(Intl.supportedValuesOf('currency'))

/** Longest first, so that "R$" is not read as "$". */
const signs: [sign: string, code: string][] = (
  [
    ['US$', 'USD'],
    ['CA$', 'CAD'],
    ['AU$', 'AUD'],
    ['NZ$', 'NZD'],
    ['HK$', 'HKD'],
    ['NT$', 'TWD'],
    ['MX$', 'MXN'],
    ['R$', 'BRL'],
    ['A$', 'AUD'],
    ['C$', 'CAD'],
    ['S$', 'SGD'],
    ['CN¥', 'CNY'],
    ['元', 'CNY'],
    ['円', 'JPY'],
    ['€', 'EUR'],
    ['£', 'GBP'],
    ['₹', 'INR'],
    ['Rs.', 'INR'],
    ['₩', 'KRW'],
    ['₽', 'RUB'],
    ['руб', 'RUB'],
    ['₴', 'UAH'],
    ['₺', 'TRY'],
    ['₫', 'VND'],
    ['฿', 'THB'],
    ['₪', 'ILS'],
    ['₱', 'PHP'],
    ['₦', 'NGN'],
    ['zł', 'PLN'],
    ['Kč', 'CZK'],
    ['Ft', 'HUF'],
    ['Fr.', 'CHF'],
  ] as [string, string][]
).sort(([a], [b]) => b.length - a.length)

/** Signs shared by several currencies: the product's own currency decides, otherwise the most common one, if any. */
const sharedSigns: [sign: RegExp, code: string | null][] = [
  [/\$/, 'USD'],
  [/[¥￥]/, 'JPY'],
  [/\bkr\b\.?/i, null],
]

const sharing: Record<string, ReadonlySet<string>> = {
  USD: new Set('USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP UYU BBD BSD BZD FJD JMD TTD'.split(' ')),
  JPY: new Set(['JPY', 'CNY']),
}

/** Whether a sign that usually means one currency can also mean another: "$" for Canadian dollars, never for euros. */
export function sharesSign(usual: string, code: string): boolean {
  return sharing[usual]?.has(code) ?? false
}

const THREE_DECIMALS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

/** "eur" → "EUR"; null if it is not a currency. */
function currencyCode(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > LONGEST) return null
  const code = text.trim().toUpperCase()
  return isoCodes.has(code) ? code : currencyIn(text, null)
}

/** The currency of a price, by its code or sign. */
function currencyIn(text: string, defaultCurrency: string | null): string | null {
  for (const [code] of text.matchAll(/(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])/g)) {
    if (isoCodes.has(code.toUpperCase())) return code.toUpperCase()
  }
  for (const [sign, code] of signs) if (text.includes(sign)) return code
  for (const [sign, code] of sharedSigns) if (sign.test(text)) return defaultCurrency ?? code
  return defaultCurrency
}

function decimalsOf(currency: string | null): 2 | 3 {
  return currency && THREE_DECIMALS.has(currency) ? 3 : 2
}
