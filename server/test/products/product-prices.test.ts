import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePrice } from '../../src/catalogue/products/prices.ts'

test.each([
  [29.99, 29.99, null],
  ['29.99', 29.99, null],
  ['29.99 USD', 29.99, 'USD'],
  ['USD 5', 5, 'USD'],
  ['1.299,00 €', 1299, 'EUR'],
  ['€1,299.00', 1299, 'EUR'],
  ['1 299,00 kr', 1299, null],
  ['1\u202f299,00\u00a0€', 1299, 'EUR'],
  ["CHF 1'299.-", 1299, 'CHF'],
  ['1.299,- EUR', 1299, 'EUR'],
  ['¥1200', 1200, 'JPY'],
  ['₹1,29,999.00', 129_999, 'INR'],
  ['R$ 10,50', 10.5, 'BRL'],
  ['$1,299', 1299, 'USD'],
  // One separator and three digits behind it: thousands, but for currencies of three decimals and below one.
  ['1.299', 1299, null],
  ['1.299 KWD', 1.299, 'KWD'],
  ['0.299', 0.299, null],
  ['1.234.567', 1_234_567, null],
  [{ value: '29.99', currency: 'usd' }, 29.99, 'USD'],
  [{ amount: '5', currencyCode: 'EUR' }, 5, 'EUR'],
  [{ amountMicros: '29990000', currencyCode: 'EUR' }, 29.99, 'EUR'],
])('%j is %d %s', (priceText, amount, currency) => {
  expect(parsePrice(priceText, null)).toEqual({ amount, currency })
})

test('signs that countries share mean the product’s own currency', () => {
  expect(parsePrice('1 299,00 kr', 'SEK')).toEqual({ amount: 1299, currency: 'SEK' })
  expect(parsePrice('$5', 'CAD')).toEqual({ amount: 5, currency: 'CAD' })
  expect(parsePrice('¥5', 'CNY')).toEqual({ amount: 5, currency: 'CNY' })
  expect(parsePrice('5 EUR', 'CAD')).toEqual({ amount: 5, currency: 'EUR' })
})

test.each([
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e13,
  '-5',
  '−5 €',
  'EUR -5',
  '5-10',
  '1,2,3',
  '1.299,00,5',
  [5],
  true,
])('%j is no price', (priceText) => expect(parsePrice(priceText, null)).toBe('unreadable'))

test.each(['NaN', 'on request', 'free', '-'])('%s is words', (priceText) => {
  expect(parsePrice(priceText, null)).toBe('words')
})

const locales = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'sv-SE', 'pt-BR', 'es-ES', 'pl-PL', 'ja-JP']
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'INR', 'BRL', 'PLN']

test('what a locale writes with two decimals is read back, in every order of sign, code and number', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000_00 })
  const display = fc.constantFrom('symbol' as const, 'code' as const)
  fc.assert(
    fc.property(
      cents,
      fc.constantFrom(...locales),
      fc.constantFrom(...currencies),
      display,
      (value, locale, currency, currencyDisplay) => {
        const format = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay,
          minimumFractionDigits: 2,
        })
        const priceText = format.format(value / 100)
        expect([priceText, parsePrice(priceText, currency)]).toEqual([priceText, { amount: value / 100, currency }])
      },
    ),
    { numRuns: 2000 },
  )
})

test('no text makes it throw or give what is no price', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789.,'- €$KWDe") })), (text) => {
      const price = parsePrice(text, null)
      if (typeof price === 'object') expect(Number.isFinite(price.amount) && price.amount >= 0).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
