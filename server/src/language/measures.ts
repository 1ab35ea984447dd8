// Numbers with units in a text, converted to one unit per dimension, so that "1.2 kg", "1200 g" and "2.6 lb" compare.

import { inAnyLanguage, languageData, wordSet, wordsInAnyLanguage } from './languages.ts'
import type { MeasureData } from './schema.ts'
import { SPACED_LETTERS } from './scripts.ts'

export type Dimension = (typeof DIMENSIONS)[number]
/** What is measured: "main" by default; "other" is not a measure of the thing itself. */
export type Aspect = (typeof ASPECTS)[number]

export interface Measure {
  dimension: Dimension
  aspect: Aspect
  value: number
  /** As written. */
  text: string
  /** The attribute it was read from. */
  attribute?: string
}

export interface FoundMeasure extends Measure {
  start: number
  end: number
}

export const DIMENSIONS = [
  'mass',
  'length',
  'volume',
  'power',
  'charge',
  'temperature',
  'light',
  'persons',
  'duration',
] as const
export const ASPECTS = ['main', 'other', 'length', 'width', 'height', 'depth', 'diameter'] as const

interface Unit {
  dimension: Dimension
  /** Size in base units (g, mm, ml, W, mAh, °C, lm, person, hour). */
  factor: number
  offset?: number
}

/** Units with their symbols; their names are in the language data. */
const UNIT_TABLE: readonly (readonly [
  name: string,
  signs: string,
  dimension: Dimension,
  factor: number,
  offset?: number,
])[] = [
  ['mg', 'mg', 'mass', 0.001],
  ['g', 'g|gr', 'mass', 1],
  ['kg', 'kg|kgs', 'mass', 1000],
  ['jin', '', 'mass', 500],
  ['oz', 'oz', 'mass', 28.35],
  ['lb', 'lbs?', 'mass', 453.6],
  ['mm', 'mm', 'length', 1],
  ['cm', 'cm', 'length', 10],
  ['m', 'm', 'length', 1000],
  // "3 in stock" is not a length.
  ['in', 'in(?!\\s+\\p{L})|"|″|”', 'length', 25.4],
  ['ft', 'ft', 'length', 304.8],
  ['ml', 'ml', 'volume', 1],
  ['cl', 'cl', 'volume', 10],
  // "Chi sei l'assistente?" says no volume.
  ['l', "l(?!['’])", 'volume', 1000],
  ['W', 'w', 'power', 1],
  ['kW', 'kw', 'power', 1000],
  ['mAh', 'mah', 'charge', 1],
  ['Ah', 'ah', 'charge', 1000],
  ['°C', '°\\s?c|º\\s?c|°(?!\\s?[fc])', 'temperature', 1],
  ['°F', '°\\s?f|º\\s?f', 'temperature', 5 / 9, -32],
  ['lm', 'lm', 'light', 1],
  ['persons', '', 'persons', 1],
  ['h', 'hrs?|h', 'duration', 1],
  ['d', '', 'duration', 24],
]
const inMeasures = (pick: (data: MeasureData) => string | undefined) =>
  inAnyLanguage(({ measures }) => measures && pick(measures))
const namesOf = (unit: string, signs: string) =>
  [signs, inMeasures(({ units }) => units?.[unit])].filter(Boolean).join('|')
const units = UNIT_TABLE.map(([name, signs, dimension, factor, offset = 0]): Unit & { pattern: RegExp } => ({
  dimension,
  factor,
  offset,
  pattern: new RegExp(`^(?:${namesOf(name, signs)})$`, 'iu'),
}))
// Longest first, so that "degrees fahrenheit" is not read as "degrees".
export const UNIT_NAMES = UNIT_TABLE.flatMap(([name, signs]) => namesOf(name, signs).split(/\|(?![^(]*\))/))
  .sort((a, b) => b.length - a.length)
  .join('|')

const numberWords = new Map(
  Object.values(languageData).flatMap(({ measures }) =>
    [...wordSet(measures?.numbers)].map((word, at) => [word, at + 1] as const),
  ),
)
const FIGURE = String.raw`(?:(?<![${SPACED_LETTERS}\d])[-−])?\d{1,9}(?:[.,'’ ]\d{3}(?!\d)){0,3}(?:[.,]\d{1,4})?`
// "One M" is a size.
const NUMBER_WORDS = String.raw`(?:${[...numberWords.keys()].join('|')})(?![${SPACED_LETTERS}\p{Script=Arabic}]|[\s-]\p{L}(?!\p{L}))`
const NUMBER = String.raw`(?<![${SPACED_LETTERS}\d.,])(?:${FIGURE}|${NUMBER_WORDS})`
const UNIT_END = String.raw`(?![${SPACED_LETTERS}\p{Script=Arabic}\d²³]|/\p{L})`
// The unit may follow only the last of several numbers: "55 × 35 × 23 cm".
const QUANTITY = new RegExp(
  String.raw`((?:${inMeasures(({ holds }) => holds)}) )?(${NUMBER})(?:\s?-?\s?(${UNIT_NAMES})${UNIT_END})?`,
  'giu',
)
const JOINT = new RegExp(String.raw`^\s?(?:[x×–—/-]|${inMeasures((data) => data.joint)}|,)\s?$`, 'iu')

const wordsOf = (pick: (data: MeasureData) => string | undefined) =>
  new RegExp(
    wordsInAnyLanguage(({ measures }) => measures && pick(measures)),
    'iu',
  )
