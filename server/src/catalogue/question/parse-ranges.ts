// Limits in a question: on the price, and on measures.
import { collapseSpaces, unfoldedSlice } from '../../language/fold.ts'
import {
  CARRIES_PATTERN,
  type Dimension,
  type FoundMeasure,
  readMeasures,
  UNIT_NAMES,
} from '../../language/measures.ts'
import { SPACED_LETTERS } from '../../language/scripts.ts'
import type { MeasureRange, Sort } from '../product.ts'
import {
  attachedPricePattern,
  comparativePattern,
  measurePattern,
  pricePattern,
  SUPERLATIVE_PATTERN,
} from './shop-words.ts'

// Price limits: "under 80 €", "zwischen 50 und 100 Euro", "around $40".
interface PriceRange {
  minPrice: number | undefined
  maxPrice: number | undefined
  /** The question without the price. */
  rest: string
}

const CODES = 'eur|usd|gbp|chf|brl|mxn|kr|sek|dkk|z[łl]|pln|tl|rub|jpy|cny|rmb|sar|aed|egp'
const CURRENCY = String.raw`(?:€|r?\$|£|¥|₺|₽|(?:${CODES}|${attachedPricePattern('currencies', false)})(?!\p{L})|${attachedPricePattern('currencies', true)})`
const THOUSANDS = String.raw`(?:(?:${attachedPricePattern('thousands', false)})(?!\p{L})|${attachedPricePattern('thousands', true)})`
const FIGURE = String.raw`(?:\d{1,3}(?:[.,' ]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)`
// "1万5千" is 15,000.
const AMOUNT = String.raw`(?:${CURRENCY}\s*)?(${FIGURE}(?:万${FIGURE}?)?(?:\s*${THOUSANDS})?)(?![.,]?\d|万)\s*(?:,-)?\s*(?:${CURRENCY})?`
const NO_PRICE = [UNIT_NAMES, attachedPricePattern('notPrice', false), attachedPricePattern('notPrice', true)].join('|')
const SHORT_FIGURE = String.raw`\d{1,9}(?:[.,' ]\d{3}){0,3}(?:[.,]\d{1,2})?`
// "Under 500 g", "до 5 тысяч часов", "30-50 %"
const NOT_PRICES = new RegExp(
  String.raw`(?<!\d)(?:${SHORT_FIGURE}[-–])?${SHORT_FIGURE}(?!\d)万?(?:\s*${THOUSANDS})?\s*(?=[%°]|:\d\d|(?:${NO_PRICE})(?![${SPACED_LETTERS}\p{Script=Arabic}]))(?!${CURRENCY})`,
  'giu',
)
const AT_MOST = pricePattern('atMost')
const AT_LEAST = pricePattern('atLeast')
const ABOUT_WORDS = pricePattern('about')
const BETWEEN = pricePattern('between')
// Arabic joins "and" to the number.
const AND = `(?:${attachedPricePattern('and', false)}|${attachedPricePattern('and', true)}|[-–])`

const pattern = (source: string) => new RegExp(source, 'iu')
// Chinese and Japanese write letters right before a number.
const afterAmount = (source: string) => pattern(String.raw`(?<![\p{Script=Latin}\p{N}.,])${source}`)
type PlaceBehind = 'atMostAfter' | 'atLeastAfter' | 'aboutAfter' | 'untilAfter' | 'bandAfter'
/** A limit behind the number: "100 lira altı", "50円以下". */
const behind = (name: PlaceBehind, isUnspaced: boolean) =>
  afterAmount(
    String.raw`${AMOUNT}\s*(?:${attachedPricePattern(name, isUnspaced)})${isUnspaced ? '' : String.raw`(?!\p{L})`}`,
  )
