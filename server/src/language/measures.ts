// Numbers with units in a text, in one unit per dimension, so that "1.2 kg", "1200 g" and "2.6 lb" can be compared.

export type Dimension = (typeof dimensions)[number]
/** What of a thing is measured: "main" where nothing else is said; "other" is no measure of the thing itself. */
export type Aspect = (typeof aspects)[number]

export interface Measure {
  dimension: Dimension
  aspect: Aspect
  value: number
  /** As it is written. */
  text: string
  /** The attribute that tells it. */
  attribute?: string
}

export interface FoundMeasure extends Measure {
  start: number
  end: number
}

export const dimensions = [
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
export const aspects = ['main', 'other', 'length', 'width', 'height', 'depth', 'diameter'] as const

interface Unit {
  dimension: Dimension
  /** How many of the base unit (g, mm, ml, W, mAh, °C, lm, person, hour) it is. */
  factor: number
  offset?: number
}

const unitTable: readonly (readonly [names: string, dimension: Dimension, factor: number, offset?: number])[] = [
  ['mg', 'mass', 0.001],
  ['g|gr|grams?|gramm', 'mass', 1],
  ['kg|kgs|kilos?|kilograms?|kilogramm', 'mass', 1000],
  ['oz|ounces?', 'mass', 28.35],
  ['lbs?|pounds?', 'mass', 453.6],
  ['mm|millimet(?:er|re)s?', 'length', 1],
  ['cm|centimet(?:er|re)s?|zentimeter', 'length', 10],
  ['m|met(?:er|re)s?|mètres?|metros?', 'length', 1000],
  // "3 in stock" is no length.
  ['in(?!\\s+\\p{L})|inch|inches|zoll|"|″|”', 'length', 25.4],
  ['ft|foot|feet', 'length', 304.8],
  ['ml|millilit(?:er|re)s?', 'volume', 1],
  ['cl', 'volume', 10],
  ['l|lit(?:er|re)s?|litros?', 'volume', 1000],
  ['w|watts?', 'power', 1],
  ['kw|kilowatts?', 'power', 1000],
  ['mah', 'charge', 1],
  ['ah', 'charge', 1000],
  ['°\\s?c|º\\s?c|degrees? c(?:elsius)?|grad(?: celsius)?|celsius|°(?!\\s?[fc])|degrees?', 'temperature', 1],
  ['°\\s?f|º\\s?f|degrees? f(?:ahrenheit)?|fahrenheit', 'temperature', 5 / 9, -32],
  ['lm|lumens?', 'light', 1],
  ['persons?|people|ppl|personen|personnes?|personas?|adults?|seats?|sleepers?', 'persons', 1],
  ['hours?|hrs?|h|stunden?|heures?|horas?', 'duration', 1],
  ['days?|tagen?|jours?|d[ií]as?', 'duration', 24],
]
const units = unitTable.map(([names, dimension, factor, offset = 0]): Unit & { pattern: RegExp } => ({
  dimension,
  factor,
  offset,
  pattern: new RegExp(`^(?:${names})$`, 'iu'),
}))
// The longer names first, so that "degrees fahrenheit" is not taken for "degrees".
const unitNames = unitTable
  .flatMap(([names]) => names.split(/\|(?![^(]*\))/))
  .sort((a, b) => b.length - a.length)
  .join('|')

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const figure = String.raw`(?:(?<![\p{L}\d])[-−])?\d{1,9}(?:[.,'’ ]\d{3}(?!\d)){0,3}(?:[.,]\d{1,4})?`
const number = String.raw`(?<![\p{L}\d.,])(?:${figure}|(?:${numberWords.join('|')})(?!\p{L}))`
const unitEnd = String.raw`(?![\p{L}\d²³]|/\p{L})`
// A unit may stand behind the last of several numbers: "55 × 35 × 23 cm".
const quantity = new RegExp(String.raw`(sleeps |seats |für )?(${number})(?:\s?-?\s?(${unitNames})${unitEnd})?`, 'giu')
const joint = /^\s?(?:[x×–—/-]|to|by|and|or|bis|und|oder|,)\s?$/i

const aspectWords: readonly (readonly [Aspect, RegExp])[] = [
  ['width', /\b(?:width|wider?|narrow(?:er)?|breite?r?|largeur|ancho)\b/i],
  ['height', /\b(?:height|high(?:er)?|tall(?:er)?|h[oö]he|hoch|hauteur|alto)\b/i],
  ['depth', /\b(?:depth|deep(?:er)?|tiefe?r?|profondeur)\b/i],
  ['diameter', /\b(?:diameter|durchmesser|diam[eè]tre)\b/i],
  ['length', /\b(?:length|long(?:er|est)?|short(?:er|est)?|l[aä]nger?|kürzer|longueur|largo)\b/i],
]
// A load that is carried is not the weight of what carries it, and a water column is no length of a jacket.
const otherWords =
  /\b(?:load|loads|carr(?:y|ies)|supports?|max|up to|children|users?|beans|contents?|filling|fill|waterproof|water column|hydrostatic|accuracy|range|drop|away|laptop|display|screen|window|tragkraft|belast\w*|wassersäule|reichweite)\b/i
const measured: Partial<Record<Dimension, RegExp>> = {
  mass: /weight|weigh|mass|gewicht|poids|peso/i,
  length: /dimension|size|measure|length|width|height|depth|diameter|ma(?:ß|ss)e|länge|breite|höhe|tiefe/i,
}

/** Every measure of a text, in the order of the text. */
export function readMeasures(text: string): FoundMeasure[] {
  const found: FoundMeasure[] = []
  let waiting: RegExpExecArray[] = []
  for (const match of text.matchAll(quantity)) {
    const last = waiting.at(-1)
    if (last && !joint.test(text.slice(last.index + last[0].length, match.index))) waiting = []
    waiting.push(match)
    // "Sleeps 4", "seats six": the unit goes without saying.
    const unit = unitOf(match[3] ?? (match[1] ? 'persons' : ''))
    if (!unit) continue
    const [start, end] = [waiting[0]?.index ?? match.index, match.index + match[0].length]
    const said = { dimension: unit.dimension, aspect: aspectOf(text, start, end, unit.dimension) }
    const position = { text: text.slice(start, end).trim(), start, end }
    for (const [, , written = ''] of waiting) {
      const value = amountOf(written, unit)
      if (Number.isFinite(value)) found.push({ ...said, ...position, value })
    }
    waiting = []
  }
  return found
}

/** The measures of a thing: its attributes, and for a dimension that they leave open, its description. */
export function measuresOf(thing: { attributes: Record<string, string | string[]>; description: string }): Measure[] {
  const own = Object.entries(thing.attributes).flatMap(([key, value]) => attributeMeasures(key, String(value)))
  const told = new Set(own.filter(({ aspect }) => aspect !== 'other').map(({ dimension }) => dimension))
  const described = readMeasures(thing.description).filter(({ dimension }) => !told.has(dimension))
  return [...own, ...described.map(({ dimension, aspect, value, text }) => ({ dimension, aspect, value, text }))]
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
    const isOther = otherWords.test(name) || measured[dimension]?.test(name) === false
    return { dimension, aspect: isOther ? 'other' : aspect, value: amount, text: value, attribute: key }
  })
}

