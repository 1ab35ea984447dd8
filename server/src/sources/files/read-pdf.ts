// Converts a PDF to Markdown. PDFs contain only positioned letters, so structure is inferred: letters at one height
// form a line, a wide gap ends a paragraph, and large letters make a heading.

import { collapseSpaces } from '../../language/fold.ts'
import { UnreadableFile } from '../extraction/parse-limits.ts'

const MAX_PAGES = 2000
/** In line heights: a larger gap ends a paragraph. */
const PARAGRAPH_GAP = 1.6
const HEADING_SIZE = 1.15
const LONGEST_HEADING = 200

interface Line {
  text: string
  size: number
  y: number
  /** Number of its page, from 1. */
  page: number
  /** Preceded by a page or column break. */
  isApart: boolean
}

interface TextItem {
  str: string
  hasEOL: boolean
  height: number
  transform: number[]
}

export async function readPdf(file: Buffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  // unpdf rejects a Buffer.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: Error) => {
    throw error.name === 'PasswordException'
      ? new UnreadableFile('This PDF is password-protected.', 'password_protected')
      : new UnreadableFile('This PDF is damaged and could not be read.')
  })
  if (document.numPages > MAX_PAGES) throw new UnreadableFile(`This PDF has more than ${MAX_PAGES} pages.`)
  const lines: Line[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    lines.push(...linesOf(items as TextItem[], number))
    page.cleanup()
  }
  const repeatedLines = repeatedOnPages(lines, document.numPages)
  const text = toMarkdown(lines.filter((line) => !repeatedLines.has(foldLine(line.text))))
  if (text.trim() === '')
    throw new UnreadableFile('This PDF contains no text. Its pages may be scanned images.', 'no_text')
  return text
}

function linesOf(items: TextItem[], page: number): Line[] {
  const lines: Line[] = []
  let isFirst = true
  for (const { str, height, transform } of items) {
    const y = transform[5] ?? 0
    const size = height || Math.abs(transform[3] ?? 0)
    const last = lines.at(-1)
    if (!isFirst && last && Math.abs(last.y - y) < Math.max(2, last.size / 2)) {
      last.text += str
      last.size = Math.max(last.size, size)
    } else if (str.trim() !== '') {
      lines.push({ text: str, size, y, page, isApart: isFirst || (last !== undefined && y > last.y) })
      isFirst = false
    }
  }
  return lines.filter(({ text }) => text.trim() !== '')
}

/** Headers, footers and page numbers: the same on most pages except for digits. */
function repeatedOnPages(lines: Line[], pages: number): Set<string> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(foldLine(text), (counts.get(foldLine(text)) ?? 0) + 1)
  const most = [...counts].filter(([text, count]) => pages > 3 && count > pages * 0.6 && text.length < 120)
  return new Set(most.map(([text]) => text))
}

function foldLine(text: string): string {
  return text.trim().replace(/\d+/g, '0')
}

function toMarkdown(lines: Line[]): string {
  const usual = usualSize(lines)
  const blocks: { text: string; isHeading: boolean; page: number }[] = []
  let last: Line | undefined
  for (const line of lines) {
    const text = collapseSpaces(line.text)
    const isHeading = line.size > usual * HEADING_SIZE && text.length < LONGEST_HEADING
    const wasHeading = last !== undefined && last.size > usual * HEADING_SIZE
    const gap = last ? last.y - line.y : 0
    const goesOn =
      last && isHeading === wasHeading && (line.isApart ? goesOnAfterBreak(last.text) : gap < line.size * PARAGRAPH_GAP)
    const block = goesOn ? blocks.at(-1) : undefined
    if (!block) blocks.push({ text, isHeading, page: line.page })
    // Join a hyphenated word.
    else if (/\p{L}-$/u.test(block.text) && /^\p{Ll}/u.test(text)) block.text = block.text.slice(0, -1) + text
    else block.text += ` ${text}`
    last = line
  }
  // A link to a PDF can open a page of it, but not a heading.
  return blocks.map(({ text, isHeading, page }) => (isHeading ? `## ${text} {#page=${page}}` : text)).join('\n\n')
}

/** An unfinished sentence continues after a page break. */
function goesOnAfterBreak(text: string): boolean {
  return /[\p{L},;-]\s*$/u.test(text)
}

/** The most frequent letter size. */
function usualSize(lines: Line[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) letters.set(Math.round(size), (letters.get(Math.round(size)) ?? 0) + text.length)
  return [...letters].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}
