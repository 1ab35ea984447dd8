// Open tables while a page is parsed. Cells are values, unless a headerless table turns out to be for layout: a
// heading, another table or several long paragraphs in a cell.
import { type Cell, cellOf, createSpanBudget, type TableRow, tableLines } from './table-rows.ts'

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

export function createTables({ addLines, endBlock }: Deps) {
  let tables: Table[] = []
  const spans = createSpanBudget()
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
    table.rows.push({ ...row, cells: row.cells.map((cell) => ({ ...cell, text: tidy(cell.text) })) })
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
      const cells = table.row?.cells.map(({ text }) => tidy(text)).filter(Boolean) ?? []
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

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
