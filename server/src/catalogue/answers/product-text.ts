// Describes a product: its line in a list, price, stock, sizes and colours.
import type { Availability, ProductCard } from '../../answers/types.ts'
import { fold, normalise } from '../../language/fold.ts'
import { languageData, languageOrEnglish } from '../../language/languages.ts'
import { measuresOf } from '../../language/measures.ts'
import { punctuationOf } from '../../language/punctuation.ts'
import type { ProductSentences } from '../../language/schema.ts'
import { facetOf } from '../index/product-terms.ts'
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

// Spoken in countries that write amounts in different ways.
const SPOKEN_WIDELY = /^(?:de|fr|es|it|pt|nl)$/i

/**
 * As in the country of the currency, whose first letters are its code: "R$ 1.299,00", "CHF 1’299.00". Of these
 * languages, only Portuguese needs to be told how euros are written.
 */
function moneyLocale(language: string, currency: string): string {
  if (!SPOKEN_WIDELY.test(language)) return localeOf(language)
  return `${language}-${currency === 'EUR' ? 'PT' : currency.slice(0, 2)}`
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
    // Spanish and Italian shops write "1.299,00 €", too.
    const useGrouping = 'always'
    format = code
      ? new Intl.NumberFormat(moneyLocale(language, code), { style: 'currency', currency: code, useGrouping })
      : new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping })
    formats.set(key, format)
  }
  return format.format(price)
}

