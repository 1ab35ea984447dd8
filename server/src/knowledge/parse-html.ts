// HTML into blocks: what a reader sees, in reading order; scripts, styles, navigation and footers are left out.
import { Parser } from 'htmlparser2'
import { type Block, readableRow } from './document-blocks.ts'

const IGNORED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'footer',
  'head',
  'title',
  'iframe',
  'form',
  'button',
])
const BREAKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'aside',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'dl',
  'table',
  'figure',
  'figcaption',
  'address',
  'hr',
  'details',
  'summary',
])
const LINES = new Set(['li', 'tr', 'br', 'dt', 'dd'])
const CELLS = new Set(['td', 'th'])

// The parser's work grows with the depth; beyond this, the elements around are forgotten.
const DEEPEST = 128
const WIDEST_SPAN = 20

interface Table {
  head: string[]
  /** The head as text of its own, until it labels a row. */
  unusedHead: string
  inHead: boolean
  inHeadCell: boolean
  /** A cell that reaches into the next row moves that row's cells under the wrong heads. */
  hasTallCells: boolean
  /** Within a row of a table with a head, where everything is one line. */
  inline: boolean
  row: Row | null
}

interface Row {
  /** Where it starts, counted in parts of the text of one block. */
  block: number
  start: number
  cells: { start: number; span: number }[]
  isHead: boolean
}

export function parseHtml(content: string): Block[] {
  const blocks: Block[] = []
  let parts: string[] = []
  let atLineStart = true
  let blocksTaken = 0
  let nearestId: string | null = null

  function takeText(): string {
    const text = parts.join('')
    parts = []
    atLineStart = true
    blocksTaken++
    return text
  }

  function endBlock() {
    if (parts.length === 0) return
    const tidy = takeText()
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').replace(/^ | $|\| $/g, ''))
      .filter((line) => line && line !== '-')
      .join('\n')
    if (tidy) blocks.push({ kind: 'text', text: tidy })
  }

  function startLine(text = '') {
    parts.push('\n', text)
    atLineStart = text === ''
  }

  function startCell(table: Table | undefined, isHead: boolean, attributes: Record<string, string>) {
    parts.push(atLineStart ? '' : ' | ')
    atLineStart = false
    if (!table) return
    table.inHeadCell = isHead
    table.hasTallCells ||= Number(attributes.rowspan) > 1
    if (!table.row) return
    const span = Math.min(Math.max(Number.parseInt(attributes.colspan ?? '1', 10) || 1, 1), WIDEST_SPAN)
    table.row.cells.push({ start: parts.length, span })
    table.row.isHead &&= isHead || table.inHead
  }

  function endRow(table: Table) {
    const { row } = table
    table.row = null
    table.inHeadCell = false
    // What was cut into blocks meanwhile is no row any more.
    if (!row || row.block !== blocksTaken) return
    const isHead = row.isHead && row.cells.length > 1 && !table.hasTallCells
    if (!isHead && table.head.length === 0) return
    const cells = row.cells.flatMap(({ start, span }, index) => {
      const next = row.cells[index + 1]
      const text = tidyLine(parts.slice(start, next ? next.start - 1 : parts.length).join(''))
      return [text, ...Array<string>(span - 1).fill(isHead ? text : '')]
    })
    parts.length = row.start
    if (isHead || table.hasTallCells) startLine(table.unusedHead)
    if (isHead) Object.assign(table, { head: cells, unusedHead: cells.join(' | ') })
    else if (table.hasTallCells) startLine(cells.filter(Boolean).join(' | '))
    else startLine(readableRow(table.head, cells))
    if (!isHead) table.unusedHead = ''
    if (table.hasTallCells) table.head = []
  }

  /** Reads from a place on, and tells where to go on from when it went too deep. */
  function parseFrom(from: number): number {
    const tables: Table[] = []
    let ignoredDepth = 0
    let depth = 0
    let heading: { level: number; anchor: string | null } | null = null
    let stoppedAt: number | null = null

    const parser = new Parser({
      onopentag(name, attributes) {
        if (depth++ >= DEEPEST) {
          stoppedAt ??= from + parser.startIndex
          parser.pause()
        }
        if (IGNORED.has(name)) ignoredDepth++
        if (ignoredDepth > 0 || stoppedAt !== null) return
        const table = tables.at(-1)
        const inline = table ? isInline(table) : false
        const level = inline ? 0 : headingLevel(name)
        if (level) {
          endBlock()
          heading = { level, anchor: attributes.id ?? nearestId }
        } else if (name === 'table') {
          if (inline) parts.push(' ')
          else endBlock()
          tables.push(newTable(inline))
        } else if (name === 'tr' && table && !table.inline) {
          endRow(table)
          startLine()
          table.row = { block: blocksTaken, start: parts.length, cells: [], isHead: true }
        } else if (CELLS.has(name) && !table?.inline) startCell(table, name === 'th', attributes)
        else if (name === 'thead' && table) table.inHead = true
        else if (inline) parts.push(BREAKS.has(name) || LINES.has(name) || CELLS.has(name) ? ' ' : '')
        else if (BREAKS.has(name)) endBlock()
        else if (LINES.has(name)) startLine(name === 'li' ? '- ' : '')
        nearestId = attributes.id ?? (level ? null : nearestId)
      },
      ontext(part) {
        if (ignoredDepth > 0 || stoppedAt !== null) return
        const text = part.replace(/\s+/g, ' ')
        parts.push(text)
        if (text !== ' ') atLineStart = false
      },
      onclosetag(name) {
        depth--
        if (stoppedAt !== null) return
        if (IGNORED.has(name)) {
          ignoredDepth = Math.max(0, ignoredDepth - 1)
          return
        }
        if (ignoredDepth > 0) return
        const table = tables.at(-1)
        if (headingLevel(name) && heading) {
          const title = tidyLine(takeText())
          if (title) blocks.push({ kind: 'heading', level: heading.level, text: title, anchor: heading.anchor })
          heading = null
          nearestId = null
        } else if (name === 'table' && table) {
          tables.pop()
          if (table.inline) return
          endRow(table)
          startLine(table.unusedHead)
          endBlock()
        } else if (name === 'tr' && table) endRow(table)
        else if (name === 'thead' && table) table.inHead = false
        else if (BREAKS.has(name)) {
          if (table && isInline(table)) parts.push(' ')
          else endBlock()
        }
      },
    })
    parser.write(from === 0 ? content : content.slice(from))
    if (stoppedAt !== null) return stoppedAt
    parser.end()
    return content.length
  }

  for (let from = 0; from < content.length; ) from = parseFrom(from)
  endBlock()
  return blocks
}

function newTable(inline: boolean): Table {
  return { head: [], unusedHead: '', inHead: false, inHeadCell: false, hasTallCells: false, inline, row: null }
}

function isInline({ inline, row, head, inHead, inHeadCell }: Table): boolean {
  return inline || (row !== null && (head.length > 0 || inHead || inHeadCell))
}

function tidyLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function headingLevel(name: string): number {
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level ? Number(level) : 0
}
