// Rows of a table, which our parsers write as "- Norway: Standard 12.90 €, Express 24.90 €". One cell becomes a
// sentence, several become a small Markdown table.
import { languageData, languageOrEnglish, patternByLanguage } from '../../language/languages.ts'
import type { Hit, Passage, Question, Term } from '../types.ts'
import { containsType } from './answer-type.ts'
import { holdsFigure, sharesFigure } from './figure-ranges.ts'
import type { QuestionShape } from './question-shape.ts'
import { termIn, textWords } from './question-terms.ts'
import { type MarkedPart, tableRow, type Unit } from './units.ts'

interface Row {
  unit: Unit
  name: string
  /** Values by column; a missing one is empty. */
  cells: string[]
}

interface Table {
  columns: string[]
  rows: Row[]
}

const FEWEST_ROWS = 2
// A label must begin a cell in this share of the rows.
const LABEL_SHARE = 0.6
const MOST_COLUMNS = 4
const LONGEST_CELL = 80
const MOST_ROWS = 12
const figure = /[\p{N}€$£¥%]/u
const price = /^(?:[€$£¥]\s?[\d.,]+|[\d.,]+\s?(?:[€$£¥]|EUR|USD|GBP|CHF))$/
const asksDuration = patternByLanguage(({ questions }) => questions.expects?.duration)
const duration = patternByLanguage(({ sentences }) => sentences.duration)

/** Null if the marked part is not in a table. */
export function tableText(
  units: Unit[],
  marked: MarkedPart,
  { passage, reading }: Hit,
  question: Question,
  shape: QuestionShape,
): string | null {
  const table = tableAt(units, marked)
  if (!table) return null
  const { language } = passage
  const own = table.rows.filter(({ unit }) => units.indexOf(unit) >= marked.first && units.indexOf(unit) <= marked.last)
  const rows = chooseRows(table, isGeneral(table, passage, question) ? [] : own, question, shape, language)
  const columns = chooseColumns(table, rows, question, shape, language, reading?.span ?? undefined)
  const [row] = rows
  const [column] = columns
  if (rows.length === 1 && columns.length === 1 && row && column !== undefined) {
    return cellSentence(table, row, column, languageOrEnglish(language))
  }
  return markdownTable(table, rows, columns)
}

/** "How long is the warranty?" asks for no row of the table under that heading. */
function isGeneral({ columns, rows }: Table, { title, headings, language }: Passage, { terms }: Question): boolean {
  const about = textWords([title, ...headings, ...columns].join(' '), language)
  return rows.length <= MOST_ROWS && terms.length > 0 && terms.every((term) => termIn(term, about) >= 0.9)
}

function tableAt(units: Unit[], { first }: MarkedPart): Table | null {
  const isRow = (unit: Unit | undefined) => unit?.kind === 'item' && tableRow.test(unit.text)
  if (!isRow(units[first])) return null
  const from = units.findLastIndex((unit, at) => at < first && !isRow(unit)) + 1
  const next = units.findIndex((unit, at) => at > first && !isRow(unit))
  return parseTable(units.slice(from, next < 0 ? undefined : next))
}

/** Null if the rows have no columns in common: then it is a list of "name: description". */
export function parseTable(units: Unit[]): Table | null {
  if (units.length < FEWEST_ROWS) return null
  const rows = units.map((unit) => {
    const [opening = '', name = ''] = tableRow.exec(unit.text) ?? []
    return { unit, name, pieces: unit.text.slice(opening.length).split(', ') }
  })
  const pieces = rows.map((row) => row.pieces)
  const columns = columnsByPlace(pieces) ?? columnLabels(pieces)
  if (columns.length === 0) return null
  return {
    columns,
    rows: rows.map((row) => ({ unit: row.unit, name: row.name, cells: cellsOf(row.pieces, columns) })),
  }
}

/** The words that all cells of a column begin with; null if a value contains a comma, so that places differ. */
function columnsByPlace(rows: string[][]): string[] | null {
  const [first = []] = rows
  if (rows.some((pieces) => pieces.length !== first.length)) return null
  const columns = first.map((_, place) => {
    const cells = rows.map((pieces) => (pieces[place] ?? '').split(' '))
    const longest = Math.min(...cells.map((words) => words.length)) - 1
    const [shared = []] = cells
    const differs = shared.findIndex((word, at) => figure.test(word) || cells.some((words) => words[at] !== word))
    return shared.slice(0, differs < 0 ? longest : Math.min(differs, longest)).join(' ')
  })
  return columns.every((label) => label !== '') ? columns : null
}

/** Words that begin a cell in most rows, before the first figure: "Price per user and month €9". */
function columnLabels(rows: string[][]): string[] {
  const labels: string[] = []
  const holding = (label: string) => rows.filter((row) => row.some((piece) => startsWith(piece, label))).length
  for (const piece of rows.flat()) {
    if (labels.some((label) => startsWith(piece, label))) continue
    const words = piece.split(' ')
    const [first = ''] = words
    const count = figure.test(first) ? 0 : holding(first)
    if (count < Math.max(FEWEST_ROWS, rows.length * LABEL_SHARE)) continue
    // "Answer at once" and "Answer by e-mail" share a column, "Price per month 5" and "Price per month 9" a longer label.
    let length = 1
    while (!figure.test(words[length] ?? '0') && holding(words.slice(0, length + 1).join(' ')) === count) length++
    labels.push(words.slice(0, length).join(' '))
  }
  return labels
}