const RANGE = String.raw`${AMOUNT}\s*${AND}\s*${AMOUNT}`
const BETWEEN_PRICES = [
  pattern(String.raw`${BETWEEN}\s*${RANGE}`),
  afterAmount(String.raw`${RANGE}\s*(?:${attachedPricePattern('betweenAfter', true)})`),
]
// Sizes and ages are written alike: "38-42 arası", "1から10まで", "50-100 €".
const RANGES_WITH_CURRENCY = [
  String.raw`${RANGE}\s*(?:${attachedPricePattern('betweenAfter', false)})(?!\p{L})`,
  String.raw`${RANGE}\s*(?:${attachedPricePattern('untilAfter', true)})`,
  String.raw`${AMOUNT}\s*(?:[-–]|${attachedPricePattern('and', true)})\s*${AMOUNT}`,
].map(afterAmount)
const AT_MOST_PRICE = pattern(String.raw`${AT_MOST}\s*${AMOUNT}`)
const AT_LEAST_PRICE = pattern(String.raw`${AT_LEAST}\s*${AMOUNT}`)
const ABOUT_PRICE = pattern(String.raw`${ABOUT_WORDS}\s*${AMOUNT}`)
const UNTIL_PRICE = behind('untilAfter', true)
const BAND = behind('bandAfter', true)
const AROUND = 0.2

export function parsePriceRange(text: string): PriceRange {
  const none = { minPrice: undefined, maxPrice: undefined, rest: text }
  if (!/\d/.test(text)) return none
  // Of the same length.
  const prices = text.replace(NOT_PRICES, (one) => one.replaceAll(/\d/g, '#'))
  for (const between of [
    ...BETWEEN_PRICES.map((one) => one.exec(prices)),
    ...RANGES_WITH_CURRENCY.map((one) => withCurrency(one.exec(prices))),
  ]) {
    if (!between) continue
    const [low, high] = toRange(between[1], between[2])
    if (high > low) return { minPrice: low, maxPrice: high, rest: without(text, between) }
  }
  const upper =
    AT_MOST_PRICE.exec(prices) ?? limitBehind('atMostAfter', prices) ?? withCurrency(UNTIL_PRICE.exec(prices))
  if (upper) return { ...none, maxPrice: toNumber(upper[1]), rest: without(text, upper) }
  // "from 1 to 3" and "ab 5" have many other meanings, so require a currency.
  const lower = withCurrency(AT_LEAST_PRICE.exec(prices)) ?? limitBehind('atLeastAfter', prices)
  if (lower) return { ...none, minPrice: toNumber(lower[1]), rest: without(text, lower) }
  const band = withCurrency(BAND.exec(prices))
  if (band) {
    const price = toNumber(band[1])
    const [zeros = ''] = /0*$/.exec(String(price)) ?? []
    return { minPrice: price, maxPrice: price + 10 ** zeros.length - 1, rest: without(text, band) }
  }
  const near = withCurrency(ABOUT_PRICE.exec(prices)) ?? limitBehind('aboutAfter', prices)
  if (!near) return none
  const price = toNumber(near[1])
  return { minPrice: price * (1 - AROUND), maxPrice: price * (1 + AROUND), rest: without(text, near) }
}

const BEHIND = {
  atMostAfter: [behind('atMostAfter', false), behind('atMostAfter', true)],
  atLeastAfter: [behind('atLeastAfter', false), behind('atLeastAfter', true)],
  aboutAfter: [behind('aboutAfter', false), behind('aboutAfter', true)],
} as const

/** "18'e kadar" may be a time, so spaced languages need a currency; "50以下" needs none, since units stand between. */
function limitBehind(name: keyof typeof BEHIND, text: string): RegExpExecArray | null {
  const [spaced, unspaced] = BEHIND[name]
  const match = withCurrency(spaced.exec(text))
  if (match) return match
  const dense = unspaced.exec(text)
  return name === 'atMostAfter' ? dense : withCurrency(dense)
}

const ANY_CURRENCY = new RegExp(CURRENCY, 'iu')

function withCurrency(match: RegExpExecArray | null): RegExpExecArray | null {
  return match && ANY_CURRENCY.test(match[0]) ? match : null
}

