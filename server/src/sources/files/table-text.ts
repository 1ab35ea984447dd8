// Writes a table as Markdown: one section per row, headed by its first cell, with column names before values.
import { csvRows } from '../csv.ts'
import { LONGEST_TEXT, UnreadableFile } from '../extraction/parse-limits.ts'

/** The filled cells of a row by their column. */
export type Cells = Map<number, string>

const MAX_ROWS = 20_000
// Rows at the top that may be a title or a note above the names of the columns.
const ROWS_ABOVE = 20
const HEADER_SHARE = 0.6

/** The first row of a CSV file names its columns. */
export async function readCsvTable(text: string): Promise<string> {
  const sections: string[] = []
  let names: Cells | null = null
  for await (const row of csvRows([text])) {
    if (names === null) names = filledCells(row)
    else sections.push(rowSection(names, filledCells(row)))
    if (sections.length > MAX_ROWS) throw new UnreadableFile(`This table has more than ${MAX_ROWS} rows.`)
  }
  if (sections.length === 0) throw new UnreadableFile('This table has no rows below its header.')
  return sections.join('\n\n')
}

function filledCells(row: string[]): Cells {
  return new Map(row.map((value, index) => [index, value.trim()] as const).filter(([, value]) => value !== ''))
}

/** Empty without any rows. */
export function tableText(rows: Cells[]): string {
  const headerAt = headerRow(rows)
  const above = rows.slice(0, headerAt === -1 ? rows.length : headerAt).map(line)
  if (headerAt === -1) return above.join('\n\n')
  const names = rows[headerAt] ?? new Map()
  const sections: string[] = []
  // A few long texts that many cells share would fill the memory; a document cannot hold more anyway.
  for (let at = headerAt + 1, length = 0; at < rows.length && length <= LONGEST_TEXT; at++) {
    const section = rowSection(names, rows[at] ?? new Map())
    sections.push(section)
    length += section.length
  }
  // A table without rows is text too.
  if (sections.length === 0) above.push(line(names))
  return [...above, ...sections].join('\n\n')
}

function rowSection(names: Cells, row: Cells): string {
  const [first, ...others] = [...row].toSorted(([a], [b]) => a - b)
  const lines = others.map(([column, value]) => (names.get(column) ? `${names.get(column)}: ${value}` : value))
  return [`## ${first?.[1].replace(/\s+/g, ' ') ?? ''}`, ...lines].join('\n\n')
}

/** The first row nearly as wide as the table: above it may stand its title. -1 for a list in one column. */
function headerRow(rows: Cells[]): number {
  const top = rows.slice(0, ROWS_ABOVE)
  const widest = Math.max(0, ...top.map(({ size }) => size))
  return widest < 2 ? -1 : top.findIndex(({ size }) => size >= Math.max(2, HEADER_SHARE * widest))
}

function line(row: Cells): string {
  return [...row]
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join(' | ')
}
