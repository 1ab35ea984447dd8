// What a product is found by: its words, weighted by where they occur, and its facets (brand, colour, size), which
// questions use as criteria.
import { collapseSpaces, fold } from '../../language/fold.ts'
import { stopWords } from '../../language/languages.ts'
import { ASPECTS, DIMENSIONS, type Dimension, type Measure, measuresOf } from '../../language/measures.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import { isReduced, type Product, type ProductAttributes } from '../product.ts'

/**
 * Fields of a product that hold a word: the name of its kind ("cover" in "Backpack rain cover", or its category), title,
 * brand, category, attribute, description. Weighted by how much a word there says about the product:
 */
export const FIELD_WEIGHTS = [5, 4, 3, 2.5, 2, 1] as const
export const field = { head: 0, title: 1, brand: 2, category: 3, attribute: 4, description: 5 }
/** Below this, a word says what the product is or has; descriptions mention much else. */
export const STRONG_FIELDS = 5

export interface ProductTerms {
  /** Term → its best field. */
  terms: Map<string, number>
  /** `brand:…`, `colour:…`, `size:…`, `kind:…` with values from `facetValue`, and `price:reduced`. */
  facets: Set<string>
  titleTerms: string[]
  /** Alternating codes and values, see `measureCode`. */
  measures: number[]
}

const LONGEST_DESCRIPTION = 1500
const MAX_MEASURES = 20
// Folded names of attributes.
const COLOUR_KEY =
  /^(?:colou?rs?|farben?|couleurs?|color[ei]s?|cor(?:es)?|kleur(?:en)?|farver?|farg(?:er|e)?|kolory?|renk(?:ler)?|(?:ال)?(?:لون|الوان)|цвета?|[颜顏]色|色|カラー)$/
const SIZE_KEY =
  /^(?:(?:shoe_|clothing_)?sizes?|gr(?:o|oe)ss?en?|tailles?|tallas?|tagli[ae]|tamanhos?|maat|maten|storlek(?:ar)?|storrelser?|rozmiary?|beden(?:ler)?|numara|(?:ال)?مقاس(?:ات)?|размеры?|尺[码寸碼]|码数|サイズ)$/
const AUDIENCE = /^(?:wo)?men'?s?$|^kids'?$|^(?:damen|herren|kinder|unisex)$/
const NEGATIVE = /^(?:no|false|0|none|nein|non|nee|nie|n\/a|na|-|)$/i
const LISTED = /[,;|\n/]+/

export function productTerms(product: Product, language: string): ProductTerms {
  const terms = new Map<string, number>()
  const facets = new Set<string>()
  const addText = (text: string, at: number) => {
    for (const term of contentTerms(text, language)) {
      const currentField = terms.get(term)
      if (currentField === undefined || currentField > at) terms.set(term, at)
    }
  }
  addText(product.title, field.title)
  const titleTerms = [...terms.keys()]
  addText(titleHead(product.title), field.head)
  for (const code of [product.sku, product.gtin, product.mpn]) if (code) addText(code, field.title)
  if (product.brand) {
    addText(product.brand, field.brand)
    facets.add(`brand:${facetValue(product.brand)}`)
  }
  for (const category of product.categories) {
    addText(category, field.category)
    // A category that lists several kinds does not say which one this is.
    const kinds = category.split(/[;,|\n]/).map((path) => path.split(/[>/]/).at(-1) ?? '')
    for (const kind of kinds) {
      if (/&|\b(?:and|und|et|y)\b/.test(kind)) continue
      addText(titleHead(kind), field.head)
      facets.add(`kind:${facetValue(kind)}`)
    }
  }
  if (isReduced(product)) facets.add('price:reduced')
  if (product.categories.length === 0) facets.add(`kind:${facetValue(titleHead(product.title))}`)
  for (const attributes of [product.attributes, ...product.variants.map((variant) => variant.attributes)]) {
    putAttributes(attributes, facets, (text) => addText(text, field.attribute))
  }
  addText(product.description.slice(0, LONGEST_DESCRIPTION), field.description)
  // A product "without a laptop sleeve", by its attributes, must not match a search for one.
  for (const term of findLackingTerms(product.attributes, language)) {
    if (terms.get(term) === field.description) terms.delete(term)
  }
  return { terms, facets, titleTerms, measures: measuresOf(product).slice(0, MAX_MEASURES).flatMap(encodeMeasure) }
}

