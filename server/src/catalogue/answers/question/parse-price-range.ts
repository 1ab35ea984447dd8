// Price limits: "under 80 €", "zwischen 50 und 100 Euro", "around $40".
import { pricePattern } from './shop-words.ts'

export interface PriceRange {
  minPrice: number | undefined
  maxPrice: number | undefined
  /** The question without the price. */
  rest: string
}

const currency = String.raw`(?:€|\$|£|eur(?:os?)?|usd|gbp|chf|dollars?|d[oó]lares|bucks|pounds?|franken|francs?|livres?|libras|kr|sek|dkk|z[łl]|pln)`
const amount = String.raw`(?:${currency}\s*)?(\d{1,3}(?:[.,' ]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?![.,]?\d)\s*(?:,-)?\s*(${currency}(?![\p{L}]))?`
// A number with another unit is not a price: "under 500 g".
const noUnit = String.raw`(?!\s*(?:g|kg|mg|ml|cl|l|mm|cm|m|km|litres?|liters?|liter|inch(?:es)?|zoll|"|%|°|years?|jahre?n?|days?|tage?n?|hours?|watts?|w|lumens?|lm|lbs?|oz|pounds? (?:of|heavy)|persons?|personen|people|stars?|sterne?n?)(?![\p{L}]))`
export const atMostPattern = pricePattern('atMost')
export const atLeastPattern = pricePattern('atLeast')
const about = pricePattern('about')
const both = pricePattern('between')
const and = `(?:${pricePattern('and')}|[-–])`

const pattern = (source: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])${source}`, 'iu')
const betweenPattern = pattern(String.raw`${both}\s+${amount}\s*${and}\s*${amount}${noUnit}`)
const mostPattern = pattern(String.raw`${atMostPattern}\s+${amount}${noUnit}`)
const leastPattern = pattern(String.raw`${atLeastPattern}\s+${amount}${noUnit}`)
const aboutPattern = pattern(String.raw`${about}\s+${amount}${noUnit}`)
const AROUND = 0.2

export function parsePriceRange(text: string): PriceRange {
  const none = { minPrice: undefined, maxPrice: undefined, rest: text }
  if (!/\d/.test(text)) return none
  const between = betweenPattern.exec(text)
  if (between) {
    const [low, high] = [toNumber(between[1]), toNumber(between[3])]
    if (high > low) return { minPrice: low, maxPrice: high, rest: without(text, between) }
  }
  const upper = mostPattern.exec(text)
  if (upper) return { ...none, maxPrice: toNumber(upper[1]), rest: without(text, upper) }
  const lower = leastPattern.exec(text)
  // "from 1 to 3" and "ab 5" have many other meanings, so require a currency.
  if (lower && hasCurrency(lower[0])) return { ...none, minPrice: toNumber(lower[1]), rest: without(text, lower) }
  const near = aboutPattern.exec(text)
  if (!near || !hasCurrency(near[0])) return none
  const price = toNumber(near[1])
  return { minPrice: price * (1 - AROUND), maxPrice: price * (1 + AROUND), rest: without(text, near) }
}

const currencyPattern = new RegExp(currency, 'iu')

function hasCurrency(text: string): boolean {
  return currencyPattern.test(text)
}

function without(text: string, match: RegExpExecArray): string {
  return `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
}

/** "1.299,00", "1,299.00", "1 299", "80": three trailing digits are thousands. */
function toNumber(written: string | undefined): number {
  const plain = (written ?? '').replace(/[' ]/g, '')
  const cents = /[.,](\d{1,2})$/.exec(plain)
  const whole = (cents ? plain.slice(0, cents.index) : plain).replace(/[.,]/g, '')
  return Number(`${whole}.${cents?.[1] ?? '0'}`)
}
