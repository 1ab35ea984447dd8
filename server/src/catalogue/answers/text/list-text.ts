// A list of products as text: an introduction and one line per product.
import { findMatchingVariants } from '../describe-product.ts'
import type { FoundProducts } from '../find-products.ts'
import type { ProductQuestion } from '../question/parse-product-question.ts'
import type { ShopProduct } from '../types.ts'
import { comparedMeasure } from './measure-text.ts'
import { fillTemplate } from './product-sentences.ts'
import { formatPrice, type ProductTextOptions, productLine, stockOf, stockText } from './product-text.ts'

export function listText(
  question: ProductQuestion,
  found: FoundProducts,
  products: ShopProduct[],
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  const variantCriteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  const { comparative, sort } = question
  const sortedBy = (product: ShopProduct) =>
    comparative?.sort === sort ? comparedMeasure(product, comparative, textOptions)?.text : undefined
  const lines = products.map((product) => {
    const matching = variantCriteria.length > 0 ? findMatchingVariants(product, variantCriteria) : null
    if (!matching || matching.length === 0)
      return [productLine(product, textOptions), sortedBy(product)].filter(Boolean).join(', ')
    // Report the availability of the requested variants.
    const state = stockOf(product, matching)
    const named = variantCriteria.map(({ kind, value }) =>
      kind === 'size' ? fillTemplate(sentences.size, { value: value.toUpperCase() }) : value,
    )
    return `${productLine({ ...product, variants: [], availability: null }, textOptions)}, ${named.join(', ')}: ${stockText(state, textOptions)}`
  })
  return [opening(question, found, products, textOptions), ...lines].join('\n')
}

function opening(
  question: ProductQuestion,
  { missed }: FoundProducts,
  products: ShopProduct[],
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  if (missed.length > 0) {
    const named = missed.map((one) => missedText(one, question, textOptions)).filter(Boolean)
    return fillTemplate(named.length > 0 ? sentences.nearest : sentences.nearest.replace(' ({missed})', ''), {
      missed: named.join(', '),
    })
  }
  if (products.every((product) => stockOf(product) === 'out_of_stock')) return sentences.onlyOutOfStock
  const openings = {
    relevance: sentences.found,
    price_up: sentences.cheapest,
    price_down: sentences.mostExpensive,
    rating: sentences.bestRated,
    newest: sentences.newest,
    measure_up: sentences.found,
    measure_down: sentences.found,
  }
  return openings[question.sort]
}

function missedText(
  missed: FoundProducts['missed'][number],
  { minPrice, maxPrice }: ProductQuestion,
  textOptions: ProductTextOptions,
): string {
  const { sentences } = textOptions
  if (missed === 'inStock') return sentences.stockCriterion
  if (missed === 'price') {
    const price = (value: number) => formatPrice(value, null, textOptions)
    return [
      minPrice === undefined ? '' : fillTemplate(sentences.from, { price: price(minPrice) }),
      maxPrice === undefined ? '' : fillTemplate(sentences.upTo, { price: price(maxPrice) }),
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (typeof missed === 'string') return missed
  if (missed.kind === 'size') return fillTemplate(sentences.size, { value: missed.value.toUpperCase() })
  return missed.kind === 'colour' ? fillTemplate(sentences.colour, { value: missed.value }) : missed.value
}