function without(text: string, match: RegExpExecArray): string {
  return `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
}

const HAS_WORD = /\p{L}/u

/** "1.299,00", "1,299.00", "1 299", "80", "1万5千", "5 tys.": three trailing digits are thousands. */
function toNumber(amountText = ''): number {
  const [, tenThousands, ones = ''] = /^(.+)万(.*)$/.exec(amountText) ?? []
  // Chinese "1万5" is 15,000.
  if (tenThousands) return toNumber(tenThousands) * 10_000 + toNumber(ones) * (/^\d$/.test(ones) ? 1000 : 1)
  const plain = amountText.replace(/[^\d.,]/g, '')
  const cents = /[.,](\d{1,2})$/.exec(plain)
  const whole = (cents ? plain.slice(0, cents.index) : plain).replace(/[.,]/g, '')
  return Number(`${whole}.${cents?.[1] ?? '0'}`) * (HAS_WORD.test(amountText) ? 1000 : 1)
}

/** "5 to 10 thousand" begins at 5000, "500 to 2 thousand" at 500. */
function toRange(lowText = '', highText = ''): [low: number, high: number] {
  const [low, high] = [toNumber(lowText), toNumber(highText)]
  const isShortened = HAS_WORD.test(highText) && !HAS_WORD.test(lowText) && low < Number.parseFloat(highText)
  return [isShortened ? low * (highText.includes('万') ? 10_000 : 1000) : low, high]
}

// Limits on measures: "at least 500 lumens", "for 4 people", "down to -10 °C", "lighter than 2 lb", "lightest".
interface MentionedMeasureRange extends MeasureRange {
  /** As asked. */
  text: string
}

interface MeasureRanges {
  criteria: MentionedMeasureRange[]
  /** The question without them. */
  rest: string
}

const MAX_CRITERIA = 3
// "A 30 l backpack": approximately.
const ABOUT = { least: 0.8, most: 1.25 }
const PERSONS_ABOVE = 1.5
const ending = (source: string) =>
  new RegExp(String.raw`(?<![${SPACED_LETTERS}\p{Script=Arabic}])(?:${source})\s*(?:of\s+)?(?:a\s+|an\s+)?$`, 'iu')
const MOST_BEFORE = ending(`${AT_MOST}|${measurePattern('smaller')}|${measurePattern('downTo')}`)
const LEAST_BEFORE = ending(`${AT_LEAST}|${measurePattern('larger')}|${measurePattern('minimum')}`)
const TEMPERATURE_ABOVE = ending(measurePattern('bears'))
const BETWEEN_BEFORE = ending(measurePattern('between'))
const FOR_BEFORE = ending(measurePattern('for'))
/** "or less", and the words for prices: "2 kg altı", "2公斤以下". */
const limitAfter = (own: string, name: 'atMostAfter' | 'atLeastAfter' | 'betweenAfter') => {
  const spaced = [own, attachedPricePattern(name, false)].filter(Boolean).join('|')
  const until = name === 'atLeastAfter' ? '' : `|${attachedPricePattern('untilAfter', true)}`
  return new RegExp(
    String.raw`^\s*(?:(?:${spaced})(?![${SPACED_LETTERS}\p{Script=Arabic}])|${attachedPricePattern(name, true)}${until})`,
    'iu',
  )
}
const MOST_AFTER = limitAfter(measurePattern('orLess'), 'atMostAfter')
const LEAST_AFTER = limitAfter(String.raw`\+|${measurePattern('orMore')}`, 'atLeastAfter')
const BETWEEN_AFTER_MEASURES = limitAfter('', 'betweenAfter')
const POUNDS = /\bpounds?$/i
const LONE_COUNT = new RegExp(
  String.raw`(?<!\p{L})${measurePattern('for')}\s+(\d{1,2}|${measurePattern('people')})(?=\s*(?:$|[?!.,]))`,
  'iu',
)

export function parseMeasureRanges(text: string): MeasureRanges {
  // "A table for 6"
  const plain = text.replace(LONE_COUNT, (count) => `${count} people`)
  const criteria: MentionedMeasureRange[] = []
  let rest = ''
  let after = 0
  const measuresByStart = Map.groupBy(readMeasures(plain), ({ start }) => start)
  for (const [start, values] of measuresByStart) {
    const criterion = criteria.length < MAX_CRITERIA && criterionOf(plain, values)
    if (!criterion) continue
    criteria.push(criterion.criterion)
    rest += plain.slice(after, start - criterion.before)
    after = (values[0]?.end ?? start) + criterion.after
  }
  return { criteria, rest: criteria.length > 0 ? rest + plain.slice(after) : text }
}

function criterionOf(text: string, values: FoundMeasure[]) {
  const [first] = values
  if (!first) return null
  const { dimension, start, end } = first
  const [before, behind] = [text.slice(0, start), text.slice(end)]
  const isCold = dimension === 'temperature'
  const leading = [MOST_BEFORE, LEAST_BEFORE, BETWEEN_BEFORE, FOR_BEFORE].map((one) => one.exec(before)?.[0])
  const [under, over, between, forWhom] = isCold ? temperatureWords(before, leading) : leading
  const isRange = values.length > 1 && BETWEEN_AFTER_MEASURES.test(behind)
  const after = isRange ? [BETWEEN_AFTER_MEASURES] : [MOST_AFTER, LEAST_AFTER]
  const trailing = after.map((one) => one.exec(behind)?.[0]).find((one) => one !== undefined) ?? ''
  // "Under 50 pounds" is a price.
  if (POUNDS.test(first.text) && !/er\s+than/i.test(under ?? over ?? '')) return null
  const amounts = values.map(({ value }) => value).sort((a, b) => a - b)
  const [low = 0, high = low] = [amounts[0], amounts.at(-1)]
  const aspect =
    CARRIES_PATTERN.test(text) && dimension === 'mass' ? 'other' : first.aspect === 'other' ? 'main' : first.aspect
  const limits = (): Pick<MeasureRange, 'min' | 'max'> => {
    if ((between || isRange) && high > low) return { min: low, max: high }
    if (under || MOST_AFTER.test(behind)) return { max: high }
    if (over || LEAST_AFTER.test(behind)) return { min: low }
    if (isCold) return { max: low }
    if (aspect === 'other') return { min: low }
    if (dimension === 'persons') return { min: high, max: high * PERSONS_ABOVE }
    return { min: low * ABOUT.least, max: high * ABOUT.most }
  }
  const rangePhrase = under ?? over ?? between ?? forWhom ?? ''
  // "In 2 days" is not about a product.
  if (dimension === 'duration' && !under && !over && trailing === '') return null
  const criterion: MentionedMeasureRange = {
    dimension,
    aspect,
    ...limits(),
    text: `${rangePhrase}${text.slice(start, end)}${trailing}`.trim(),
  }
  return { criterion, before: rangePhrase.length, after: trailing.length }
}

/** "Down to 5 °C" and "for 5 °C" mean the same; heat resistance is stated explicitly. */
function temperatureWords(before: string, [under, , between, forWhom]: (string | undefined)[]) {
  const above = TEMPERATURE_ABOVE.exec(before)?.[0]
  return above ? [undefined, above] : [under ?? forWhom, undefined, between]
}

const comparatives = (
  [
    ['lighter', 'mass', 'measure_up'],
    ['heavier', 'mass', 'measure_down'],
    ['brighter', 'light', 'measure_down'],
    ['warmer', 'temperature', 'measure_up'],
    ['longer', 'length', 'measure_down'],
    ['shorter', 'length', 'measure_up'],
    ['stronger', 'power', 'measure_down'],
  ] as const
).map(([name, dimension, sort]) => ({ pattern: comparativePattern(name), dimension, sort }))

export interface Comparative {
  /** As in the folded text: "plus leger". */
  word: string
  /** As asked: "plus léger". */
  surface: string
  isSuperlative: boolean
  dimension: Dimension
  sort: Extract<Sort, 'measure_up' | 'measure_down'>
}

/** The measure to compare or sort by. */
export function parseComparative(foldedText: string, text = foldedText): Comparative | undefined {
  for (const { pattern, dimension, sort } of comparatives) {
    const match = pattern.exec(foldedText)
    if (!match) continue
    const [word] = match
    const surface = unfoldedSlice(collapseSpaces(text), match.index, match.index + word.length)
    const isSuperlative = SUPERLATIVE_PATTERN.test(foldedText.slice(match.index))
    return { word, surface: surface.toLowerCase(), isSuperlative, dimension, sort }
  }
  return undefined
}
