// Describes a product: its line in a list, price, stock, sizes and colours.
import type { Availability, ProductCard } from '../../answers/types.ts'
import { languageData, languageOrEnglish } from '../../language/languages.ts'
import { measuresOf } from '../../language/measures.ts'
import type { ProductSentences } from '../../language/schema/product-data.ts'
import type { ShopProduct, ShopVariant } from '../product.ts'
import type { Comparative } from '../question/parse-ranges.ts'

const MAX_VALUES = 8
const formats = new Map<string, Intl.NumberFormat>()

export interface ProductTextOptions {
  sentences: ProductSentences
  language: string
  /** For products without a currency. */
  currency: string | null
}

/** A bot's language may be any string. */
function localeOf(language: string): string {
  return /^[a-z]{2,3}$/i.test(language) ? language : 'en'
}

export function formatPrice(
  price: number,
  currency: string | null,
  { language, currency: usual }: ProductTextOptions,
): string {
  const code = currency ?? usual
  const key = `${language} ${code}`
  let format = formats.get(key)
  if (!format) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    format = new Intl.NumberFormat(localeOf(language), code ? { style: 'currency', currency: code } : digits)
    formats.set(key, format)
  }
  return format.format(price)
}

/** "59,00 € statt 79,00 €"; undefined without a price. */
export function priceText(product: ShopProduct, textOptions: ProductTextOptions): string | undefined {
  const { price, salePrice, currency, variants } = product
  const known = salePrice ?? price
  if (known !== null) {
    const now = formatPrice(known, currency, textOptions)
    const reduced = salePrice !== null && price !== null && salePrice < price
    return reduced
      ? `${now} (${fillTemplate(textOptions.sentences.insteadOf, { price: formatPrice(price, currency, textOptions) })})`
      : now
  }
  const all = variants.map((variant) => variant.salePrice ?? variant.price).filter((one) => one !== null)
  return all.length > 0
    ? fillTemplate(textOptions.sentences.from, { price: formatPrice(Math.min(...all), currency, textOptions) })
    : undefined
}

/** Availability of the product, or of the given variants. */
export function stockOf(
  product: ShopProduct,
  variants: readonly ShopVariant[] = product.variants,
): Availability | null {
  const known = variants.map(({ availability }) => availability).filter((one) => one !== null)
  if (known.length === 0) return product.availability
  // The shop's "out of stock" for the whole product overrides its variants.
  if (variants === product.variants && product.availability === 'out_of_stock') return 'out_of_stock'
  for (const state of ['in_stock', 'preorder', 'backorder'] as const) if (known.includes(state)) return state
  return 'out_of_stock'
}

export function stockText(state: Availability | null, { sentences }: ProductTextOptions): string {
  return state ? sentences.availability[state] : sentences.unknownAvailability
}

