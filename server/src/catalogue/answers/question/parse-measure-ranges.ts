// Limits on measures: "at least 500 lumens", "for 4 people", "down to -10 °C", "lighter than 2 lb", "lightest".
import { carriesPattern, type Dimension, type FoundMeasure, readMeasures } from '../../../language/measures.ts'
import type { MeasureRange, Sort } from '../types.ts'
import { atLeastPattern, atMostPattern } from './parse-price-range.ts'
import { comparativePattern, measurePattern } from './shop-words.ts'

export interface MentionedMeasureRange extends MeasureRange {
  /** As asked. */
  text: string
}

export interface MeasureRanges {
  criteria: MentionedMeasureRange[]
  /** The question without them. */
  rest: string
}

const MAX_CRITERIA = 3
// "A 30 l backpack": approximately.
const ABOUT = { least: 0.8, most: 1.25 }
const PERSONS_ABOVE = 1.5
const ending = (source: string) => new RegExp(String.raw`(?<!\p{L})(?:${source})\s*(?:of\s+)?(?:a\s+|an\s+)?$`, 'iu')
const mostBefore = ending(`${atMostPattern}|${measurePattern('smaller')}|${measurePattern('downTo')}`)
const leastBefore = ending(`${atLeastPattern}|${measurePattern('larger')}|${measurePattern('minimum')}`)
const temperatureAbove = ending(measurePattern('bears'))
const betweenBefore = ending(measurePattern('between'))
const forBefore = ending(measurePattern('for'))
const mostAfter = new RegExp(String.raw`^\s*${measurePattern('orLess')}(?!\p{L})`, 'iu')
const leastAfter = new RegExp(String.raw`^\s*(?:\+|${measurePattern('orMore')})(?!\p{L})`, 'iu')
const pounds = /\bpounds?$/i
const loneCount = new RegExp(
  String.raw`(?<!\p{L})${measurePattern('for')}\s+(\d{1,2}|${measurePattern('people')})(?=\s*(?:$|[?!.,]))`,
  'iu',
)

export function parseMeasureRanges(text: string): MeasureRanges {
  // "A table for 6"
  const plain = text.replace(loneCount, (said) => `${said} people`)
  const criteria: MentionedMeasureRange[] = []
  let rest = ''
  let after = 0
  const found = Map.groupBy(readMeasures(plain), ({ start }) => start)
  for (const [start, values] of found) {
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
  const leading = [mostBefore, leastBefore, betweenBefore, forBefore].map((one) => one.exec(before)?.[0])
  const [under, over, between, forWhom] = isCold ? temperatureWords(before, leading) : leading
  const trailing = mostAfter.exec(behind)?.[0] ?? leastAfter.exec(behind)?.[0] ?? ''
  // "Under 50 pounds" is a price.
  if (pounds.test(first.text) && !/er\s+than/i.test(under ?? over ?? '')) return null
  const amounts = values.map(({ value }) => value).sort((a, b) => a - b)
  const [low = 0, high = low] = [amounts[0], amounts.at(-1)]
  const aspect =
    carriesPattern.test(text) && dimension === 'mass' ? 'other' : first.aspect === 'other' ? 'main' : first.aspect
  const limits = (): Pick<MeasureRange, 'min' | 'max'> => {
    if (between && high > low) return { min: low, max: high }
    if (under || mostAfter.test(behind)) return { max: high }
    if (over || leastAfter.test(behind)) return { min: low }
    if (isCold) return { max: low }
    if (aspect === 'other') return { min: low }
    if (dimension === 'persons') return { min: high, max: high * PERSONS_ABOVE }
    return { min: low * ABOUT.least, max: high * ABOUT.most }
  }
  const said = under ?? over ?? between ?? forWhom ?? ''
  // "In 2 days" is not about a product.
  if (dimension === 'duration' && !under && !over && trailing === '') return null
  const criterion: MentionedMeasureRange = {
    dimension,
    aspect,
    ...limits(),
    text: `${said}${text.slice(start, end)}${trailing}`.trim(),
  }
  return { criterion, before: said.length, after: trailing.length }
}

/** "Down to 5 °C" and "for 5 °C" mean the same; heat resistance is stated explicitly. */
function temperatureWords(before: string, [under, , between, forWhom]: (string | undefined)[]) {
  const above = temperatureAbove.exec(before)?.[0]
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
  /** As asked: "lighter". */
  word: string
  dimension: Dimension
  sort: Extract<Sort, 'measure_up' | 'measure_down'>
}

/** The measure to compare or sort by; expects folded text. */
export function parseComparative(folded: string): Comparative | undefined {
  for (const { pattern, dimension, sort } of comparatives) {
    const [word] = pattern.exec(folded) ?? []
    if (word) return { word, dimension, sort }
  }
  return undefined
}
