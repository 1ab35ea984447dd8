// A list of products as text: an introduction and one line per product.
import { matchingVariants } from '../about-product.ts'
import type { FoundProducts } from '../find-products.ts'
import type { ProductQuestion } from '../question/parse-product-question.ts'
import type { ShopProduct } from '../types.ts'
import { formatPrice, type Manner, productLine, stockOf, stockText } from './describe-product.ts'
import { comparedMeasure } from './measure-text.ts'
import { fill } from './product-sentences.ts'

export function listText(
  question: ProductQuestion,
  found: FoundProducts,
  products: ShopProduct[],
  manner: Manner,
): string {
  const { say } = manner
  const variantCriteria = question.facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  const { comparative, sort } = question
  const sortedBy = (product: ShopProduct) =>
    comparative?.sort === sort ? comparedMeasure(product, comparative, manner)?.text : undefined
  const lines = products.map((product) => {
    const matching = variantCriteria.length > 0 ? matchingVariants(product, variantCriteria) : null
    if (!matching || matching.length === 0)
      return [productLine(product, manner), sortedBy(product)].filter(Boolean).join(', ')
    // Report the availability of the requested variants.
    const state = stockOf(product, matching)
    const named = variantCriteria.map(({ kind, value }) =>
      kind === 'size' ? fill(say.size, { value: value.toUpperCase() }) : value,
    )
    return `${productLine({ ...product, variants: [], availability: null }, manner)}, ${named.join(', ')}: ${stockText(state, manner)}`
  })
  return [opening(question, found, products, manner), ...lines].join('\n')
}

function opening(
  question: ProductQuestion,
  { missed }: FoundProducts,
  products: ShopProduct[],
  manner: Manner,
): string {
  const { say } = manner
  if (missed.length > 0) {
    const named = missed.map((one) => missedText(one, question, manner)).filter(Boolean)
    return fill(named.length > 0 ? say.nearest : say.nearest.replace(' ({missed})', ''), { missed: named.join(', ') })
  }
  if (products.every((product) => stockOf(product) === 'out_of_stock')) return say.onlyOutOfStock
  const openings = {
    relevance: say.found,
    price_up: say.cheapest,
    price_down: say.mostExpensive,
    rating: say.bestRated,
    newest: say.newest,
    measure_up: say.found,
    measure_down: say.found,
  }
  return openings[question.sort]
}

function missedText(
  missed: FoundProducts['missed'][number],
  { minPrice, maxPrice }: ProductQuestion,
  manner: Manner,
): string {
  const { say } = manner
  if (missed === 'inStock') return say.stockCriterion
  if (missed === 'price') {
    const price = (value: number) => formatPrice(value, null, manner)
    return [
      minPrice === undefined ? '' : fill(say.from, { price: price(minPrice) }),
      maxPrice === undefined ? '' : fill(say.upTo, { price: price(maxPrice) }),
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (typeof missed === 'string') return missed
  if (missed.kind === 'size') return fill(say.size, { value: missed.value.toUpperCase() })
  return missed.kind === 'colour' ? fill(say.colour, { value: missed.value }) : missed.value
}