export function productLine(product: ShopProduct, textOptions: ProductTextOptions): string {
  const stock = stockOf(product)
  const sizes = valuesOf(product, 'size', stock === 'in_stock')
  const parts = [
    priceText(product, textOptions),
    stock ? stockText(stock, textOptions) : undefined,
    sizes.length > 1 && stock === 'in_stock'
      ? fillTemplate(textOptions.sentences.sizes, { values: shorten(sizes) })
      : undefined,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? `- ${product.title}: ${parts.join(', ')}` : `- ${product.title}`
}

export function ratingText(
  { rating, reviewCount }: ShopProduct,
  { sentences, language }: ProductTextOptions,
): string | undefined {
  if (rating === null) return undefined
  const stars = fillTemplate(sentences.rating, {
    rating: rating.toLocaleString(localeOf(language), { maximumFractionDigits: 1 }),
  })
  return reviewCount
    ? `${stars} (${fillTemplate(sentences.reviews, { count: reviewCount.toLocaleString(localeOf(language)) })})`
    : stars
}

const keyPatterns = {
  size: /^(?:shoe_|clothing_)?sizes?$|^gr(?:o|ö|oe)(?:ss|ß)en?$|^tailles?$|^tallas?$|^taglia$|^maat$/i,
  colour: /^colou?rs?$|^farben?$|^couleurs?$|^colore?s?$|^kleur$/i,
}

/** A product's sizes or colours, those of its variants first. */
export function valuesOf(product: ShopProduct, kind: 'size' | 'colour', inStockOnly = false): string[] {
  const pattern = keyPatterns[kind]
  const of = (attributes: ShopProduct['attributes']) =>
    Object.entries(attributes)
      .filter(([key]) => pattern.test(key))
      .flatMap(([, value]) => (Array.isArray(value) ? value : value.split(/\s*[,|;\n]\s*/)))
  const offered = product.variants.filter(
    ({ availability }) => !inStockOnly || (availability ?? 'in_stock') === 'in_stock',
  )
  const fromVariants = offered.flatMap(({ attributes }) => of(attributes))
  const values = [...new Set(fromVariants.length > 0 ? fromVariants : of(product.attributes))].filter(Boolean)
  return kind === 'size' ? values.sort(bySize) : values
}

const letterSizes = ['xxs', 'xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl']

function bySize(a: string, b: string): number {
  const place = (size: string) => letterSizes.indexOf(size.toLowerCase().split(' ')[0] ?? '')
  if (place(a) >= 0 && place(b) >= 0) return place(a) - place(b) || a.length - b.length
  return a.localeCompare(b, 'en', { numeric: true })
}

export function shorten(values: string[]): string {
  return values.length > MAX_VALUES ? `${values.slice(0, MAX_VALUES).join(', ')} …` : values.join(', ')
}

export function toCard(product: ShopProduct, { currency }: ProductTextOptions): ProductCard {
  const { id, title, price, salePrice, imageUrl, url } = product
  return {
    id,
    title,
    price: salePrice ?? price,
    currency: product.currency ?? currency,
    imageUrl,
    url,
    availability: stockOf(product),
  }
}

// A readable attribute: `waterproof_mm: 20000` becomes "Waterproof: 20,000 mm".
const unitInKey = /_(mm|cm|m|g|kg|l|ml|c|w|inches|years|g_m2)$/
const unitNames: Record<string, string> = { c: '°C', w: 'W', g_m2: 'g/m²' }
const plainNumber = /^-?\d+(?:\.\d+)?$/
const numbersAlone = /^[-\d.,\s/×x–]*\d$/

interface AttributeText {
  label: string
  text: string
}

export function attributeText(
  key: string,
  value: string | string[],
  { sentences, language }: ProductTextOptions,
): AttributeText {
  const text = valueText(value, sentences)
  // "Fits in a 40 l pack" already has its unit, and "ships_in_m: yes" has none.
  const [ending, unit = ''] = (/\d/.test(text) && unitInKey.exec(key)) || ['']
  const label = key
    .slice(0, key.length - ending.length)
    .replaceAll('_', ' ')
    .trim()
  const amount = plainNumber.test(text) && unit ? Number(text).toLocaleString(localeOf(language)) : text
  return {
    label: label.charAt(0).toUpperCase() + label.slice(1),
    text: unit && numbersAlone.test(text) ? `${amount} ${unitNames[unit] ?? unit}` : text,
  }
}

function valueText(value: string | string[], say: ProductSentences): string {
  const values = Array.isArray(value) ? value : value.split(/\s*[|\n]\s*/).filter(Boolean)
  const text = values.join(', ')
  if (/^(?:true|yes)$/i.test(text)) return say.yes
  return /^(?:false|no)$/i.test(text) ? say.no : text
}

// The measure a comparison is about, such as "weight: 1,150 g" for the lightest product.
export function comparedMeasure(
  product: ShopProduct,
  { dimension, sort }: Pick<Comparative, 'dimension' | 'sort'>,
  textOptions: ProductTextOptions,
): { value: number; text: string } | undefined {
  const sign = sort === 'measure_up' ? 1 : -1
  const [first] = measuresOf(product)
    .filter((measure) => measure.dimension === dimension && measure.aspect !== 'other')
    .sort((a, b) => sign * (a.value - b.value))
  if (!first) return undefined
  const { label, text } = attributeText(first.attribute ?? '', first.text, textOptions)
  return { value: first.value, text: label ? `${label.toLowerCase()}: ${text}` : text }
}

export function productSentences(language: string): ProductSentences {
  return languageData[languageOrEnglish(language)].products.sentences
}

export function fillTemplate(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