/** "59,00 € statt 79,00 €"; undefined without a price. */
export function priceText(product: ShopProduct, textOptions: ProductTextOptions): string | undefined {
  const { price, salePrice, currency, variants } = product
  const currentPrice = salePrice ?? price
  if (currentPrice !== null) {
    const now = formatPrice(currentPrice, currency, textOptions)
    const isReduced = salePrice !== null && price !== null && salePrice < price
    const priceBefore = isReduced ? formatPrice(price, currency, textOptions) : ''
    return isReduced
      ? now + bracketed(fillTemplate(textOptions.sentences.insteadOf, { price: priceBefore }), textOptions)
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
  const availabilities = variants.map(({ availability }) => availability).filter((one) => one !== null)
  if (availabilities.length === 0) return product.availability
  // The shop's "out of stock" for the whole product overrides its variants.
  if (variants === product.variants && product.availability === 'out_of_stock') return 'out_of_stock'
  for (const state of ['in_stock', 'preorder', 'backorder'] as const) if (availabilities.includes(state)) return state
  return 'out_of_stock'
}

export function stockText(state: Availability | null, { sentences }: ProductTextOptions): string {
  return state ? sentences.availability[state] : sentences.unknownAvailability
}

export function productLine(product: ShopProduct, textOptions: ProductTextOptions): string {
  const { colon, comma } = punctuationOf(textOptions.language)
  const stock = stockOf(product)
  const sizes = valuesOf(product, 'size', stock === 'in_stock')
  const parts = [
    priceText(product, textOptions),
    stock ? stockText(stock, textOptions) : undefined,
    sizes.length > 1 && stock === 'in_stock'
      ? fillTemplate(textOptions.sentences.sizes, { values: shorten(sizes, textOptions) })
      : undefined,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? `- ${product.title}${colon}${parts.join(comma)}` : `- ${product.title}`
}

export function ratingText({ rating, reviewCount }: ShopProduct, textOptions: ProductTextOptions): string | undefined {
  const { sentences, language } = textOptions
  if (rating === null) return undefined
  const stars = fillTemplate(sentences.rating, {
    rating: rating.toLocaleString(localeOf(language), { maximumFractionDigits: 1 }),
  })
  if (!reviewCount) return stars
  const [one = '', several = one] = sentences.reviews.split('|')
  const count = reviewCount.toLocaleString(localeOf(language))
  return stars + bracketed(fillTemplate(reviewCount === 1 ? one : several, { count }), textOptions)
}

/** "Atlas jacket: 189,00 €" */
export function labelled(label: string, text: string, { language }: Pick<ProductTextOptions, 'language'>): string {
  return label + punctuationOf(language).colon + text
}

export function bracketed(text: string, { language }: Pick<ProductTextOptions, 'language'>): string {
  const [opening, closing] = punctuationOf(language).brackets
  return opening + text + closing
}

/** A product's sizes or colours, those of its variants first. */
export function valuesOf(product: ShopProduct, kind: 'size' | 'colour', inStockOnly = false): string[] {
  const of = (attributes: ShopProduct['attributes']) =>
    Object.entries(attributes)
      .filter(([key]) => facetOf(key) === kind)
      .flatMap(([, value]) => (Array.isArray(value) ? value : value.split(/\s*[,|;\n]\s*/)))
  const offeredVariants = product.variants.filter(
    ({ availability }) => !inStockOnly || (availability ?? 'in_stock') === 'in_stock',
  )
  const fromVariants = offeredVariants.flatMap(({ attributes }) => of(attributes))
  const values = [...new Set(fromVariants.length > 0 ? fromVariants : of(product.attributes))].filter(Boolean)
  return kind === 'size' ? values.sort(bySize) : values
}

const LETTER_SIZES = ['xxs', 'xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl']

function bySize(a: string, b: string): number {
  const place = (size: string) => LETTER_SIZES.indexOf(size.toLowerCase().split(' ')[0] ?? '')
  if (place(a) >= 0 && place(b) >= 0) return place(a) - place(b) || a.length - b.length
  return a.localeCompare(b, 'en', { numeric: true })
}

/** As it stands after "in": "rot" of "rote Jacken", "rojo" of "chaqueta roja". */
export function colourText(value: string, { language }: Pick<ProductTextOptions, 'language'>): string {
  const foldedValue = fold(normalise(value))
  const isValue = (name: string) => fold(name) === foldedValue
  const families = Object.values(languageData[languageOrEnglish(language)].products.colours ?? {})
  const names = families.map((family) => family.split(' ')).find((family) => family.some(isValue)) ?? []
  // Forms come after what they are formed from: "rojo roja rojos".
  for (const name of names.slice(0, names.findIndex(isValue))) {
    const foldedName = fold(name)
    if (foldedValue.startsWith(foldedName)) return value.slice(0, foldedName.length - foldedValue.length)
    if (name.length > 3 && foldedValue.startsWith(foldedName.slice(0, -1))) return name
  }
  return value
}

export function shorten(values: string[], { language }: ProductTextOptions): string {
  const { listComma } = punctuationOf(language)
  return values.length > MAX_VALUES ? `${values.slice(0, MAX_VALUES).join(listComma)} …` : values.join(listComma)
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
const UNIT_IN_KEY = /_(mm|cm|m|g|kg|l|ml|c|w|inches|years|g_m2)$/
const unitSigns: Record<string, string> = { c: '°C', w: 'W', g_m2: 'g/m²' }
/** Those that are words. */
const unitWords: Record<string, string> = { inches: 'inch', years: 'year' }
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/
const NUMBERS_ALONE = /^[-\d.,\s/×x–]*\d$/

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
  const [ending, unit = ''] = (/\d/.test(text) && UNIT_IN_KEY.exec(key)) || ['']
  const label = key
    .slice(0, key.length - ending.length)
    .replaceAll('_', ' ')
    .trim()
  const amount = PLAIN_NUMBER.test(text) && unit ? Number(text).toLocaleString(localeOf(language)) : text
  return {
    label: label.charAt(0).toUpperCase() + label.slice(1),
    text: unit && NUMBERS_ALONE.test(text) ? `${amount} ${unitName(unit, text, language)}` : text,
  }
}

function unitName(unit: string, amount: string, language: string): string {
  const word = unitWords[unit]
  if (!word) return unitSigns[unit] ?? unit
  const format = new Intl.NumberFormat(localeOf(language), { style: 'unit', unit: word, unitDisplay: 'long' })
  // A range has the form of several.
  const parts = format.formatToParts(PLAIN_NUMBER.test(amount) ? Number(amount) : 2)
  return parts.find(({ type }) => type === 'unit')?.value ?? unit
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
  return { value: first.value, text: label ? labelled(label.toLowerCase(), text, textOptions) : text }
}

export function productSentences(language: string): ProductSentences {
  return languageData[languageOrEnglish(language)].products.sentences
}

/** The form of a sentence that answers yes or no, or the plain one. */
export function chooseForm(sentence: string, saysYesOrNo: boolean): string {
  const [answering = '', plain = answering] = sentence.split('|')
  return saysYesOrNo ? answering : plain
}

export function fillTemplate(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
