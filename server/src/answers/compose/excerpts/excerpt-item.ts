// One fact from a list or table: the item marked by the reader, and only the cell of a table row.
import type { Hit } from '../../types.ts'
import { bullet, type Unit } from '../units/units.ts'

// A table row as written by our parsers: "- Germany: Standard 3.90 €, Express 9.90 €".
const row = /^\s*[-•*]\s+([^:]{1,60}): (.+)$/

/** Null if the marked span is not within one item. */
export function excerptItem(units: readonly Unit[], { reading }: Hit): { fact: string; isRow: boolean } | null {
  const span = reading?.span
  const marked = span && units.findLast(({ start }) => start <= span.start)
  if (!span || marked?.kind !== 'item' || span.end > marked.start + marked.text.length) return null
  const cell = cellAt(marked, span, units)
  return { fact: cell ?? marked.text.replace(bullet, ''), isRow: cell !== null || row.test(marked.text) }
}

/** The row's name with the cell's column and value; null if it is not a row or the span covers several cells. */
function cellAt(unit: Unit, span: { start: number; end: number }, units: readonly Unit[]): string | null {
  const [, name, cells] = row.exec(unit.text) ?? []
  if (!name || !cells) return null
  const columns = columnsOf(unit, units)
  let at = unit.start + unit.text.length - cells.length
  if (span.start < at) return null
  for (const cell of joinValues(cells.split(', '), columns)) {
    const end = at + cell.length
    if (span.start >= at && span.end <= end) return columns.has(firstWord(cell)) ? `${name}: ${cell}` : null
    at = end + 2
  }
  return null
}

/** Words that also start cells of other rows: the column names. */
function columnsOf(unit: Unit, units: readonly Unit[]): Set<string> {
  const others = units.flatMap((other) => (other === unit ? [] : (row.exec(other.text)?.[2]?.split(', ') ?? [])))
  return new Set(others.map(firstWord))
}

/** "Countries Ireland, France, Parcel £12" has two cells: a value may contain commas. */
function joinValues(pieces: string[], columns: Set<string>): string[] {
  const cells: string[] = []
  for (const piece of pieces) {
    if (cells.length === 0 || columns.has(firstWord(piece))) cells.push(piece)
    else cells[cells.length - 1] += `, ${piece}`
  }
  return cells
}

const firstWord = (cell: string): string => cell.split(' ', 1)[0] ?? ''
