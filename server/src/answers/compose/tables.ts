// Rows of a table, which our parsers write as "- Norway: Standard 12.90 €, Express 24.90 €". One cell becomes a
// sentence, several become a small Markdown table.
import { languageData, languageOrEnglish, patternByLanguage } from '../../language/languages.ts'
import type { Hit, Passage, Question, Term } from '../types.ts'
import { containsType } from './answer-type.ts'
import { holdsFigure, sharesFigure } from './figure-ranges.ts'
import { mayCompare, type QuestionShape } from './question-shape.ts'
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
const MOST_SIDES = 3
const figure = /[\p{N}€$£¥%]/u
const sign = /^[^\p{L}\p{N}€$£¥%]+$/u
const startsLower = /^\p{Ll}/u
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
  const compared = mayCompare(question) ? comparedTable(table, question, language) : null
  if (compared) return compared
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

/** Two or three named rows or columns side by side, one line for each point in which they differ. */
function comparedTable({ columns, rows }: Table, question: Question, language: string): string | null {
  const terms = question.own?.terms ?? question.terms
  const named = sidesOf(rows, ({ name }) => name, terms, language)
  if (named) {
    const points = columns.map((name, at) => ({ name, cells: named.map(({ cells }) => cells[at] ?? '') }))
    return pointTable(
      named.map(({ name }) => name),
      points,
    )
  }
  // "How much more storage than on Free?" names the other side in an earlier question.
  const places = columns.map((name, at) => ({ name, at }))
  const sides =
    sidesOf(places, ({ name }) => name, terms, language) ??
    sidesOf(places, ({ name }) => name, question.terms, language)
  const asked = closest(rows, ({ name }) => namedTerms(name, terms, language))
  const lines = asked.length > 0 ? asked : rows
  const points = lines.map(({ name, cells }) => ({ name, cells: (sides ?? []).map(({ at }) => cells[at] ?? '') }))
  return (
    sides &&
    pointTable(
      sides.map(({ name }) => name),
      points,
    )
  )
}

/** The entries that a question compares: each named by a word that the others lack. */
function sidesOf<Entry>(
  entries: Entry[],
  nameOf: (entry: Entry) => string,
  terms: readonly Term[],
  language: string,
): Entry[] | null {
  const named = entries.map((entry) => ({ entry, terms: namedTerms(nameOf(entry), terms, language) }))
  const isSide = ({ terms: own }: { terms: Term[] }) =>
    own.some((term) => named.filter((other) => other.terms.includes(term)).length === 1)
  const sides = named.filter(isSide).map(({ entry }) => entry)
  return sides.length >= 2 && sides.length <= MOST_SIDES ? sides : null
}

function pointTable(sides: string[], points: { name: string; cells: string[] }[]): string | null {
  const different = points.filter(({ cells }) => new Set(cells).size > 1)
  const shown = different.length > 0 ? different : points
  return markdownLines(
    ['', ...sides],
    shown.map(({ name, cells }) => [name, ...cells.map((cell) => cell || '–')]),
  )
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
    return labelOf(shared, differs < 0 ? longest : Math.min(differs, longest))
  })
  return columns.every(isLabel) ? columns : null
}

/** In "Mac Cmd + N" and "Mac Cmd + K" the label ends before the sign's left side: "Mac". */
function labelOf(words: string[], length: number): string {
  const signs = words.slice(0, length + 1).findIndex((word) => sign.test(word))
  return words.slice(0, signs > 0 ? signs - 1 : length).join(' ')
}

/** Not so in "- for e-bikes: you must be at least 16", a list whose items begin alike. */
const isLabel = (label: string): boolean => label !== '' && !startsLower.test(label)

/** Words that begin a cell in most rows, before the first figure: "Price per user and month €9". */
function columnLabels(rows: string[][]): string[] {
  const labels: string[] = []
  const holding = (label: string) => rows.filter((row) => row.some((piece) => startsWith(piece, label))).length
  const enough = Math.max(FEWEST_ROWS, rows.length * LABEL_SHARE)
  for (const piece of rows.flat()) {
    const words = piece.split(' ')
    // "Parcel £12, Parcel time 4 days": a label may begin with another one, if a row has both.
    const known = labels.find((label) => startsWith(piece, label))
    const least = known ? known.split(' ').length + 1 : 1
    const opening = words.slice(0, least).join(' ')
    const count = figure.test(words[least - 1] ?? '0') || !isLabel(opening) ? 0 : holding(opening)
    if (count < enough || (known && !rows.every((row) => besides(row, opening, known)))) continue
    // "Answer at once" and "Answer by e-mail" share a column, "Price per month 5" and "Price per month 9" a longer label.
    let length = least
    while (!figure.test(words[length] ?? '0') && holding(words.slice(0, length + 1).join(' ')) === count) length++
    labels.push(labelOf(words, length))
  }
  return labels
}

