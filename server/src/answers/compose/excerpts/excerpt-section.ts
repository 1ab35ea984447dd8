// The part of a section around the reader's marked answer, in whole sentences and list items.
import type { Hit, Term } from '../../types.ts'
import { termIn, textWords } from '../question-terms.ts'
import { bullet, tableRow, type Unit, unitsOf } from '../units/units.ts'
import { dependsOnPrevious } from './depends-on-previous.ts'

const introduces = /[:：]\s*$/
const answerMark = /^(?:A|Answer)\s*[:.]\s+/
const yesOrNo = /^(?:yes|no)\b/i
// Shorter lists are not tables with a row per case.
const fewestRows = 3

export interface RowChoice {
  /** Rows with one of these in their names are shown, … */
  terms: readonly Term[]
  /** … if there are at least so many; otherwise the whole table. */
  fewest: number
}

/**
 * At most this many words, unless a single sentence is longer; always includes the marked answer. From a table, it takes
 * only the marked row and those chosen.
 */
export function excerptSection(hit: Hit, choice: RowChoice, maxWords: number): string {
  const units = unitsOf(hit)
  const marked = markedUnits(units, hit)
  if (!marked) return ''
  const rows = tableRows(units, marked, choice, hit.passage.language)
  if (rows && countWords(rows) <= maxWords) return rows
  let { first, last } = marked
  const size = (from: number, to: number) =>
    units.slice(from, to + 1).reduce((sum, { text }) => sum + countWords(text), 0)
  const fits = (from: number, to: number) => from >= 0 && to < units.length && size(from, to) <= maxWords
  // Add what the answer depends on, then what follows it, then what precedes it.
  while (first > 0 && needsPrevious(units, first, hit.passage.language) && fits(first - 1, last)) first--
  while (fits(first, last + 1)) last++
  while (fits(first - 1, last)) first--
  while (last > marked.last && introduces.test(units[last]?.text ?? '')) last--
  const opening = openingOf(units, first)
  const from = units[first]?.start ?? 0
  const end = units[last]
  const body = hit.passage.text.slice(from, end ? end.start + end.text.length : undefined).trim()
  const whole = [opening, body].filter(Boolean).join('\n').replace(answerMark, '')
  return cutWords(countWords(whole) > maxWords ? body.replace(answerMark, '') : whole, maxWords)
}

/** The marked answer and the chosen rows of its table, with their introduction; null if there is no choice. */
function tableRows(units: Unit[], marked: Marked, choice: RowChoice, language: string): string | null {
  if (!isRow(units[marked.first])) return null
  const names = units.filter(isRow).map(rowName)
  // Repeated names mean that the rows are in groups, under lines of their own.
  if (new Set(names).size < names.length) return null
  const start = units.findLastIndex(({ kind }, at) => at < marked.first && kind !== 'item') + 1
  const next = units.findIndex(({ kind }, at) => at > marked.first && kind !== 'item')
  const rows = units.slice(start, next < 0 ? undefined : next).filter(isRow)
  const named = namedRows(rows, choice, language)
  if (named.length === 0) return null
  const kept = units.filter((unit, at) => named.includes(unit) || (at >= marked.first && at <= marked.last))
  const lines = new Set([openingOf(units, start), units[start - 1]?.text, ...kept.map(({ text }) => text)])
  const shown = [...lines].filter(Boolean)
  return (shown.length === 1 ? shown.join().replace(bullet, '') : shown.join('\n')).replace(answerMark, '')
}

const isRow = (unit: Unit | undefined): boolean => unit?.kind === 'item' && tableRow.test(unit.text)
const rowName = ({ text }: Unit): string => tableRow.exec(text)?.[1] ?? ''

/** None if most rows are named. */
function namedRows(rows: Unit[], { terms, fewest }: RowChoice, language: string): Unit[] {
  if (rows.length < fewestRows) return []
  const named = rows.filter((row) => {
    const name = textWords(rowName(row), language)
    return terms.some((term) => termIn(term, name) >= 0.9)
  })
  return named.length >= fewest && named.length <= rows.length / 2 ? named : []
}

interface Marked {
  first: number
  last: number
}

function markedUnits(units: Unit[], { passage, reading }: Hit): Marked | null {
  if (units.length === 0) return null
  const span = reading?.span ?? { start: 0, end: passage.text.length > 0 ? 1 : 0 }
  const at = (place: number) =>
    Math.max(
      0,
      units.findLastIndex(({ start }) => start <= place),
    )
  const first = at(span.start)
  return { first, last: Math.max(first, at(span.end - 1)) }
}

/** A sentence that opens with "It", or the first list item after its introduction. */
function needsPrevious(units: Unit[], at: number, language: string): boolean {
  const unit = units[at]
  const before = units[at - 1]
  if (!unit || !before) return false
  if (unit.kind === 'sentence') return dependsOnPrevious(unit.text, language)
  return before.kind !== 'sentence' || introduces.test(before.text)
}

/** A "yes" or "no", or a list's introduction, that must be kept when the excerpt starts later. */
function openingOf(units: Unit[], first: number): string {
  const opening = units[0]
  if (first === 0 || !opening) return ''
  if (opening.kind === 'sentence' && yesOrNo.test(opening.text.replace(answerMark, ''))) return opening.text
  if (units[first]?.kind === 'sentence') return ''
  const introduction = units.slice(0, first).findLast(({ kind }) => kind === 'sentence')
  return introduction && introduces.test(introduction.text) ? introduction.text : ''
}

/** For a sentence longer than the limit. */
function cutWords(text: string, most: number): string {
  if (countWords(text) <= most) return text
  const end = [...text.matchAll(/\s+/g)][most - 1]?.index ?? text.length
  return `${text.slice(0, end)}…`
}

export function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}
