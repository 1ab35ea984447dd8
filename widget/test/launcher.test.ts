import { expect, test } from 'vitest'
import { matchesPage } from '../src/view/launcher.ts'

test.each([
  [null, true],
  ['/checkout', true],
  ['shop.test/*/pay', true],
  ['/Checkout', false],
  ['shop.test/pay', false],
  ['checkout/pay?step=1', true],
  ['c.eckout', false],
  ['*', true],
  ['(', false],
])('a proactive message for %j is shown on the page: %s', (pattern, expected) => {
  expect(matchesPage(pattern, 'https://shop.test/checkout/pay?step=1')).toBe(expected)
})
