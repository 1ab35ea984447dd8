// Compares two or three products: the fact asked about, price, stock, rating and differing attributes; first the
// winner, if the question asks for one.

import type { ShopProduct } from '../product.ts'
import type { Comparative } from '../question/parse-ranges.ts'
import { type Fact, factText } from './find-facts.ts'
import {
  attributeText,
  comparedMeasure,
  type ProductTextOptions,
  priceText,
  ratingText,
  stockOf,
  stockText,
} from './product-text.ts'

const MAX_DIFFERENCES = 6

export interface ComparedProduct {
  product: ShopProduct
  /** What the product's data say about the question. */
  fact: Fact | undefined
}

export function compareProducts(
  all: readonly ComparedProduct[],
  comparative: Comparative | undefined,
  textOptions: ProductTextOptions,
): string {
  const products = all.map(({ product }) => product)
  const keys = findDifferences(products)
  const lines = all.map(({ product, fact }) => {
    const stock = stockOf(product)
    const parts = [
      priceText(product, textOptions),
      stock && stockText(stock, textOptions),
      ratingText(product, textOptions),
    ]
    const facts = keys.flatMap((key) => {
      const value = product.attributes[key]
      if (value === undefined) return []
      const { label, text } = attributeText(key, value, textOptions)
      return text && text !== fact?.text ? [`${label.toLowerCase()}: ${text}`] : []
    })
    const asked = fact && factText(fact).replace(/\.$/, '')
    return `- ${product.title}: ${[asked, ...parts, ...facts].filter(Boolean).join('; ')}`
  })
  return [describeWinner(products, comparative, textOptions), textOptions.sentences.comparison, ...lines]
    .filter(Boolean)
    .join('\n')
}

/** "Lighter: Aurora tent (weight: 980 g)", if all products have the data. */
function describeWinner(
  products: readonly ShopProduct[],
  comparative: Comparative | undefined,
  textOptions: ProductTextOptions,
): string {
  if (!comparative) return ''
  const sign = comparative.sort === 'measure_up' ? 1 : -1
  const measured = products.flatMap((product) => {
    const measure = comparedMeasure(product, comparative, textOptions)
    return measure ? [{ title: product.title, ...measure }] : []
  })
  const [first, second] = measured.sort((a, b) => sign * (a.value - b.value))
  if (!first || !second || measured.length < products.length || first.value === second.value) return ''
  const { word } = comparative
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}: ${first.title} (${first.text})`
}

/** Attributes of the first product come first, in the shop's order of importance. */
function findDifferences(products: readonly ShopProduct[]): string[] {
  const keys = [...new Set(products.flatMap(({ attributes }) => Object.keys(attributes)))]
  return keys
    .filter((key) => !/^(?:custom_label|type$|condition$|has_options|required_options)/.test(key))
    .filter((key) => new Set(products.map(({ attributes }) => String(attributes[key] ?? ''))).size > 1)
    .slice(0, MAX_DIFFERENCES)
}
