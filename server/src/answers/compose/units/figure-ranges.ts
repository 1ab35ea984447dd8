// Size tables and price bands: a figure in the question within a named range in the content.
import { normalise } from '../../../language/fold.ts'

const range = /(\p{L}{3,})[^\p{L}\p{N}]{0,3}(\d+(?:[.,]\d+)?)\s?[–—-]\s?(\d+(?:[.,]\d+)?)/gu
const figure = /\d+(?:[.,]\d+)?/g

/** Whether the text has a range such as "Chest 94–99" that the question names and whose bounds include its figure. */
export function containsRange(text: string, question: string): boolean {
  const figures = (question.match(figure) ?? []).map(toNumber)
  if (figures.length === 0) return false
  const asked = normalise(question)
  for (const [, name = '', low = '', high = ''] of text.matchAll(range)) {
    if (!asked.includes(normalise(name))) continue
    if (figures.some((value) => value >= toNumber(low) && value <= toNumber(high))) return true
  }
  return false
}

const toNumber = (text: string): number => Number(text.replace(',', '.'))