/** Whether a row has a cell with the longer label and another with the shorter one. */
const besides = (row: string[], longer: string, shorter: string): boolean =>
  row.some((piece) => startsWith(piece, longer)) &&
  row.some((piece) => startsWith(piece, shorter) && !startsWith(piece, longer))

const startsWith = (piece: string, label: string): boolean => piece.startsWith(`${label} `)

/** "Countries Ireland, France, Parcel £12" has two cells: a value may contain commas. */
function cellsOf(pieces: string[], columns: string[]): string[] {
  const cells = columns.map(() => '')
  let at = -1
  for (const piece of pieces) {
    const places = columns.flatMap((label, place) => (startsWith(piece, label) ? [place] : []))
    const longest = Math.max(...places.map((place) => columns[place]?.length ?? 0))
    const closest = places.filter((place) => columns[place]?.length === longest)
    const column = closest.find((place) => cells[place] === '' && place > at) ?? closest[0]
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
  const isForMarked = own.length > 0 && (shape === 'fact' || shape === 'yesNo')
  const inQuestion = namedRows(table, question.own?.terms ?? question.terms, language)
  const named = inQuestion ?? namedRows(table, question.terms, language)
  if (!named) return isForMarked ? own : table.rows
  // Words of earlier questions may name another row than the one that answers this one.
  const isInDoubt = named.length > 1 || !inQuestion
  return isInDoubt ? table.rows.filter((row) => named.includes(row) || own.includes(row)) : named
}

/** Rows by their name, else by a cell: "Which zone is Spain?" */
function namedRows({ rows }: Table, terms: readonly Term[], language: string): Row[] | undefined {
  const byName = closest(rows, ({ name }) => namedTerms(name, terms, language))
  const byCell = closest(rows, ({ cells }) => namedTerms(cells.join(' '), terms, language))
  return [byName, byCell].find((some) => some.length > 0 && some.length <= rows.length / 2)
}

/** Without those that have fewer of the same words: of "Insert link" and "Insert table" only the latter. */
function closest(rows: Row[], termsOf: (row: Row) => Term[]): Row[] {
  const named = rows.map((row) => ({ row, terms: termsOf(row) })).filter(({ terms }) => terms.length > 0)
  const isSurpassed = (terms: Term[]) =>
    named.some((other) => other.terms.length > terms.length && terms.every((term) => other.terms.includes(term)))
  return named.filter(({ terms }) => !isSurpassed(terms)).map(({ row }) => row)
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
  const namedBy = (terms: readonly Term[]) => filled.filter((at) => isNamed(columns[at] ?? '', terms, language))
  const inQuestion = namedBy(question.own?.terms ?? question.terms)
  const named = inQuestion.length > 0 ? inQuestion : namedBy(question.terms)
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
  return namedTerms(text, terms, language).length > 0
}

function namedTerms(text: string, terms: readonly Term[], language: string): Term[] {
  const words = textWords(text, language)
  return terms.filter((term) => termIn(term, words) >= 0.9)
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

function markdownTable({ columns }: Table, rows: Row[], shown: number[]): string | null {
  const lines = rows.map(({ name, cells }) => [name, ...shown.map((at) => cells[at] || '–')])
  return markdownLines(['', ...shown.map((at) => columns[at] ?? '')], lines)
}

/** Null if it would not fit into a chat. */
function markdownLines(head: string[], lines: string[][]): string | null {
  const isSmall = head.length <= MOST_COLUMNS + 1 && lines.length <= MOST_ROWS
  if (!isSmall || lines.flat().some((cell) => cell.length > LONGEST_CELL)) return null
  const line = (values: string[]) => `| ${values.map((value) => value.replaceAll('|', '/')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}