function unitOf(name: string): Unit | undefined {
  return units.find(({ pattern }) => pattern.test(name.trim()))
}

function amountOf(written: string, { factor, offset = 0 }: Unit): number {
  const word = numberWords.indexOf(written.toLowerCase())
  return Math.round(((word >= 0 ? word + 1 : toNumber(written)) + offset) * factor * 1000) / 1000
}

/** "20,000" and "1.200" are thousands, "5.3" and "0,75" are not. */
function toNumber(written: string): number {
  const plain = written.replace('−', '-').replace(/['’ ]/g, '')
  const grouped = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(plain)
  return Number(grouped ? plain.replace(/[.,]/g, '') : plain.replace(',', '.'))
}

const WORDS_AROUND = 24

function aspectOf(text: string, start: number, end: number, dimension: Dimension): Aspect {
  const before = text.slice(Math.max(0, start - WORDS_AROUND), start)
  const after = text.slice(end, end + WORDS_AROUND / 2)
  const clause = `${before.split(/[,.;]/).at(-1)} ${after.split(/[,.;]/)[0]}`
  if ((dimension === 'mass' || dimension === 'length') && otherWords.test(clause)) return 'other'
  return dimension === 'length' ? (aspectWords.find(([, pattern]) => pattern.test(clause))?.[0] ?? 'main') : 'main'
}
