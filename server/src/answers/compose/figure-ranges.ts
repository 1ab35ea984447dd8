// Size tables and price bands: a figure in the question within a range in the content.
import { normalise } from '../../language/fold.ts'
import { inAnyLanguage } from '../../language/languages.ts'

const NUMBER = String.raw`(\d+(?:[.,]\d+)*)`
/** Before or after an amount, besides the codes of currencies. */
export const CURRENCY_SIGN = String.raw`(?:R\$|\p{Sc}|zł|kr\.?|руб\.?|TL|元|円)`
const UNIT = String.raw`\s?${CURRENCY_SIGN}?\s?`
const TO = inAnyLanguage(({ sentences }) => sentences.range?.to)
const NAMED_RANGE = new RegExp(String.raw`(\p{L}{3,})[^\p{L}\p{N}]{0,3}${NUMBER}\s?[–—-]\s?${NUMBER}`, 'gu')
const RANGE = new RegExp(`${NUMBER}${UNIT}(?:[–—-]|${TO})${UNIT}${NUMBER}`, 'iu')
const UP_TO = new RegExp(`(?:${inAnyLanguage(({ sentences }) => sentences.range?.upTo)}|<)${UNIT}${NUMBER}`, 'iu')
const OVER = new RegExp(`(?:${inAnyLanguage(({ sentences }) => sentences.range?.over)}|>)${UNIT}${NUMBER}`, 'iu')
const FIGURE = /\d+(?:[.,]\d+)*/g

/** Whether the text has a range such as "Chest 94–99" that the question names and whose bounds include its figure. */
export function containsRange(text: string, question: string): boolean {
  const figures = figuresIn(question)
  if (figures.length === 0) return false
  const questionText = normalise(question)
  for (const [, name = '', low = '', high = ''] of text.matchAll(NAMED_RANGE)) {
    if (!questionText.includes(normalise(name))) continue
    if (figures.some((value) => value >= toNumber(low) && value <= toNumber(high))) return true
  }
  return false
}

/** Whether a table row's name is a range that includes a figure of the question: "€50 to €100", "over 100 €". */
export function holdsFigure(name: string, question: string): boolean {
  const figures = figuresIn(question)
  if (figures.length === 0) return false
  const [, low, high] = RANGE.exec(name) ?? []
  if (low && high) return figures.some((value) => value >= toNumber(low) && value <= toNumber(high))
  const [, most] = UP_TO.exec(name) ?? []
  if (most) return figures.some((value) => value <= toNumber(most))
  const [, least] = OVER.exec(name) ?? []
  return least !== undefined && figures.some((value) => value >= toNumber(least))
}

/** Whether a table row's name is itself an amount or a range: "up to €50", "3 to 5 kg". */
export function isRange(name: string): boolean {
  return [RANGE, UP_TO, OVER].some((pattern) => pattern.test(name))
}

/** Whether a cell has a figure of the question: the row for "26.5 cm". */
export function sharesFigure(cell: string, question: string): boolean {
  const questionFigures = figuresIn(question)
  return figuresIn(cell).some((value) => questionFigures.includes(value))
}

const figuresIn = (text: string): number[] => (text.match(FIGURE) ?? []).map(toNumber)

/** "1.299,00" and "1,299.00": the last mark is the decimal one, unless three digits follow. */
function toNumber(text: string): number {
  const decimal = /[.,](\d{1,2})$/.exec(text)
  const whole = text.slice(0, decimal?.index).replace(/[.,]/g, '')
  return Number(decimal ? `${whole}.${decimal[1]}` : whole)
}
