// Open tables while a page is parsed. Cells are values, unless a headerless table turns out to be for layout: a
// heading, another table or several long paragraphs in a cell.

import { collapseSpaces } from '../../language/fold.ts'
import { readableRow } from '../documents/document-blocks.ts'
import { isBoldOnly, withoutMarks } from './text-marks.ts'

// A cell of several paragraphs with more text than this is a layout column.
const LONGEST_VALUE = 400

interface Table {
  rows: TableRow[]
  row: TableRow | null
  cell: { of: Cell; parts: string[] } | null
  inHead: boolean
  hasHead: boolean
  /** Inside a cell of a table with a header, where everything becomes one line. */
  isInner: boolean
}

interface Deps {
  addLines: (lines: string[]) => void
  endBlock: () => void
}

export function makeTables({ addLines, endBlock }: Deps) {
  let tables: Table[] = []
  const spans = makeSpanBudget()
  // The innermost table with its own cells.
  const outer = () => tables.findLast(({ isInner }) => !isInner)
  const current = () => {
    const last = tables.at(-1)
    return last?.isInner ? undefined : last
  }

  function flushRows(table: Table) {
    const { rows } = table
    table.rows = []
    addLines(tableLines(rows, spans))
  }

  function endCell({ row, cell }: Table) {
    if (cell) row?.cells.push({ ...cell.of, text: cell.parts.join('') })
  }

  function endRow() {
    const table = current()
    if (!table?.row) return
    endCell(table)
    const { row } = table
    table.row = null
    table.cell = null
    if (row.cells.length === 0) return
    if (isLayout(row, table)) {
      flushRows(table)
      for (const paragraph of row.cells.flatMap(({ text }) => text.split('\n'))) {
        addLines([paragraph])
        endBlock()
      }
      return
    }
    table.hasHead ||= row.cells.length > 1 && row.cells.every(({ isHead }) => isHead || row.inHead)
    table.rows.push({ ...row, cells: row.cells.map((cell) => ({ ...cell, text: collapseSpaces(cell.text) })) })
  }

  function isLayout({ cells }: TableRow, { hasHead }: Table): boolean {
    return (
      !hasHead && cells.some(({ text, isHead }) => !isHead && text.length > LONGEST_VALUE && text.trim().includes('\n'))
    )
  }

  return {
    /** The text of the current cell. */
    cellParts: () => outer()?.cell?.parts,
    isInCell: () => (outer()?.cell ?? null) !== null,
    /** Whether headings and tables are part of a cell's value. */
    isInline() {
      const table = outer()
      return Boolean(table?.cell && (table.hasHead || table.inHead || table.cell.of.isHead))
    },
    /** Outputs the innermost table so far: its current row is for layout. */
    flush() {
      const table = current()
      if (!table) return
      flushRows(table)
      endCell(table)
      const cells = table.row?.cells.map(({ text }) => collapseSpaces(text)).filter(Boolean) ?? []
      table.row = null
      table.cell = null
      if (cells.length > 0) addLines([cells.join(' | ')])
    },

    startTable() {
      const table = outer()
      const isInner = Boolean(table?.cell && (table.hasHead || table.inHead || table.cell.of.isHead))
      if (isInner) table?.cell?.parts.push(' ')
      else endBlock()
      tables.push({ rows: [], row: null, cell: null, inHead: false, hasHead: false, isInner })
    },
    endTable() {
      endRow()
      if (current()) endBlock()
      tables.pop()
    },
    setHead(inHead: boolean) {
      const table = current()
      if (table) table.inHead = inHead
    },
    startRow() {
      const table = current()
      if (!table) return
      endRow()
      table.row = { cells: [], inHead: table.inHead }
    },
    endRow,
    /** False outside a row. */
    startCell(isHead: boolean, attributes: Record<string, string>): boolean {
      const table = current()
      if (!table?.row) return false
      endCell(table)
      table.cell = { of: cellOf(isHead, attributes), parts: [] }
      return true
    },
    reset() {
      while (tables.length > 0) {
        endRow()
        if (current()) endBlock()
        tables.pop()
      }
      tables = []
    },
  }
}

// Collects a table's rows until it ends, because only then its headers are known.
const WIDEST_SPAN = 20
const TALLEST_SPAN = 50
// Of one page: spans of a few bytes could otherwise copy a text millions of times.
const MAX_COPIED_CHARACTERS = 200_000
// Rows that together make the header.
const TALLEST_HEAD = 6

