// What is said about a product, in the punctuation of the language.
import { expect, test } from 'vitest'
import { compareProducts } from '../../src/catalogue/answers/compare-products.ts'
import { productLine, productSentences, ratingText } from '../../src/catalogue/answers/product-text.ts'
import type { ShopProduct } from '../../src/catalogue/product.ts'
import { parseComparative } from '../../src/catalogue/question/parse-ranges.ts'

const variantOf = (size: string) => ({ attributes: { size }, price: null, salePrice: null, availability: 'in_stock' })
const product = {
  title: 'Nordlys',
  price: 199,
  salePrice: 149,
  currency: 'EUR',
  availability: 'in_stock',
  rating: 4.5,
  reviewCount: 12,
  attributes: {},
  variants: ['S', 'M'].map(variantOf),
} as unknown as ShopProduct

test.each([
  ['en', '- Nordlys: €149.00 (instead of €199.00), in stock, sizes S, M', 'rated 4.5 of 5 (12 reviews)'],
  ['zh', '- Nordlys：€149.00（原价€199.00），有货，尺码S、M', '评分4.5/5（12条评价）'],
  ['ja', '- Nordlys：€149.00（通常価格€199.00）、在庫あり、サイズS、M', '評価4.5/5（レビュー12件）'],
  ['ar', '- Nordlys: ‏149.00 € (بدلًا من ‏199.00 €)، متوفر، المقاسات S، M', 'التقييم 4.5 من 5 (عدد التقييمات: 12)'],
])('in %s', (language, line, rating) => {
  const textOptions = { sentences: productSentences(language), language, currency: null }
  expect(productLine(product, textOptions).replaceAll('\u00a0', ' ')).toBe(line)
  expect(ratingText(product, textOptions)).toBe(rating)
})

test.each([
  [
    'en',
    /^Lighter: Nordlys \(.*980 g\)$/m,
    '- Nordlys: Warm and dry; €149.00 (instead of €199.00); in stock',
    'Warm and dry.',
  ],
  ['zh', /^Lighter：Nordlys（.*980.*）$/m, '- Nordlys：保暖；€149.00（原价€199.00）；有货', '保暖。'],
])('compared in %s', (language, winner, line, text) => {
  const textOptions = { sentences: productSentences(language), language, currency: null }
  const weighing = (weight: string) => ({ ...product, description: '', variants: [], attributes: { weight } })
  const comparedProducts = [weighing('980 g'), weighing('1200 g')].map((each) => ({
    product: each,
    fact: { text, label: '' },
  }))
  const comparative = parseComparative('which is lighter')
  const answer = compareProducts(comparedProducts, comparative, textOptions).replaceAll('\u00a0', ' ')
  expect(answer).toMatch(winner)
  expect(answer).toContain(line)
})
