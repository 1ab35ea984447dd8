// The tables that are open while a page is read. Cells are values as long as nothing says that the table is there for
// the layout: a heading, another table or several long paragraphs in a cell of a table without a head.
import { type Cell, cellOf, type TableRow, tableLines } from './table-rows.ts'

// A cell of several paragraphs with more text than this is a column of a layout.
const LONGEST_VALUE = 400

interface Table {
  rows: TableRow[]
  row: TableRow | null
  cell: { of: Cell; parts: string[] } | null
  inHead: boolean
  hasHead: boolean
  /** Within a cell of a table with a head, where everything is one line. */
  isInner: boolean
}

interface Deps {
  addLines: (lines: string[]) => void
  endBlock: () => void
}

export function createTables({ addLines, endBlock }: Deps) {
  let tables: Table[] = []
  // The innermost table that has cells of its own.
  const outer = () => tables.findLast(({ isInner }) => !isInner)
  const current = () => {
    const last = tables.at(-1)
    return last?.isInner ? undefined : last
  }

  function flushRows(table: Table) {
    const { rows } = table
    table.rows = []
    addLines(tableLines(rows))
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
    /** Where the text of the cell goes that is being read. */
    cellParts: () => outer()?.cell?.parts,
    isInCell: () => (outer()?.cell ?? null) !== null,
    /** Where headings and tables are words of a value. */
    isInline() {
      const table = outer()
      return Boolean(table?.cell && (table.hasHead || table.inHead || table.cell.of.isHead))
    },
    /** Gives out what was read of the innermost table: the row that is being read turned out to be none. */
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
    /** False where there is no row to put it into. */
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
