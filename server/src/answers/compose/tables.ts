// Rows of a table, which our parsers write as "- Norway: Standard 12.90 €, Express 24.90 €". One cell becomes a
// sentence, several become a small Markdown table.
import { languageData, languageOrEnglish, patternByLanguage } from '../../language/languages.ts'
import { punctuationOf } from '../../language/punctuation.ts'
import { policy } from '../policy.ts'
import type { Hit, Passage, Question, Term } from '../types.ts'
import { containsType } from './answer-type.ts'
import { CURRENCY_SIGN, isRange, sharesFigure } from './figure-ranges.ts'
import { mayCompare, type QuestionShape } from './question-shape.ts'
import { hasTerm, textWords } from './question-terms.ts'
import { countWords, isRowFor, type MarkedPart, MORE, TABLE_ROW, type Unit } from './units.ts'

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
const CURRENCY = `(?:${CURRENCY_SIGN}|EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|TRY|RUB|BRL)`
const AMOUNT = String.raw`\d(?:[\d.,\s]*\d)?(?:[.,][-–])?`
/** A word of a cell that begins its value. */
const FIGURE = new RegExp(String.raw`[\p{N}\p{Sc}%]|^${CURRENCY}$`, 'u')
// A slash joins two words of a label, a plus two keys.
const SIGN = /^[^\p{L}\p{N}\p{Sc}%/&]+$/u
const STARTS_LOWER = /^\p{Ll}/u
const PRICE = new RegExp(String.raw`^(?:${CURRENCY}\s?${AMOUNT}|${AMOUNT}\s?${CURRENCY})$`, 'u')
const asksDuration = patternByLanguage(({ questions }) => questions.expects?.duration)
const priceColumn = patternByLanguage(({ sentences }) => sentences.priceColumn)
const plainColumn = patternByLanguage(({ sentences }) => sentences.plainColumn)
const duration = patternByLanguage(({ sentences }) => sentences.duration)

/** Null if the marked part is not in a table. */
export function tableText(
  units: Unit[],
  part: MarkedPart,
  { passage, reading }: Hit,
  question: Question,
  shape: QuestionShape,
): string | null {
  const table = tableAt(units, part)
  if (!table) return null
  const { language } = passage
  const comparison = mayCompare(question) ? comparedTable(table, question, language) : null
  if (comparison) return comparison
  const markedRows = table.rows.filter(
    ({ unit }) => units.indexOf(unit) >= part.first && units.indexOf(unit) <= part.last,
  )
  const chosenRows = chooseRows(table, isGeneral(table, passage, question) ? [] : markedRows, question, shape, language)
  const isTooMany = chosenRows.length > MOST_ROWS && shape !== 'list' && markedRows.length > 0
  const rows = isTooMany ? markedRows : chosenRows
  const columns = chooseColumns(table, rows, question, shape, language, reading?.span ?? undefined)
  const [row] = rows
  const [column] = columns
  if (rows.length === 1 && columns.length === 1 && row && column !== undefined) {
    return cellSentence(table, row, column, languageOrEnglish(language))
  }
  const isChosen = rows.length < table.rows.length || shape === 'list' || markedRows.length === 0
  return markdownTable(table, rows, columns) ?? cellLists(table, isChosen ? rows : markedRows, columns, language)
}

/** Two or three named rows or columns side by side, one line for each point in which they differ. */
function comparedTable({ columns, rows }: Table, question: Question, language: string): string | null {
  const terms = question.own?.terms ?? question.terms
  const comparedRows = sidesOf(rows, ({ name }) => name, terms, language)
  if (comparedRows) {
    const points = columns.map((name, at) => ({ name, cells: comparedRows.map(({ cells }) => cells[at] ?? '') }))
    return pointTable(
      comparedRows.map(({ name }) => name),
      points,
    )
  }
  // "How much more storage than on Free?" names the other side in an earlier question.
  const places = columns.map((name, at) => ({ name, at }))
  const sides =
    sidesOf(places, ({ name }) => name, terms, language) ??
    sidesOf(places, ({ name }) => name, question.terms, language)
  const closestRows = closest(rows, ({ name }) => namedTerms(name, terms, language))
  const lines = closestRows.length > 0 ? closestRows : rows
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
  const entryTerms = entries.map((entry) => ({ entry, terms: namedTerms(nameOf(entry), terms, language) }))
  const isSide = ({ terms: ownTerms }: { terms: Term[] }) =>
    ownTerms.some((term) => entryTerms.filter((other) => other.terms.includes(term)).length === 1)
  const sides = entryTerms.filter(isSide).map(({ entry }) => entry)
  return sides.length >= 2 && sides.length <= MOST_SIDES ? sides : null
}

function pointTable(sides: string[], points: { name: string; cells: string[] }[]): string | null {
  const different = points.filter(({ cells }) => new Set(cells).size > 1)
  const visiblePoints = different.length > 0 ? different : points
  return markdownLines(
    ['', ...sides],
    visiblePoints.map(({ name, cells }) => [name, ...cells.map((cell) => cell || '–')]),
  )
}