interface Cell {
  text: string
  isHead: boolean
  width: number
  height: number
}

interface TableRow {
  cells: Cell[]
  inHead: boolean
}

/** How much text the spanning cells of a page may still copy. */
interface SpanBudget {
  characters: number
}

function makeSpanBudget(): SpanBudget {
  return { characters: MAX_COPIED_CHARACTERS }
}

function cellOf(isHead: boolean, attributes: Record<string, string>): Cell {
  const span = (value: string | undefined, most: number) =>
    Math.min(Math.max(Number.parseInt(value ?? '1', 10) || 1, 1), most)
  return {
    text: '',
    isHead,
    width: span(attributes.colspan, WIDEST_SPAN),
    height: span(attributes.rowspan, TALLEST_SPAN),
  }
}

/** Lines readable by themselves: "- Germany: Standard 3.90 €, Express 9.90 €". */
function tableLines(rows: TableRow[], budget: SpanBudget): string[] {
  const lines: string[] = []
  let head: string[] = []
  // Whether the header still needs its own line, because no row repeats it.
  let hasPendingHead = false
  let headRows = 0
  for (const [number, { cells, texts, isHead }] of spreadCells(rows, budget).entries()) {
    const isOfHead = isHead || (number === 0 && rows.length > 1 && isBoldRow(cells))
    if (isOfHead && headRows < TALLEST_HEAD) {
      if (hasPendingHead && headRows === 0) lines.push(plain(head))
      head = headRows > 0 ? joinHeads(head, texts) : texts
      headRows++
      hasPendingHead = true
      continue
    }
    if (!isOfHead) headRows = 0
    const line = head.length > 0 ? readableRow(head, texts) : headless(cells, texts)
    if (line === '' || line === '- ') continue
    // Rows do not repeat a very long header.
    if (hasPendingHead && line.includes(' | ')) lines.push(plain(head))
    hasPendingHead = false
    lines.push(line)
  }
  if (hasPendingHead) lines.push(plain(head))
  return lines.filter(Boolean)
}

interface SpreadRow {
  cells: Cell[]
  texts: string[]
  isHead: boolean
}

/** Copies a cell that spans columns or rows into each of them, while the budget lasts. */
function spreadCells(rows: TableRow[], budget: SpanBudget): SpreadRow[] {
  const mayCopy = (text: string) => {
    budget.characters -= text.length + 1
    return budget.characters >= 0
  }
  const reaching: { text: string; left: number }[] = []
  return rows.map(({ cells, inHead }) => {
    const isHead = cells.length > 1 && cells.every((cell) => cell.isHead || inHead)
    const texts: string[] = []
    let next = 0
    while (next < cells.length || (reaching[texts.length]?.left ?? 0) > 0) {
      const above = reaching[texts.length]
      if (above && above.left > 0) {
        above.left = mayCopy(above.text) ? above.left - 1 : 0
        if (budget.characters >= 0) texts.push(above.text)
        continue
      }
      const cell = cells[next++]
      if (!cell) break
      const text = withoutMarks(cell.text)
      for (let column = 0; column < cell.width && (column === 0 || mayCopy(isHead ? text : '')); column++) {
        if (cell.height > 1) reaching[texts.length] = { text, left: cell.height - 1 }
        texts.push(column === 0 || isHead ? text : '')
      }
    }
    return { cells, texts, isHead }
  })
}

/** "Price" above "Standard" and "Express" gives "Price Standard" and "Price Express". */
function joinHeads(above: string[], below: string[]): string[] {
  return Array.from({ length: Math.max(above.length, below.length) }, (_, column) =>
    [...new Set([above[column], below[column]])].filter(Boolean).join(' '),
  )
}

function isBoldRow(cells: Cell[]): boolean {
  return (
    cells.length > 1 && cells.every(({ text }) => text === '' || isBoldOnly(text)) && cells.some(({ text }) => text)
  )
}

/** Without a header, a row with a header cell is still a fact: "Weight: 3 kg". */
function headless(cells: Cell[], texts: string[]): string {
  const [first, ...rest] = texts
  const values = rest.filter(Boolean)
  if (cells[0]?.isHead && first && values.length > 0) return `${first}: ${values.join(', ')}`
  return plain(texts)
}

function plain(texts: string[]): string {
  return texts.filter(Boolean).join(' | ')
}
