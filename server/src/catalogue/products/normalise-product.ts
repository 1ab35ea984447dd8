// Turns an item of any feed into a product, or into the error that rejects it.
import type { Availability } from '../../answers/types.ts'
import { textOfBlocks } from '../../sources/documents/document-blocks.ts'
import { parseHtml } from '../../sources/html/parse-html.ts'
import type { Product } from '../product.ts'
import { type CollectedFields, collectFields, type Item, isItem } from './collect-fields.ts'
import { readPrices } from './prices.ts'
import {
  availabilityOfStock,
  availabilityOfVariants,
  listOf,
  makeAttributeReader,
  nameOf,
  type ParsedVariant,
  parseAvailability,
  readImages,
  readUrl,
  readVariants,
  textOf,
  textsOf,
} from './read-variants.ts'
import { makeRemarks, type Remarks } from './remarks.ts'

const LONGEST_ID = 256
const LONGEST_TITLE = 500
const LONGEST_DESCRIPTION = 10_000
const LONGEST_CODE = 200
const MAX_CATEGORIES = 30
// Includes empty and repeated ones.
const MAX_CATEGORIES_READ = 4 * MAX_CATEGORIES
const UNLISTED = new Set([
  'archived',
  'draft',
  'pending',
  'private',
  'trash',
  'hidden',
  'staging',
  'unlisted',
  'inactive',
  'disabled',
])

interface NormalisedItem {
  product: Product | null
  /** Set even when the item is rejected for another reason. */
  id: string | null
  /** Of a price with a sign that several currencies share. */
  assumedCurrency: string | null
  remarks: Remarks
}

interface ProductContext {
  siteUrl: string | null
  now: number
}

export function normaliseProduct(input: unknown, context: ProductContext): NormalisedItem {
  const remarks = makeRemarks()
  if (!isItem(input)) {
    remarks.refuse('invalid_item', 'The item is not an object.')
    return { product: null, id: null, assumedCurrency: null, remarks }
  }
  let id: string | null = null
  try {
    const item = unwrapItem(input)
    const fields = collectFields(item)
    id = readId(fields.first('id'), remarks)
    return { ...readProduct(item, fields, id, context, remarks), id, remarks }
  } catch {
    // One item must never fail the others.
    remarks.refuse('invalid_item', 'The item could not be read.')
    return { product: null, id, assumedCurrency: null, remarks }
  }
}

function readProduct(
  item: Item,
  fields: CollectedFields,
  id: string | null,
  { siteUrl, now }: ProductContext,
  remarks: Remarks,
): Pick<NormalisedItem, 'product' | 'assumedCurrency'> {
  const title = line(textOf(fields.first('title')) ?? '', LONGEST_TITLE, 'title', remarks)
  if (title === '') remarks.refuse('missing_title', 'The item has no title.')
  const prices = readPrices(fields, remarks, null, now)
  if (remarks.refusal || id === null) return { product: null, assumedCurrency: null }

  const { attributes, add, addAll } = makeAttributeReader(remarks)
  for (const part of fields.all('attributes')) addAll(part)
  for (const [name, part] of fields.leftOver) add(name, part)
  const options = fields.first('options')
  const variants = readVariants(
    fields.first('variants'),
    options,
    { id, title, currency: prices.currency, siteUrl, now },
    remarks,
  )
  const only = variants.length === 1 && isDefault(fields.first('variants'))
  const images = readImages([...fields.all('imageUrl'), ...fields.all('additionalImages')], siteUrl, remarks)
  const cheapest = variants
    .filter(({ price }) => price !== null)
    .toSorted((a, b) => sellingPrice(a) - sellingPrice(b))[0]
  const shownPrices = prices.price === null && cheapest ? cheapest : prices
  const statedAvailability = parseAvailability(
    item.is_on_backorder === true ? 'backorder' : (fields.first('availability') ?? prices.offer.availability),
  )
  if (statedAvailability === 'unreadable')
    remarks.warn('availability_unknown', 'The availability could not be read and was ignored.')
  const description = cleanText(textOfDescription(fields), LONGEST_DESCRIPTION)
  if (description.wasCut) remarks.warn('text_cut', 'The description is too long and was truncated.')

  const product: Product = {
    id,
    title,
    description: description.text,
    url: productUrl(fields, prices.offer.url, siteUrl, remarks),
    imageUrl: images[0] ?? null,
    additionalImageUrls: images.slice(1),
    price: shownPrices.price,
    salePrice: shownPrices.salePrice,
    currency: prices.currency ?? cheapest?.currency ?? null,
    availability: availabilityOf(statedAvailability, isComposite(item) ? null : fields.first('stock'), variants),
    discontinued: isDiscontinued(fields, statedAvailability),
    brand: codeOf(fields.first('brand')),
    categories: readCategories(fields),
    gtin: codeOf(fields.first('gtin')) ?? (only ? (variants[0]?.gtin ?? null) : null),
    mpn: codeOf(fields.first('mpn')),
    sku: codeOf(fields.first('sku')) ?? (only ? (variants[0]?.sku ?? null) : null),
    itemGroupId: textOf(fields.first('itemGroupId'))?.replace(/^0$/, '') || null,
    ...readRating(fields),
    attributes,
    variants: only ? [] : variants.map(toVariant),
    updatedAt: readTime(fields.first('updatedAt')),
  }
  return { product, assumedCurrency: prices.assumedCurrency ?? cheapest?.assumedCurrency ?? null }
}

