// Which of two answers is given, one from the pages and one from the catalogue: the whole truth table.
import { expect, test } from 'vitest'
import { chooseSource, isCertainProduct } from '../../src/answers/page-or-product.ts'
import type { ProductAnswer } from '../../src/answers/types.ts'

const thresholds = { answer: 0.5, suggest: 0.2 }
const plain = { about: 0, policy: 0, howTo: 0, owned: 0 } as NonNullable<ProductAnswer['signals']>

function product(confidence: number, isAnswered = true, signals: Partial<typeof plain> = {}): ProductAnswer {
  const answer = { text: 'Tent, 199 €', sources: [], documentIds: [], language: 'en', buttons: [] }
  return {
    answer: { ...answer, confidence, answered: isAnswered, decision: 'product' },
    ...(isAnswered ? { signals: { ...plain, ...signals } } : {}),
  }
}

test.each([
  ['no product answer', undefined, 0.1, 1, 'pages'],
  ['an unlikely product answer', product(0.1), 0.05, 1, 'pages'],
  ['the likelier product answer', product(0.5), 0.4, 1, 'product'],
  ['the likelier page', product(0.5), 0.6, 1, 'pages first'],
  ['a policy that a page may know', product(0.55, true, { policy: 1 }), 0.3, 1, 'pages first'],
  ['a policy that no page knows', product(0.55, true, { policy: 1 }), 0.1, 1, 'product'],
  ['a how-to that a page surely knows', product(0.9, true, { howTo: 1 }), 0.5, 1, 'pages first'],
  ['a how-to that a page hardly knows', product(0.9, true, { howTo: 1 }), 0.4, 1, 'product'],
  ['an unsure list for a how-to', product(0.3, true, { howTo: 1 }), 0.1, 1, 'pages'],
  ['an unsure fact of a product for a policy', product(0.3, true, { policy: 1, about: 1 }), 0.1, 1, 'product'],
  ['something not sold, on no page', product(0, false), 0.3, 0.2, 'product'],
  ['something not sold, but on a page', product(0, false), 0.3, 0.8, 'pages first'],
  ['something not sold, and a sure page', product(0, false), 0.6, 0.2, 'pages first'],
] as const)('%s', (_, answer, confidence, coverage, expected) => {
  expect(chooseSource({ product: answer, pages: { confidence, coverage }, thresholds })).toBe(expected)
})

test('pages are not searched only for a sure product answer that is not about policies, how-tos or owned things', () => {
  expect(isCertainProduct(product(0.6))).toBe(true)
  expect(isCertainProduct(product(0.59))).toBe(false)
  expect(isCertainProduct(product(0, false))).toBe(false)
  for (const name of ['policy', 'howTo', 'owned'])
    expect(isCertainProduct(product(0.9, true, { [name]: 1 }))).toBe(false)
})
