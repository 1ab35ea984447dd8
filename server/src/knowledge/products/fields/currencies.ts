// How currencies are written in prices.

const LONGEST = 60
const isoCodes = new Set(Intl.supportedValuesOf('currency'))

/** Longest first, so that "R$" is not taken for "$". */
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

/** Signs that several countries share: the product's own currency decides, else the commonest one, if there is one. */
const sharedSigns: [sign: RegExp, code: string | null][] = [
  [/\$/, 'USD'],
  [/[¥￥]/, 'JPY'],
  [/\bkr\b\.?/i, null],
]

const threeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

/** "eur" → "EUR"; null for what is no currency. */
export function currencyCode(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > LONGEST) return null
  const code = text.trim().toUpperCase()
  return isoCodes.has(code) ? code : currencyIn(text, null)
}

/** The currency that a price is written in, by its code or its sign. */
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
