// Reads a product's variants, each a small product: size, colour, price and availability.
import type { Availability } from '../../answers/types.ts'
import type { ProductAttributes, ProductVariant } from '../product.ts'
import { IGNORED_FIELDS } from './alias-table.ts'
import { collectFields, type Item, isItem } from './collect-fields.ts'
import { readPrices } from './prices.ts'
import { makeRemarks, type Remarks } from './remarks.ts'

const MAX_VARIANTS = 500
const LONGEST_TITLE = 300
const OPTION = /^option_?([123])$/

export interface ParsedVariant extends ProductVariant {
  currency: string | null
  assumedCurrency: string | null
  gtin: string | null
}

interface Parent {
  id: string
  title: string
  currency: string | null
  siteUrl: string | null
  now: number
}

export function readVariants(value: unknown, options: unknown, parent: Parent, remarks: Remarks): ParsedVariant[] {
  const items = listOf(value).filter(isItem)
  if (items.length > MAX_VARIANTS) {
    remarks.warn('variants_left_out', `Only the first ${MAX_VARIANTS} variants are kept.`)
  }
  const names = listOf(options).map(nameOf)
  return items.slice(0, MAX_VARIANTS).map((item, index) => readVariant(item, index, names, parent, remarks))
}

function readVariant(
  item: Item,
  index: number,
  optionNames: (string | null)[],
  parent: Parent,
  remarks: Remarks,
): ParsedVariant {
  const fields = collectFields(item)
  // An unreadable price drops the variant's price, not the whole product.
  const ownRemarks = makeRemarks()
  const { price, salePrice, currency, assumedCurrency, offer } = readPrices(
    fields,
    ownRemarks,
    parent.currency,
    parent.now,
  )
  if (ownRemarks.refusal)
    remarks.warn('price_without_number', 'The price of a variant could not be read and was ignored.')
  const { attributes, add, addAll } = makeAttributeReader(remarks)
  for (const [name, part] of fields.leftOver) {
    const option = OPTION.exec(name)?.[1]
    add(option ? (optionNames[Number(option) - 1] ?? name) : name, part)
  }
  for (const part of [...fields.all('attributes'), ...fields.all('options')]) addAll(part)
  addAll(item.selectedOptions)
  const [sku, ownTitle] = [textOf(fields.first('sku')), textOf(fields.first('title'))]
  const title =
    ownTitle && ownTitle !== 'Default Title' && ownTitle !== parent.title ? ownTitle.slice(0, LONGEST_TITLE) : ''
  return {
    id: textOf(fields.first('id')) || sku || `${parent.id}-${index + 1}`,
    title: title || Object.values(attributes).flat().join(' / ').slice(0, LONGEST_TITLE),
    price,
    salePrice,
    availability: availabilityOf(fields.first('availability') ?? offer.availability, fields.first('stock'), item),
    attributes,
    sku,
    url: readUrl(fields.first('url') ?? offer.url, parent.siteUrl, remarks),
    imageUrl: readUrl(fields.first('imageUrl'), parent.siteUrl, remarks),
    currency,
    assumedCurrency,
    gtin: textOf(fields.first('gtin')),
  }
}

function availabilityOf(statedAvailability: unknown, stock: unknown, item: Item): Availability | null {
  const parsedAvailability = parseAvailability(statedAvailability)
  if (parsedAvailability === 'discontinued') return 'out_of_stock'
  if (parsedAvailability !== null && parsedAvailability !== 'unreadable') return parsedAvailability
  // Shopify sells products without inventory tracking, and below zero if the shop allows it.
  if ('inventory_management' in item && item.inventory_management === null) return 'in_stock'
  const byStock = availabilityOfStock(stock)
  return byStock === 'out_of_stock' && item.inventory_policy === 'continue' ? 'backorder' : byStock
}

// Reads attributes of any shape as names with texts: objects, or the lists of Shopify, WooCommerce and
// schema.org.
const MAX_ATTRIBUTES = 100
const MAX_VALUES = 50
const LONGEST_NAME = 100
const LONGEST_VALUE = 1000

export function makeAttributeReader(remarks: Remarks) {
  const attributes: ProductAttributes = {}
  let count = 0

  function put(name: string, value: string | string[]) {
    const key = name.trim().slice(0, LONGEST_NAME).toWellFormed()
    // Assigning `__proto__` would set the prototype.
    if (key === '' || key === '__proto__' || value.length === 0) return
    if (Object.hasOwn(attributes, key)) return
    if (count >= MAX_ATTRIBUTES) {
      remarks.warn('attributes_left_out', `Only the first ${MAX_ATTRIBUTES} attributes are kept.`)
      return
    }
    attributes[key] = value
    count++
  }

  /** Accepts text, or a flat object whose names follow its own. Deeper values are ignored. */
  function add(name: string, value: unknown) {
    const texts = textsOf(value)
    if (texts !== null) return put(name, texts)
    if (!isItem(value)) return
    const start = name.trim().slice(0, LONGEST_NAME)
    for (const [inner, part] of Object.entries(value).slice(0, MAX_ATTRIBUTES)) {
      const text = textsOf(part)
      if (text !== null) put(`${start} ${inner}`, text)
    }
  }

  /** A field with attributes: `{ colour: "red" }` or `[{ name: "Colour", value: "red" }]`. */
  function addAll(value: unknown) {
    if (isItem(value)) for (const [name, part] of Object.entries(value)) if (!IGNORED_FIELDS.has(name)) add(name, part)
    if (!Array.isArray(value)) return
    for (const part of value.filter(isItem)) {
      const name = part.name ?? part.key ?? part.attribute_name ?? part.attributeName ?? part.attribute_code
      const partValue = part.value ?? part.options ?? part.values ?? part.option ?? part.terms ?? part.attribute_value
      const texts = textsOf(partValue ?? part.attributeValue)
      if (typeof name === 'string' && texts !== null) put(name, withUnit(texts, part.unitText))
    }
  }

  return { attributes, add, addAll }
}