function toVariant({ currency: _currency, assumedCurrency: _assumed, gtin: _gtin, ...variant }: ParsedVariant) {
  return variant
}

/** Google's newer API nests the product's own fields one level down. */
function unwrapItem(item: Item): Item {
  const inner = item.productAttributes ?? item.attributes
  if (!isItem(inner) || item.title !== undefined || item.name !== undefined) return item
  if (inner.title === undefined && inner.name === undefined) return item
  const { productAttributes: _new, attributes: _old, ...outer } = item
  return { ...outer, ...inner, id: item.id ?? item.offerId ?? inner.id ?? null }
}

function readId(value: unknown, remarks: Remarks): string | null {
  const id = textOf(value)?.toWellFormed() ?? ''
  if (id === '') remarks.refuse('missing_id', 'The item has no id.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
  else if (id.length > LONGEST_ID || id === '.' || id === '..' || /[\u0000-\u001f\u007f]/.test(id)) {
    remarks.refuse('invalid_id', `Use an id of at most ${LONGEST_ID} characters without control characters.`)
  } else return id
  return null
}

function line(text: string, most: number, name: string, remarks: Remarks): string {
  const clean = cleanLine(text, most)
  if (clean.wasCut) remarks.warn('text_cut', `The ${name} is too long and was truncated.`)
  return clean.text
}

function textOfDescription(fields: CollectedFields): string {
  return String(fields.all('description').find((text) => typeof text === 'string' && text.trim() !== '') ?? '')
}

function codeOf(value: unknown): string | null {
  const text = textOf(value) ?? nameOf(value) ?? textOf(listOf(value)[0]) ?? nameOf(listOf(value)[0])
  return text ? cleanLine(text, LONGEST_CODE).text || null : null
}

/** Shopify's products without variants have one called "Default Title". */
function isDefault(variants: unknown): boolean {
  const [variant] = listOf(variants)
  return isItem(variant) && variant.title === 'Default Title'
}

function sellingPrice({ price, salePrice }: ParsedVariant): number {
  return salePrice ?? price ?? Number.POSITIVE_INFINITY
}

function availabilityOf(
  statedAvailability: ReturnType<typeof parseAvailability>,
  stock: unknown,
  variants: ParsedVariant[],
): Availability | null {
  if (statedAvailability === 'discontinued') return 'out_of_stock'
  if (statedAvailability !== null && statedAvailability !== 'unreadable') return statedAvailability
  return availabilityOfVariants(variants.map(({ availability }) => availability)) ?? availabilityOfStock(stock)
}

/** Bundles have no stock of their own. */
function isComposite({ type }: Item): boolean {
  return type === 'configurable' || type === 'variable' || type === 'grouped' || type === 'bundle'
}

function isDiscontinued(fields: CollectedFields, statedAvailability: ReturnType<typeof parseAvailability>): boolean {
  const status = textOf(fields.first('status'))?.toLowerCase() ?? ''
  return statedAvailability === 'discontinued' || UNLISTED.has(status) || fields.first('discontinued') === true
}

/** Shopify's items have a handle instead of a URL. */
function productUrl(
  fields: CollectedFields,
  offerUrl: unknown,
  siteUrl: string | null,
  remarks: Remarks,
): string | null {
  const value = fields.first('url') ?? offerUrl
  const isHandle = typeof value === 'string' && /^[\w%-]+$/.test(value)
  if (isHandle && siteUrl === null) return null
  return readUrl(isHandle ? `/products/${value}` : value, siteUrl, remarks)
}

function readCategories(fields: CollectedFields): string[] {
  const [only] = fields.all('productType')
  if (typeof only === 'string' && fields.count('productType', 'categories', 'tags') === 1) {
    const { text } = cleanLine(only, LONGEST_CODE)
    return text === '' ? [] : [text]
  }
  // Magento lists them in one text; a comma followed by a space is part of a name.
  const splitCategories = (value: unknown) =>
    typeof value === 'string' ? value.split(/,(?! )/, MAX_CATEGORIES_READ) : listOf(value)
  const categories = [
    ...fields.all('productType').flatMap(listOf),
    ...fields.all('categories').flatMap(splitCategories),
  ]
  const tags = fields
    .all('tags')
    .flatMap((tag) => (typeof tag === 'string' ? tag.split(',', MAX_CATEGORIES_READ) : listOf(tag)))
  const texts = [...categories, ...tags].flatMap((value) => textsOf(value) ?? nameOf(value) ?? '')
  const clean = texts.slice(0, MAX_CATEGORIES_READ).map((text) => cleanLine(text, LONGEST_CODE).text)
  return [...new Set(clean.filter((text) => text !== ''))].slice(0, MAX_CATEGORIES)
}

function readRating(fields: CollectedFields): Pick<Product, 'rating' | 'reviewCount'> {
  const [rating, count] = [fields.first('rating'), fields.first('reviewCount')]
  const of = (value: unknown, ...names: string[]) =>
    isItem(value) ? names.map((name) => value[name]).find((part) => part !== undefined) : value
  const value = numberOf(of(rating, 'ratingValue', 'value', 'average'))
  const best = isItem(rating) ? numberOf(rating.bestRating) : null
  const reviews = numberOf(of(count, 'reviewCount', 'ratingCount', 'count'))
  const ratingOfFive = value !== null && best !== null && best > 0 ? (value * 5) / best : value
  return {
    rating:
      ratingOfFive !== null && ratingOfFive >= 0 && ratingOfFive <= 5 ? Math.round(ratingOfFive * 100) / 100 : null,
    reviewCount: reviews !== null && reviews >= 0 ? Math.floor(reviews) : null,
  }
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function readTime(value: unknown): string | null {
  const time = typeof value === 'string' && value.length < 50 ? Date.parse(value) : Number.NaN
  const isTold = Number.isFinite(time) && time > 0 && time < Date.UTC(9999, 0)
  return isTold ? new Date(time).toISOString() : null
}

// Cleans text from a feed: removes markup, collapses spaces and limits its length.

// No description needs more markup than this.
const LONGEST_MARKUP = 200_000
const MARKUP = /<[a-z!/]|&(#\d+|#x[\da-f]+|[a-z]+\d*);/i

interface CleanText {
  text: string
  wasCut: boolean
}

function cleanText(markup: string, most: number): CleanText {
  const raw = markup.length > LONGEST_MARKUP ? markup.slice(0, LONGEST_MARKUP) : markup
  const text = MARKUP.test(raw) ? textOfHtml(raw) : tidyLines(raw)
  const wasCut = text.length > most || raw.length < markup.length
  return { text: text.length > most ? cutAtWord(text, most) : text, wasCut }
}

/** The same on one line. */
function cleanLine(markup: string, most: number): CleanText {
  const { text, wasCut } = cleanText(markup, most)
  return { text: /[\n\t]/.test(text) ? text.replace(/\s+/g, ' ') : text, wasCut }
}

function textOfHtml(markup: string): string {
  return textOfBlocks(parseHtml(markup)).trim()
}

function tidyLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  const plain = /[\u0000-\u0009\u000b-\u001f\u007f\u00a0]|\s\s/.test(text)
    ? text
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
        .replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n\s*/g, '\n')
    : text
  return plain.trim()
}

function cutAtWord(text: string, most: number): string {
  const prefix = text.slice(0, most - 1)
  const space = prefix.lastIndexOf(' ')
  return `${(space > most * 0.8 ? prefix.slice(0, space) : prefix).toWellFormed().trimEnd()}…`
}
