// Two or three products side by side: price, stock, rating, and the attributes in which they differ.
import { type Manner, priceText, ratingText, stockOf, stockText } from './describe-product.ts'
import type { ShopProduct } from './types.ts'

const MOST_DIFFERENCES = 6

export function compareProducts(products: readonly ShopProduct[], manner: Manner): string {
  const keys = differences(products)
  const lines = products.map((product) => {
    const stock = stockOf(product)
    const parts = [priceText(product, manner), stock && stockText(stock, manner), ratingText(product, manner)]
    const facts = keys.flatMap((key) => {
      const value = product.attributes[key]
      return value
        ? [
            `${key.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : value.replace(/\s*[|\n]\s*/g, ', ')}`,
          ]
        : []
    })
    return `- ${product.title}: ${[...parts, ...facts].filter(Boolean).join('; ')}`
  })
  return [manner.say.comparison, ...lines].join('\n')
}

/** What the first tells before what only others tell: shops put first what matters. */
function differences(products: readonly ShopProduct[]): string[] {
  const keys = [...new Set(products.flatMap(({ attributes }) => Object.keys(attributes)))]
  return keys
    .filter((key) => !/^(?:custom_label|type$|condition$|has_options|required_options)/.test(key))
    .filter((key) => new Set(products.map(({ attributes }) => String(attributes[key] ?? ''))).size > 1)
    .slice(0, MOST_DIFFERENCES)
}
