// Parses prices as shops write them: "29.99", "1.299,00 €", "CHF 1'299.-", "₹1,29,999.00", { value, currency }.
import { currencyCode, currencyIn, decimalsOf } from './currencies.ts'

const HIGHEST = 1e12
const LONGEST = 60
const MICROS = 1e6
// Fast path for what most feeds send.
const PLAIN = /^(\d+(?:\.\d{1,2})?)(?: ([A-Z]{3}))?$/

export interface Price {
  amount: number
  currency: string | null
}

/** `absent`: no price. `words`: text without a number, such as "on request". */
export type ParsedPrice = Price | 'absent' | 'words' | 'unreadable'

export function parsePrice(value: unknown, currency: string | null): ParsedPrice {
  if (value === null || value === undefined) return 'absent'
  if (typeof value === 'number') return checkAmount(value, currency)
  if (typeof value === 'string') return parseText(value, currency)
  if (typeof value === 'object' && !Array.isArray(value)) return parseMoney(value as Record<string, unknown>, currency)
  return 'unreadable'
}

/** Money objects of Google's and Shopify's APIs: an amount with a currency, or in millionths. */
function parseMoney(money: Record<string, unknown>, own: string | null): ParsedPrice {
  const currency =
    currencyCode(money.currency ?? money.currencyCode ?? money.currency_code ?? money.priceCurrency) ?? own
  const micros = money.amountMicros ?? money.amount_micros
  if (micros !== undefined) return checkAmount(Number(micros) / MICROS, currency)
  const amount = money.value ?? money.amount ?? money.price
  return typeof amount === 'object' ? 'absent' : parsePrice(amount, currency)
}

function parseText(text: string, own: string | null): ParsedPrice {
  const tidy = text.trim()
  if (tidy === '') return 'absent'
  if (tidy.length > LONGEST) return 'unreadable'
  const plain = PLAIN.exec(tidy)
  if (plain) return checkAmount(Number(plain[1]), currencyCode(plain[2]) ?? own)
  if (!/\d/.test(tidy)) return 'words'
  const currency = currencyIn(tidy, own)
  // Exactly one number, with any grouping and no minus sign. Only ASCII digits.
  const numbers = tidy.match(/\d[\d.,'’\s\u00a0\u202f\u2009]*/g) ?? []
  const [number, ...others] = numbers
  if (number === undefined || others.length > 0 || /[-−]\s*\D{0,4}\d/.test(tidy)) return 'unreadable'
  return checkAmount(Number(plainNumber(number, decimalsOf(currency))), currency)
}

/**
 * Finds the decimal separator: the last one of two kinds. A single kind groups thousands if it occurs more than once or
 * precedes exactly three digits ("1.299" is 1299), unless the currency has three decimals or only a zero comes
 * before it.
 */
function plainNumber(written: string, decimals: 2 | 3): string {
  const text = written.replace(/['’\s\u00a0\u202f\u2009]/g, '').replace(/[.,]+$/, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last < 0) return text
  const kind = text[last] as string
  const other = kind === '.' ? ',' : '.'
  const isRepeated = text.indexOf(kind) !== last
  if (text.includes(other)) {
    // "1.299,00,5" is not a number: a decimal separator occurs once.
    if (isRepeated) return 'none'
    return `${text.slice(0, last).replaceAll(other, '')}.${text.slice(last + 1)}`
  }
  const groups = text.length - last - 1 === 3 && (isRepeated || (decimals === 2 && !/^0/.test(text)))
  if (groups) return text.replaceAll(kind, '')
  return isRepeated ? 'none' : text.replace(kind, '.')
}

function checkAmount(amount: number, currency: string | null): Price | 'unreadable' {
  return Number.isFinite(amount) && amount >= 0 && amount <= HIGHEST ? { amount, currency } : 'unreadable'
}