export function textsOf(value: unknown): string | string[] | null {
  const text = textOf(value)
  if (text !== null) return text
  if (!Array.isArray(value)) return null
  const texts = value.slice(0, MAX_VALUES).map((part) => textOf(part) ?? nameOf(part))
  const values = [...new Set(texts.filter((part) => part !== null && part !== ''))] as string[]
  return values.length === 1 ? (values[0] ?? null) : values.length > 0 ? values : null
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1).toWellFormed()}…` : text
}

/** The name of an object such as a category, brand, tag or term. */
export function nameOf(value: unknown): string | null {
  if (!isItem(value)) return null
  return textOf(value.name ?? value.title ?? value.label ?? value.value)
}

function withUnit(texts: string | string[], unit: unknown): string | string[] {
  return typeof texts === 'string' && typeof unit === 'string' ? `${texts} ${textOf(unit)}` : texts
}

// Reads whether a product is available, in the terms of every shop system.

/** Compared by letters only: "In stock", "in_stock" and "https://schema.org/InStock" are the same. */
const words: Record<string, Availability | 'discontinued'> = {
  instock: 'in_stock',
  available: 'in_stock',
  availablefororder: 'in_stock',
  limitedavailability: 'in_stock',
  limitedstock: 'in_stock',
  lowstock: 'in_stock',
  onlineonly: 'in_stock',
  instoreonly: 'in_stock',
  true: 'in_stock',
  yes: 'in_stock',
  outofstock: 'out_of_stock',
  soldout: 'out_of_stock',
  unavailable: 'out_of_stock',
  notavailable: 'out_of_stock',
  reserved: 'out_of_stock',
  false: 'out_of_stock',
  no: 'out_of_stock',
  preorder: 'preorder',
  presale: 'preorder',
  comingsoon: 'preorder',
  backorder: 'backorder',
  onbackorder: 'backorder',
  madetoorder: 'backorder',
  discontinued: 'discontinued',
}

export function parseAvailability(value: unknown): Availability | 'discontinued' | null | 'unreadable' {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string' && typeof value !== 'boolean') return 'unreadable'
  const letters = String(value)
    .slice(0, 100)
    .replace(/^https?:\/\/schema\.org\//i, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return Object.hasOwn(words, letters) ? (words[letters] ?? null) : 'unreadable'
}

/** Derived from the stock level, if nothing else says so. */
export function availabilityOfStock(quantity: unknown): Availability | null {
  const count = typeof quantity === 'string' && quantity.trim() !== '' ? Number(quantity) : quantity
  if (typeof count !== 'number' || !Number.isFinite(count)) return null
  return count > 0 ? 'in_stock' : 'out_of_stock'
}

/** The availability of a product with several variants. */
export function availabilityOfVariants(all: (Availability | null)[]): Availability | null {
  const order: Availability[] = ['in_stock', 'preorder', 'backorder']
  for (const better of order) if (all.includes(better)) return better
  return all.length > 0 && all.every((one) => one === 'out_of_stock') ? 'out_of_stock' : null
}

// Links and images: strings, objects with a `src` or `url`, lists of them, or GraphQL connections.
const LONGEST = 2048
const MAX_IMAGES = 20
// Fast path: parsing a URL costs more than the rest of a simple item.
const PLAIN = /^https?:\/\/[a-z\d][a-z\d.-]*\/[\w\-./?=&]*$/

/** A list in any of its forms: an array, `{ nodes }`, `{ edges: [{ node }] }`, or a single value. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return []
  if (isItem(value) && Array.isArray(value.nodes)) return value.nodes
  if (isItem(value) && Array.isArray(value.edges)) return value.edges.map((edge) => (isItem(edge) ? edge.node : null))
  return [value]
}

/** An absolute http(s) URL; relative ones are resolved against the bot's site. Others are dropped. */
export function readUrl(value: unknown, siteUrl: string | null, remarks: Remarks): string | null {
  const text = addressIn(value)
  if (!text) return null
  if (isPlain(text)) return text
  if (text.length <= LONGEST && URL.canParse(text, siteUrl ?? undefined)) {
    const url = new URL(text, siteUrl ?? undefined)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url.href
  }
  remarks.warn('unreadable_url', 'A URL is not valid and was ignored.')
  return null
}

export function readImages(values: unknown[], siteUrl: string | null, remarks: Remarks): string[] {
  const [only] = values
  if (values.length === 1 && typeof only === 'string' && isPlain(only)) return [only]
  const urls = values
    .flatMap((value) => (typeof value === 'string' ? value.split(/,(?=\s*https?:)/, MAX_IMAGES) : listOf(value)))
    .slice(0, MAX_IMAGES)
    .map((value) => readUrl(value, siteUrl, remarks))
  return [...new Set(urls.filter((url) => url !== null))]
}

function isPlain(text: string): boolean {
  return text.length <= LONGEST && PLAIN.test(text) && !text.includes('/.')
}

function addressIn(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() || null
  const inner = Array.isArray(value) ? value[0] : value
  if (typeof inner === 'string') return inner.trim() || null
  if (!isItem(inner)) return null
  const address = inner.src ?? inner.url ?? inner.contentUrl ?? inner.link ?? inner['@id']
  return typeof address === 'string' ? address.trim() || null : null
}