const startsWith = (piece: string, label: string): boolean => piece.startsWith(`${label} `)

/** "Countries Ireland, France, Parcel £12" has two cells: a value may contain commas. */
function cellsOf(pieces: string[], columns: string[]): string[] {
  const cells = columns.map(() => '')
  let at = -1
  for (const piece of pieces) {
    const places = columns.flatMap((label, place) => (startsWith(piece, label) ? [place] : []))
    const column = places.find((place) => cells[place] === '' && place > at) ?? places[0]
    if (column !== undefined) {
      at = column
      cells[at] = piece.slice((columns[at]?.length ?? 0) + 1)
    } else if (at >= 0) cells[at] += `, ${piece}`
  }
  return cells
}

/** All rows for a question about several; the row for a figure ("an order of 80 euros"); else those named or marked. */
function chooseRows(table: Table, own: Row[], question: Question, shape: QuestionShape, language: string): Row[] {
  const inRange = table.rows.filter(({ name }) => holdsFigure(name, question.text))
  if (inRange.length > 0) return inRange
  const exact = table.rows.filter(({ cells }) => cells.some((cell) => sharesFigure(cell, question.text)))
  if (exact.length === 1) return exact
  const byName = table.rows.filter(({ name }) => isNamed(name, question.terms, language))
  // "Which zone is Spain?": the row that has Spain in one of its cells.
  const byCell = table.rows.filter(({ cells }) => isNamed(cells.join(' '), question.terms, language))
  const named = [byName, byCell].find((rows) => rows.length > 0 && rows.length <= table.rows.length / 2)
  if (!named) return own.length > 0 && (shape === 'fact' || shape === 'yesNo') ? own : table.rows
  return named.length > 1 ? table.rows.filter((row) => named.includes(row) || own.includes(row)) : named
}

/** The columns that the question names, else those with the kind of value it asks for, else the marked one. */
function chooseColumns(
  { columns }: Table,
  rows: Row[],
  question: Question,
  shape: QuestionShape,
  language: string,
  span: { start: number; end: number } | undefined,
): number[] {
  const [row] = rows
  const filled = columns.flatMap((_, at) => (rows.some(({ cells }) => cells[at]) ? [at] : []))
  const named = filled.filter((at) => isNamed(columns[at] ?? '', question.terms, language))
  const isPrice = (at: number) => rows.every(({ cells }) => price.test(cells[at] ?? ''))
  const isTime = (at: number) => rows.some(({ cells }) => duration(language)?.test(cells[at] ?? ''))
  // "How fast is express?" names the column of its price, and the time stands in another.
  const isMissed = asksDuration(question.language)?.test(question.text) && named.every(isPrice) && filled.some(isTime)
  if (named.length > 0) return isMissed ? filled : named
  if (shape === 'list' || rows.length !== 1 || !row) return filled
  // "How fast to Norway?": the cell that names Norway chose the row, and is not what was asked for.
  const asked = filled.filter((at) => !isNamed(row.cells[at] ?? '', question.terms, language))
  const ofType = asked.filter(
    (at) => containsType(question.answerType, row.cells[at] ?? '', question.text, language) === 1,
  )
  const times = asksDuration(question.language)?.test(question.text)
    ? asked.filter((at) => duration(language)?.test(row.cells[at] ?? ''))
    : []
  const typed = times.length > 0 ? times : ofType
  const marked = asked.filter((at) => span && overlaps(row, row.cells[at] ?? '', span))
  const both = marked.filter((at) => typed.length === 0 || typed.includes(at))
  return [both, typed, marked, filled].find((some) => some.length > 0) ?? filled
}

function overlaps({ unit }: Row, cell: string, span: { start: number; end: number }): boolean {
  const at = unit.start + unit.text.indexOf(cell)
  return cell !== '' && span.start < at + cell.length && span.end > at
}

function isNamed(text: string, terms: readonly Term[], language: string): boolean {
  const words = textWords(text, language)
  return terms.some((term) => termIn(term, words) >= 0.9)
}

function cellSentence(
  { columns }: Table,
  { name, cells }: Row,
  column: number,
  language: keyof typeof languageData,
): string {
  const value = cells[column] ?? ''
  const sentence =
    columns.length === 1
      ? `${name}: ${value}`
      : languageData[language].sentences.tableCell
          .replace('{column}', () => columns[column] ?? '')
          .replace('{row}', () => name)
          .replace('{value}', () => value)
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Null if it would not fit into a chat. */
function markdownTable({ columns }: Table, rows: Row[], shown: number[]): string | null {
  const cells = rows.map(({ name, cells: values }) => [name, ...shown.map((at) => values[at] || '–')])
  const isSmall = shown.length <= MOST_COLUMNS && rows.length <= MOST_ROWS
  if (!isSmall || cells.flat().some((cell) => cell.length > LONGEST_CELL)) return null
  const line = (values: string[]) => `| ${values.map((value) => value.replaceAll('|', '/')).join(' | ')} |`
  const head = ['', ...shown.map((at) => columns[at] ?? '')]
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n')
}