function encodeMeasure({ dimension, aspect, value }: Measure): number[] {
  return [measureCode(dimension, aspect), value]
}

/** Encodes a dimension and an aspect as one number. */
export function measureCode(dimension: Dimension, aspect: Measure['aspect']): number {
  return DIMENSIONS.indexOf(dimension) * ASPECTS.length + ASPECTS.indexOf(aspect)
}

/** "Pace running socks, 2 pairs" are socks, a "Footprint for Drift 2" is a footprint. */
function titleHead(title: string): string {
  const name = title.split(/[,(–—|:]| - | (?:for|with|in|für|mit|pour|avec|para|con) /)[0] ?? title
  return (
    words(name)
      .filter((word) => !/\d/.test(word) && !AUDIENCE.test(word))
      .at(-1) ?? ''
  )
}

function putAttributes(attributes: ProductAttributes, facets: Set<string>, addText: (text: string) => void) {
  for (const [key, value] of Object.entries(attributes)) {
    const values = attributeValues(value)
    if (values.every((one) => NEGATIVE.test(one))) continue
    const facet = facetOf(key)
    for (const one of values) {
      addText(one)
      if (!facet) continue
      facets.add(`${facet}:${facetValue(one)}`)
      if (facet === 'colour') for (const word of words(one)) facets.add(`colour word:${fold(word)}`)
    }
    if (!facet) addText(key.replaceAll('_', ' '))
  }
}

function findLackingTerms(attributes: ProductAttributes, language: string): string[] {
  return Object.entries(attributes)
    .filter(([, value]) => attributeValues(value).every((one) => NEGATIVE.test(one)))
    .flatMap(([key]) => contentTerms(key.replaceAll('_', ' '), language))
}

function attributeValues(value: string | string[]): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => one.split(LISTED)).map((one) => one.trim())
}

export function facetOf(key: string): 'colour' | 'size' | null {
  const foldedKey = fold(key.toLowerCase())
  return COLOUR_KEY.test(foldedKey) ? 'colour' : SIZE_KEY.test(foldedKey) ? 'size' : null
}

export function facetValue(text: string): string {
  return words(text).map(fold).join(' ')
}

// Brands, categories and attributes repeat across products, so cache them.
const LONGEST_REMEMBERED = 60
const MAX_CACHED = 20_000
const cachedTerms = new Map<string, string[]>()

export function contentTerms(text: string, language: string): string[] {
  if (text.length > LONGEST_REMEMBERED) return takeTerms(text, language)
  const key = `${language} ${text}`
  let terms = cachedTerms.get(key)
  if (!terms) {
    terms = takeTerms(text, language)
    if (cachedTerms.size >= MAX_CACHED) cachedTerms.clear()
    cachedTerms.set(key, terms)
  }
  return terms
}

function takeTerms(text: string, language: string): string[] {
  const stop = stopWords(language)
  return words(joinCompounds(text), language)
    .filter((word) => !stop.has(word))
    .map((word) => stem(word, language))
}

/**
 * What variants sent as separate products share: their group or, without one, their title without the distinguishing
 * values ("Chaz Hoodie-XS-Black" of size XS in black is a "Chaz Hoodie").
 */
export function groupName({ itemGroupId, title, brand, attributes }: Product): string {
  if (itemGroupId) return `group ${itemGroupId}`
  let base = collapseSpaces(fold(title.toLowerCase()))
  const ownValues = Object.entries(attributes)
    .filter(([key]) => facetOf(key))
    .flatMap(([, value]) => attributeValues(value).map((one) => fold(one.toLowerCase())))
  for (let isShortened = true; isShortened; ) {
    isShortened = false
    for (const value of ownValues) {
      const ending = ['-', ' - ', ', ', ' / '].map((mark) => mark + value).find((one) => value && base.endsWith(one))
      if (!ending) continue
      base = base.slice(0, -ending.length).trim()
      isShortened = true
    }
  }
  return `title ${brand ? fold(brand.toLowerCase()) : ''} ${base}`
}

// Treats "water-resistant", "water resistant" and "waterresistant" as one word.
const PARTS =
  /\b(water|rain|wind|dust|shock|scratch|splash|weather|heat)[- ](proof|resistant|repellent|tight|repelling)\b/gi

export function joinCompounds(text: string): string {
  return text.replace(PARTS, '$1$2')
}