/** "How long is the warranty?" asks for no row of the table under that heading. */
function isGeneral({ columns, rows }: Table, { title, headings, language }: Passage, { terms }: Question): boolean {
  const about = textWords([title, ...headings, ...columns].join(' '), language)
  return rows.length <= MOST_ROWS && terms.length > 0 && terms.every((term) => hasTerm(term, about))
}

function tableAt(units: Unit[], { first }: MarkedPart): Table | null {
  const isRow = (unit: Unit | undefined) => unit?.kind === 'item' && TABLE_ROW.test(unit.text)
  if (!isRow(units[first])) return null
  const from = units.findLastIndex((unit, at) => at < first && !isRow(unit)) + 1
  const next = units.findIndex((unit, at) => at > first && !isRow(unit))
  return parseTable(units.slice(from, next < 0 ? undefined : next))
}

/** Null if the rows have no columns in common: then it is a list of "name: description". */
function parseTable(units: Unit[]): Table | null {
  if (units.length < FEWEST_ROWS) return null
  const rows = units.map((unit) => {
    const [opening = '', name = ''] = TABLE_ROW.exec(unit.text) ?? []
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
    const [firstWords = []] = cells
    const differs = firstWords.findIndex((word, at) => FIGURE.test(word) || cells.some((words) => words[at] !== word))
    return labelOf(firstWords, differs < 0 ? longest : Math.min(differs, longest))
  })
  return columns.every(isLabel) ? columns : null
}

/** In "Mac Cmd + N" and "Mac Cmd + K" the label ends before the sign's left side: "Mac". */
function labelOf(words: string[], length: number): string {
  const signs = words.slice(0, length + 1).findIndex((word) => SIGN.test(word))
  return words.slice(0, signs > 0 ? signs - 1 : length).join(' ')
}

/** Not so in "- for e-bikes: you must be at least 16", a list whose items begin alike. */
const isLabel = (label: string): boolean => label !== '' && !STARTS_LOWER.test(label)

