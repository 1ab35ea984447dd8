// Collects a page's text as lines of paragraphs, lists and definitions, and outputs it block by block. Text carries
// marks for bold and links (text-marks.ts); text in table cells goes to the table first.

import { collapseSpaces } from '../../language/fold.ts'
import { makeTables } from './tables.ts'
import { marks, withoutMarks } from './text-marks.ts'

const INDENT = '   '
const DEEPEST_INDENT = 5

export function makeTextFlow(onBlock: (markedText: string) => void) {
  let parts: string[] = []
  let characters = 0
  let lists: { isOrdered: boolean; next: number }[] = []
  let definitions = 0
  let bold = 0
  let link = 0
  let preformattedDepth = 0
  // No text since the line, item or cell started.
  let isFresh = true
  const tables = makeTables({ addLines, endBlock })

  const add = (text: string) => void (tables.cellParts() ?? parts).push(text)
  const isInText = () => lists.length === 0 && definitions === 0
  const opening = () => (bold > 0 ? marks.bold : '') + (link > 0 ? marks.link : '')
  const closing = () => (link > 0 ? marks.linkEnd : '') + (bold > 0 ? marks.boldEnd : '')

  function startLine(prefix = '') {
    parts.push(closing(), '\n', prefix, opening())
    isFresh = true
  }

  function takeText(): string {
    const text = parts.join('') + closing()
    parts = [opening()]
    characters = 0
    isFresh = true
    return text
  }

  function endBlock() {
    tables.flush()
    if (characters === 0) return
    const text = takeText().split('\n').map(tidyLine).filter(hasText).join('\n')
    if (text) onBlock(text)
  }

  function addLines(lines: string[]) {
    for (const line of lines) {
      parts.push('\n', line)
      characters += line.length
    }
  }

  function addText(text: string) {
    const clean = withoutMarks(text).replace(/\s+/g, ' ')
    if (clean === '') return
    add(clean)
    if (clean === ' ') return
    characters += clean.length
    isFresh = false
  }

  return {
    tables,
    endBlock,
    /** Length of the pending text. */
    length: () => characters,
    /** Takes the pending text as one line, without creating a block. */
    takeLine: () => collapseSpaces(withoutMarks(takeText())),
    addSpace: () => add(' '),
    addText(text: string) {
      if (preformattedDepth === 0 || tables.isInCell()) return addText(text)
      for (const [number, line] of text.split('\n').entries()) {
        if (number > 0) startLine()
        addText(line)
      }
    },

    startBold: () => void (bold++ === 0 && add(marks.bold)),
    endBold: () => void (bold > 0 && --bold === 0 && add(marks.boldEnd)),
    startLink: () => void (link++ === 0 && add(marks.link)),
    endLink: () => void (link > 0 && --link === 0 && add(marks.linkEnd)),
    startPreformatted: () => void preformattedDepth++,
    endPreformatted: () => void preformattedDepth--,

    breakLine() {
      if (tables.isInCell()) add('\n')
      else startLine()
    },
    /** Starts a new block; inside lists and definitions, a new line. */
    breakBlock() {
      if (tables.isInCell()) add('\n')
      else if (isInText()) endBlock()
      else if (!isFresh) startLine(marks.indent.repeat(Math.min(lists.length, DEEPEST_INDENT)))
    },

    startList(isOrdered: boolean, attributes: Record<string, string>) {
      if (isInText() && !tables.isInCell()) endBlock()
      lists.push({ isOrdered, next: wholeNumber(attributes.start) ?? 1 })
    },
    endList() {
      lists.pop()
      if (isInText() && !tables.isInCell()) endBlock()
    },
    startItem(attributes: Record<string, string>) {
      const list = lists.at(-1)
      const number = list?.isOrdered ? (wholeNumber(attributes.value) ?? list.next) : null
      if (list && number !== null) list.next = number + 1
      if (tables.isInCell()) return add(isFresh ? '' : ', ')
      const indent = marks.indent.repeat(Math.min(Math.max(lists.length - 1, 0), DEEPEST_INDENT))
      startLine(`${indent}${number === null ? '-' : `${number}.`} `)
    },

    startDefinitions() {
      if (isInText() && !tables.isInCell()) endBlock()
      definitions++
    },
    endDefinitions() {
      definitions--
      if (isInText() && !tables.isInCell()) endBlock()
    },
    startTerm() {
      if (tables.isInCell()) add('\n')
      else startLine(lists.length === 0 && definitions > 0 ? marks.term : '')
    },

    startCell(isHead: boolean, attributes: Record<string, string>) {
      if (!tables.startCell(isHead, attributes)) add(isFresh ? '' : ' | ')
      else isFresh = true
    },

    /** Forgets which elements are open. */
    reset() {
      tables.reset()
      lists = []
      definitions = 0
      preformattedDepth = 0
      if (closing()) parts.push(closing())
      bold = 0
      link = 0
    },
  }
}

/** Leading spaces show an item's nesting; others are collapsed. */
function tidyLine(line: string): string {
  return collapseSpaces(line).replaceAll(marks.indent, INDENT)
}

function hasText(line: string): boolean {
  return !/^\s*(?:-|\d{1,3}\.)?\s*$/.test(withoutMarks(line))
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : null
}