const aspectWords = (['width', 'height', 'depth', 'diameter', 'length'] as const).map(
  (aspect) => [aspect, wordsOf((data) => data.aspects?.[aspect])] as const,
)
/** A carried load is not the weight of what carries it. */
export const CARRIES_PATTERN = wordsOf(({ carries }) => carries)
// A water column is not the length of a jacket.
const otherWords = wordsOf(({ carries, notOwn }) => [carries, notOwn].filter(Boolean).join('|'))
const attributeOf = (dimension: 'mass' | 'length') =>
  new RegExp(
    inMeasures(({ attributes }) => attributes?.[dimension]),
    'iu',
  )
const attributePatterns: Partial<Record<Dimension, RegExp>> = {
  mass: attributeOf('mass'),
  length: attributeOf('length'),
}

const OWN_WEIGHT = new RegExp(`^(?:${inMeasures(({ attributes }) => attributes?.mass)})$`, 'iu')

/** Whether an attribute of this name holds the weight of the whole thing, not that of a load or of a part. */
export const isOwnWeight = (name: string): boolean => OWN_WEIGHT.test(name)

/** Every measure in a text, in text order. */
export function readMeasures(text: string): FoundMeasure[] {
  const measures: FoundMeasure[] = []
  let waiting: RegExpExecArray[] = []
  for (const match of text.matchAll(QUANTITY)) {
    const last = waiting.at(-1)
    if (last && !JOINT.test(text.slice(last.index + last[0].length, match.index))) waiting = []
    waiting.push(match)
    // "Sleeps 4", "seats six": the unit is implied.
    const unit = unitOf(match[3] ?? (match[1] ? 'persons' : ''))
    if (!unit) continue
    const [start, end] = [waiting[0]?.index ?? match.index, match.index + match[0].length]
    const kind = { dimension: unit.dimension, aspect: aspectOf(text, start, end, unit.dimension) }
    const position = { text: text.slice(start, end).trim(), start, end }
    for (const [, , amountText = ''] of waiting) {
      const value = amountOf(amountText, unit)
      if (Number.isFinite(value)) measures.push({ ...kind, ...position, value })
    }
    waiting = []
  }
  return measures
}

/** Measures from a product's attributes, and from its description for dimensions the attributes lack. */
export function measuresOf(thing: { attributes: Record<string, string | string[]>; description: string }): Measure[] {
  const attributeFigures = Object.entries(thing.attributes).flatMap(([key, value]) =>
    attributeMeasures(key, String(value)),
  )
  const measuredDimensions = new Set(
    attributeFigures.filter(({ aspect }) => aspect !== 'other').map(({ dimension }) => dimension),
  )
  const describedMeasures = readMeasures(thing.description).filter(
    ({ dimension }) => !measuredDimensions.has(dimension),
  )
  return [
    ...attributeFigures,
    ...describedMeasures.map(({ dimension, aspect, value, text }) => ({ dimension, aspect, value, text })),
  ]
}

/** `weight_g: 420`, `weight: "1.2 kg"`, `sleeps: 4`, `dimensions_cm: "55 × 35 × 23"`. */
function attributeMeasures(key: string, value: string): Measure[] {
  if (!/\d/.test(value)) return []
  const name = key.replaceAll(/[_-]+/g, ' ').toLowerCase()
  const last = name.split(' ').at(-1) ?? ''
  const unitInKey = /^(?:c|f)$/.test(last) ? `°${last}` : /^(?:sleeps|seats|people)$/.test(last) ? 'persons' : last
  const hasUnit = /[\p{L}°"]/u.test(value.replace(/(?<=[\d\s])x(?=[\d\s])/gi, ''))
  const text = !hasUnit && unitOf(unitInKey) ? `${value} ${unitInKey}` : value
  return readMeasures(text).map(({ dimension, value: amount }) => {
    const [aspect] = aspectWords.find(([, pattern]) => dimension === 'length' && pattern.test(name)) ?? ['main']
    const isOther = otherWords.test(name) || attributePatterns[dimension]?.test(name) === false
    return { dimension, aspect: isOther ? 'other' : aspect, value: amount, text: value, attribute: key }
  })
}

function unitOf(name: string): Unit | undefined {
  return units.find(({ pattern }) => pattern.test(name.trim()))
}

function amountOf(amountText: string, { factor, offset = 0 }: Unit): number {
  const amount = numberWords.get(amountText.toLowerCase()) ?? toNumber(amountText)
  return Math.round((amount + offset) * factor * 1000) / 1000
}

/** "20,000" and "1.200" are thousands, "5.3" and "0,75" are not. */
function toNumber(amountText: string): number {
  const plain = amountText.replace('−', '-').replace(/['’ ]/g, '')
  const isGrouped = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(plain)
  return Number(isGrouped ? plain.replace(/[.,]/g, '') : plain.replace(',', '.'))
}

const WORDS_AROUND = 24

function aspectOf(text: string, start: number, end: number, dimension: Dimension): Aspect {
  const before = text.slice(Math.max(0, start - WORDS_AROUND), start)
  const after = text.slice(end, end + WORDS_AROUND / 2)
  const clause = `${before.split(/[,.;،，、。；]/).at(-1)} ${after.split(/[,.;،，、。；]/)[0]}`
  if ((dimension === 'mass' || dimension === 'length') && otherWords.test(clause)) return 'other'
  return dimension === 'length' ? (aspectWords.find(([, pattern]) => pattern.test(clause))?.[0] ?? 'main') : 'main'
}
