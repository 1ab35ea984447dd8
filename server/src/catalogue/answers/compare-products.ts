// Compares two or three products: the fact asked about, price, stock, rating and differing attributes; first the
// winner, if the question asks for one.

import { punctuationOf } from '../../language/punctuation.ts'
import type { ShopProduct } from '../product.ts'
import type { Comparative } from '../question/parse-ranges.ts'
import { type Fact, factText } from './find-facts.ts'
import {
  attributeText,
  bracketed,
  comparedMeasure,
  labelled,
  type ProductTextOptions,
  priceText,
  ratingText,
  stockOf,
  stockText,
} from './product-text.ts'

const MAX_DIFFERENCES = 6

interface ComparedProduct {
  product: ShopProduct
  /** What the product's data say about the question. */
  fact: Pick<Fact, 'label' | 'text'> | undefined
}

export function compareProducts(
  all: readonly ComparedProduct[],
  comparative: Comparative | undefined,
  textOptions: ProductTextOptions,
): string {
  const products = all.map(({ product }) => product)
  const keys = findDifferences(products)
  const { colon, semicolon } = punctuationOf(textOptions.language)
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
      return text && text !== fact?.text ? [labelled(label.toLowerCase(), text, textOptions)] : []
    })
    const factAnswer = fact && factText(fact, textOptions).replace(/[.。]$/, '')
    return `- ${product.title}${colon}${[factAnswer, ...parts, ...facts].filter(Boolean).join(semicolon)}`
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
  const measurements = products.flatMap((product) => {
    const measure = comparedMeasure(product, comparative, textOptions)
    return measure ? [{ title: product.title, ...measure }] : []
  })
  const [first, second] = measurements.sort((a, b) => sign * (a.value - b.value))
  if (!first || !second || measurements.length < products.length || first.value === second.value) return ''
  const { surface } = comparative
  const winner = first.title + bracketed(first.text, textOptions)
  return labelled(`${surface.charAt(0).toUpperCase()}${surface.slice(1)}`, winner, textOptions)
}

/** Attributes of the first product come first, in the shop's order of importance. */
function findDifferences(products: readonly ShopProduct[]): string[] {
  const keys = [...new Set(products.flatMap(({ attributes }) => Object.keys(attributes)))]
  return keys
    .filter((key) => !/^(?:custom_label|type$|condition$|has_options|required_options)/.test(key))
    .filter((key) => new Set(products.map(({ attributes }) => String(attributes[key] ?? ''))).size > 1)
    .slice(0, MAX_DIFFERENCES)
}
