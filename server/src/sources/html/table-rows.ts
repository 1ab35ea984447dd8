// Collects a table's rows until it ends, because only then its headers are known.
import { readableRow } from '../documents/document-blocks.ts'
import { isBoldOnly, withoutMarks } from './text-marks.ts'

const WIDEST_SPAN = 20
const TALLEST_SPAN = 50
// Of one page: spans of a few bytes could otherwise copy a text millions of times.
const MAX_COPIED_CHARACTERS = 200_000
// Rows that together make the header.
const TALLEST_HEAD = 6

export interface Cell {
  text: string
  isHead: boolean
  width: number
  height: number
}

export interface TableRow {
  cells: Cell[]
  inHead: boolean
}

/** How much text the spanning cells of a page may still copy. */
export interface SpanBudget {
  characters: number
}

export function createSpanBudget(): SpanBudget {
  return { characters: MAX_COPIED_CHARACTERS }
}

export function cellOf(isHead: boolean, attributes: Record<string, string>): Cell {
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
export function tableLines(rows: TableRow[], budget: SpanBudget): string[] {
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
