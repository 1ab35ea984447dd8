// "At least 500 lumens", "for 4 people", "down to -10 °C", "lighter than 2 lb", "lightest": what a product may measure.
import { type Dimension, type FoundMeasure, readMeasures } from '../../../language/measures.ts'
import type { MeasureWish, Sort } from '../types.ts'
import { least, most } from './parse-price-wish.ts'

export interface SaidMeasureWish extends MeasureWish {
  /** As it was asked. */
  text: string
}

export interface MeasureWishes {
  wishes: SaidMeasureWish[]
  /** The question without them. */
  rest: string
}

const MOST_WISHES = 3
// "A 30 l backpack": about so large.
const ABOUT = { least: 0.8, most: 1.25 }
const PERSONS_ABOVE = 1.5
const smaller = String.raw`(?:light|short|small|narrow|thinn?|low|leicht|kürz|klein)er\s+(?:than|als)`
const larger = String.raw`(?:heavi|long|larg|bigg|wid|tall|bright|deep|high|schwer|läng|gröss|größ|hell)e?r?\s+(?:than|als)`
const ending = (source: string) => new RegExp(String.raw`(?<!\p{L})(?:${source})\s*(?:of\s+)?(?:a\s+|an\s+)?$`, 'iu')
const mostBefore = ending(`${most}|${smaller}|down to`)
const leastBefore = ending(`${least}|${larger}|min(?:imum|imal|destens)?\\.?`)
const temperatureAbove = ending('up to|at least|over|above|bis zu|über')
const betweenBefore = ending('between|from|zwischen|von|entre')
const forBefore = ending('for|für|pour|para')
const mostAfter = /^\s*(?:or (?:less|lighter|shorter|under|smaller)|at most|max(?:imum)?|oder weniger)(?!\p{L})/iu
const leastAfter = /^\s*(?:\+|or (?:more|over|longer|bigger|larger)|and (?:more|up)|minimum|oder mehr)(?!\p{L})/iu
const carried = /\b(?:load|carr(?:y|ies)|supports?|tragkraft|belast\w*)\b/i
const pounds = /\bpounds?$/i
const loneCount =
  /(?<!\p{L})(?:for|für|pour|para)\s+(\d{1,2}|two|three|four|five|six|eight|ten|twelve)(?=\s*(?:$|[?!.,]))/iu

export function parseMeasureWishes(text: string): MeasureWishes {
  // "A table for 6"
  const plain = text.replace(loneCount, (said) => `${said} people`)
  const wishes: SaidMeasureWish[] = []
  let rest = ''
  let after = 0
  const found = Map.groupBy(readMeasures(plain), ({ start }) => start)
  for (const [start, values] of found) {
    const wish = wishes.length < MOST_WISHES && wishOf(plain, values)
    if (!wish) continue
    wishes.push(wish.wish)
    rest += plain.slice(after, start - wish.before)
    after = (values[0]?.end ?? start) + wish.after
  }
  return { wishes, rest: wishes.length > 0 ? rest + plain.slice(after) : text }
}

function wishOf(text: string, values: FoundMeasure[]) {
  const [first] = values
  if (!first) return null
  const { dimension, start, end } = first
  const [before, behind] = [text.slice(0, start), text.slice(end)]
  const isCold = dimension === 'temperature'
  const leading = [mostBefore, leastBefore, betweenBefore, forBefore].map((one) => one.exec(before)?.[0])
  const [under, over, between, forWhom] = isCold ? cold(before, leading) : leading
  const trailing = mostAfter.exec(behind)?.[0] ?? leastAfter.exec(behind)?.[0] ?? ''
  // "Under 50 pounds" is a price.
  if (pounds.test(first.text) && !/er\s+than/i.test(under ?? over ?? '')) return null
  const amounts = values.map(({ value }) => value).sort((a, b) => a - b)
  const [low = 0, high = low] = [amounts[0], amounts.at(-1)]
  const aspect = carried.test(text) && dimension === 'mass' ? 'other' : first.aspect === 'other' ? 'main' : first.aspect
  const limits = (): Pick<MeasureWish, 'min' | 'max'> => {
    if (between && high > low) return { min: low, max: high }
    if (under || mostAfter.test(behind)) return { max: high }
    if (over || leastAfter.test(behind)) return { min: low }
    if (isCold) return { max: low }
    if (aspect === 'other') return { min: low }
    if (dimension === 'persons') return { min: high, max: high * PERSONS_ABOVE }
    return { min: low * ABOUT.least, max: high * ABOUT.most }
  }
  const said = under ?? over ?? between ?? forWhom ?? ''
  // "In 2 days" is no wish on a product.
  if (dimension === 'duration' && !under && !over && trailing === '') return null
  const wish: SaidMeasureWish = {
    dimension,
    aspect,
    ...limits(),
    text: `${said}${text.slice(start, end)}${trailing}`.trim(),
  }
  return { wish, before: said.length, after: trailing.length }
}

/** Down to 5 °C and for 5 °C are the same; what bears heat is said to do so. */
function cold(before: string, [under, , between, forWhom]: (string | undefined)[]) {
  const above = temperatureAbove.exec(before)?.[0]
  return above ? [undefined, above] : [under ?? forWhom, undefined, between]
}

const comparatives: readonly [RegExp, Dimension, Extract<Sort, 'measure_up' | 'measure_down'>][] = [
  [/\b(?:lighte(?:r|st)|leichte(?:r|ste[nrs]?))\b/, 'mass', 'measure_up'],
  [/\b(?:heavie(?:r|st)|schwere(?:r|ste[nrs]?))\b/, 'mass', 'measure_down'],
  [/\b(?:brighte(?:r|st)|helle(?:r|ste[nrs]?))\b/, 'light', 'measure_down'],
  [/\b(?:warme(?:r|st)|warmste[nrs]?)\b/, 'temperature', 'measure_up'],
  [/\b(?:longe(?:r|st)|langste[nrs]?)\b/, 'length', 'measure_down'],
  [/\b(?:shorte(?:r|st)|kurzeste[nrs]?)\b/, 'length', 'measure_up'],
  [/\b(?:(?:more|most) powerful|stronge(?:r|st))\b/, 'power', 'measure_down'],
]

export interface Comparative {
  /** As it was said: "lighter". */
  word: string
  dimension: Dimension
  sort: Extract<Sort, 'measure_up' | 'measure_down'>
}

/** By what things are to be compared or put in order; the text is folded. */
export function parseComparative(folded: string): Comparative | undefined {
  for (const [pattern, dimension, sort] of comparatives) {
    const [word] = pattern.exec(folded) ?? []
    if (word) return { word, dimension, sort }
  }
  return undefined
}