/** Words that begin a cell in most rows, before the first figure: "Price per user and month €9". */
function columnLabels(rows: string[][]): string[] {
  const labels: string[] = []
  const countRowsWith = (label: string) => rows.filter((row) => row.some((piece) => startsWith(piece, label))).length
  const enough = Math.max(FEWEST_ROWS, rows.length * LABEL_SHARE)
  for (const piece of rows.flat()) {
    const words = piece.split(' ')
    // "Parcel £12, Parcel time 4 days": a label may begin with another one, if a row has both.
    const knownLabel = labels.find((label) => startsWith(piece, label))
    const least = knownLabel ? knownLabel.split(' ').length + 1 : 1
    const opening = words.slice(0, least).join(' ')
    const count = FIGURE.test(words[least - 1] ?? '0') || !isLabel(opening) ? 0 : countRowsWith(opening)
    if (count < enough || (knownLabel && !rows.every((row) => besides(row, opening, knownLabel)))) continue
    // "Answer at once" and "Answer by e-mail" share a column, "Price per month 5" and "Price per month 9" a longer label.
    let length = least
    while (!FIGURE.test(words[length] ?? '0') && countRowsWith(words.slice(0, length + 1).join(' ')) === count) length++
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
function chooseRows(
  table: Table,
  markedRows: Row[],
  question: Question,
  shape: QuestionShape,
  language: string,
): Row[] {
  const inRange = table.rows.filter(({ unit }) => isRowFor(unit.text, question.text))
  if (inRange.length > 0) return inRange
  const exact = table.rows.filter(({ cells }) => cells.some((cell) => sharesFigure(cell, question.text)))
  if (exact.length === 1) return exact
  const isForMarked = markedRows.length > 0 && (shape === 'fact' || shape === 'yesNo')
  const inQuestion = namedRows(table, question.own?.terms ?? question.terms, language)
  const matchingRows = inQuestion ?? namedRows(table, question.terms, language)
  if (!matchingRows) return isForMarked ? markedRows : table.rows
  // Words of earlier questions may name another row than the one that answers this one.
  const isInDoubt = matchingRows.length > 1 || !inQuestion
  return isInDoubt ? table.rows.filter((row) => matchingRows.includes(row) || markedRows.includes(row)) : matchingRows
}

/** Rows by their name, else by a cell: "Which zone is Spain?" */
function namedRows({ rows }: Table, terms: readonly Term[], language: string): Row[] | undefined {
  const byName = closest(rows, ({ name }) => namedTerms(name, terms, language))
  const byCell = closest(rows, ({ cells }) => namedTerms(cells.join(' '), terms, language))
  return [byName, byCell].find((some) => some.length > 0 && some.length <= rows.length / 2)
}

/** Without those that have fewer of the same words: of "Insert link" and "Insert table" only the latter. */
function closest(rows: Row[], termsOf: (row: Row) => Term[]): Row[] {
  const rowTerms = rows.map((row) => ({ row, terms: termsOf(row) })).filter(({ terms }) => terms.length > 0)
  const isSurpassed = (terms: Term[]) =>
    rowTerms.some((other) => other.terms.length > terms.length && terms.every((term) => other.terms.includes(term)))
  return rowTerms.filter(({ terms }) => !isSurpassed(terms)).map(({ row }) => row)
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
  const filledColumns = columns.flatMap((_, at) => (rows.some(({ cells }) => cells[at]) ? [at] : []))
  const namedBy = (terms: readonly Term[]) => filledColumns.filter((at) => isNamed(columns[at] ?? '', terms, language))
  const inQuestion = namedBy(question.own?.terms ?? question.terms)
  const namedColumns = inQuestion.length > 0 ? inQuestion : namedBy(question.terms)
  const isPrice = (at: number) => rows.every(({ cells }) => PRICE.test(cells[at] ?? ''))
  const isTime = (at: number) => rows.some(({ cells }) => duration(language)?.test(cells[at] ?? ''))
  // "How fast is express?" names the column of its price, and the time stands in another.
  const isMissed =
    asksDuration(question.language)?.test(question.text) && namedColumns.every(isPrice) && filledColumns.some(isTime)
  if (namedColumns.length > 0) return isMissed ? filledColumns : namedColumns
  if (shape === 'list' || rows.length !== 1 || !row) return filledColumns
  // "How fast to Norway?": the cell that names Norway chose the row, and is not what was asked for.
  const openColumns = filledColumns.filter((at) => !isNamed(row.cells[at] ?? '', question.terms, language))
  const ofType = openColumns.filter(
    (at) => containsType(question.answerType, row.cells[at] ?? '', question.text, language) === 1,
  )
  const times = asksDuration(question.language)?.test(question.text)
    ? openColumns.filter((at) => duration(language)?.test(row.cells[at] ?? ''))
    : []
  const typedColumns = times.length > 0 ? times : ofType
  const markedColumns = openColumns.filter((at) => span && overlaps(row, row.cells[at] ?? '', span))
  const both = markedColumns.filter((at) => typedColumns.length === 0 || typedColumns.includes(at))
  return [both, typedColumns, markedColumns, filledColumns].find((some) => some.length > 0) ?? filledColumns
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
  return terms.filter((term) => hasTerm(term, words))
}

function cellSentence(
  { columns }: Table,
  { name, cells }: Row,
  column: number,
  language: keyof typeof languageData,
): string {
  const value = cells[column] ?? ''
  const label = columns[column] ?? ''
  const { tableCell, tablePrice } = languageData[language].sentences
  const unit = PRICE.test(value) ? priceColumn(language)?.exec(label)?.[1] : undefined
  const isPlain = columns.length === 1 || plainColumn(language)?.test(label)
  const { colon, stop } = punctuationOf(language)
  // "The price for up to €50 is €4."
  const pricePattern = isRange(name) ? `{row}${colon}{value}{unit}` : tablePrice
  const pattern = unit !== undefined ? pricePattern : isPlain ? `{row}${colon}{value}` : tableCell
  const parts = { column: label, row: name, value, unit: unit ?? '' }
  const sentence = pattern.replace(/\{(column|row|value|unit)\}/g, (_, part: keyof typeof parts) => parts[part])
  return /[.!?…。！？؟]$/.test(sentence) ? sentence : sentence + stop
}

function markdownTable({ columns }: Table, rows: Row[], visibleColumns: number[]): string | null {
  const lines = rows.map(({ name, cells }) => [name, ...visibleColumns.map((at) => cells[at] || '–')])
  return markdownLines(['', ...visibleColumns.map((at) => columns[at] ?? '')], lines)
}

/** Rows that are too wide for a table in a chat, each a name and a line for each cell, as far as there is room. */
function cellLists(table: Table, rows: Row[], columns: number[], language: string): string {
  const lists: string[] = []
  let words = 0
  for (const row of rows) {
    const list = cellList(table, row, columns, language)
    words += countWords(list)
    if (lists.length > 0 && words > policy.listWords) return [...lists, MORE].join('\n\n')
    lists.push(list)
  }
  return lists.join(columns.length === 1 ? '\n' : '\n\n')
}

function cellList({ columns }: Table, { name, cells }: Row, visibleColumns: number[], language: string): string {
  const { colon } = punctuationOf(language)
  const [column] = visibleColumns
  if (visibleColumns.length === 1 && column !== undefined) return `- ${name}${colon}${cells[column] || '–'}`
  const lines = visibleColumns.flatMap((at) => (cells[at] ? [`- ${columns[at]}${colon}${cells[at]}`] : []))
  return [`**${name}**`, ...lines].join('\n')
}

/** Null if it is too wide for a chat. Of a long one the first rows are shown. */
function markdownLines(head: string[], lines: string[][]): string | null {
  const visibleLines = lines.slice(0, MOST_ROWS)
  if (head.length > MOST_COLUMNS + 1 || visibleLines.flat().some((cell) => cell.length > LONGEST_CELL)) return null
  const line = (values: string[]) => `| ${values.map((value) => value.replaceAll('|', '/')).join(' | ')} |`
  const rest = lines.length > MOST_ROWS ? [MORE] : []
  return [line(head), line(head.map(() => '---')), ...visibleLines.map(line), ...rest].join('\n')
}
