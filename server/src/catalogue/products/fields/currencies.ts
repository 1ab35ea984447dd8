// Currency codes and signs in prices.

const LONGEST = 60
const isoCodes = new Set(Intl.supportedValuesOf('currency'))

/** Longest first, so that "R$" is not read as "$". */
const signs: [sign: string, code: string][] = (
  [
    ['US$', 'USD'],
    ['CA$', 'CAD'],
    ['AU$', 'AUD'],
    ['NZ$', 'NZD'],
    ['HK$', 'HKD'],
    ['NT$', 'TWD'],
    ['MX$', 'MXN'],
    ['R$', 'BRL'],
    ['A$', 'AUD'],
    ['C$', 'CAD'],
    ['S$', 'SGD'],
    ['CN¥', 'CNY'],
    ['元', 'CNY'],
    ['円', 'JPY'],
    ['€', 'EUR'],
    ['£', 'GBP'],
    ['₹', 'INR'],
    ['Rs.', 'INR'],
    ['₩', 'KRW'],
    ['₽', 'RUB'],
    ['руб', 'RUB'],
    ['₴', 'UAH'],
    ['₺', 'TRY'],
    ['₫', 'VND'],
    ['฿', 'THB'],
    ['₪', 'ILS'],
    ['₱', 'PHP'],
    ['₦', 'NGN'],
    ['zł', 'PLN'],
    ['Kč', 'CZK'],
    ['Ft', 'HUF'],
    ['Fr.', 'CHF'],
  ] as [string, string][]
).sort(([a], [b]) => b.length - a.length)

/** Signs shared by several currencies: the product's own currency decides, otherwise the most common one, if any. */
const sharedSigns: [sign: RegExp, code: string | null][] = [
  [/\$/, 'USD'],
  [/[¥￥]/, 'JPY'],
  [/\bkr\b\.?/i, null],
]

const threeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

/** "eur" → "EUR"; null if it is not a currency. */
export function currencyCode(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > LONGEST) return null
  const code = text.trim().toUpperCase()
  return isoCodes.has(code) ? code : currencyIn(text, null)
}

/** The currency of a price, by its code or sign. */
export function currencyIn(text: string, own: string | null): string | null {
  for (const [code] of text.matchAll(/(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z])/g)) {
    if (isoCodes.has(code.toUpperCase())) return code.toUpperCase()
  }
  for (const [sign, code] of signs) if (text.includes(sign)) return code
  for (const [sign, code] of sharedSigns) if (sign.test(text)) return own ?? code
  return own
}

export function decimalsOf(currency: string | null): 2 | 3 {
  return currency && threeDecimals.has(currency) ? 3 : 2
}
