// Converts an OpenDocument text (LibreOffice, OpenOffice) to HTML: headings, paragraphs, numbered lists and tables.
import { UnreadableFile } from '../extraction/parse-limits.ts'
import { parseXml } from '../extraction/parse-xml.ts'
import { escapeHtml } from '../html/escape-html.ts'
import type { OfficeArchive } from './office-archive.ts'

type Attributes = Record<string, string>

// Comments, deleted text, footnotes, and pictures of formulas.
const LEFT_OUT = new Set([
  'office:annotation',
  'text:tracked-changes',
  'text:note',
  'text:ruby-text',
  'svg:desc',
  'svg:title',
])
const MAX_REPEATS = 50

export function readOdt({ part, limits }: OfficeArchive): string {
  if (/<(?:\w+:)?encryption-data\b/.test(part('META-INF/manifest.xml') ?? ''))
    throw new UnreadableFile('This file is password-protected.', 'password_protected')
  const content = part('content.xml')
  if (content === undefined) throw new UnreadableFile('This file is not a valid OpenDocument text.')
  const styles = readStyles([part('styles.xml') ?? '', content], limits.maxDepth)
  return toHtml(content, styles, limits.maxDepth)
}

interface Styles {
  bold: Set<string>
  /** List style → level, from 1 → the first number, or null for a bullet. */
  lists: Map<string, Map<number, number | null>>
}

function readStyles(sources: string[], maxDepth: number): Styles {
  const styles: Styles = { bold: new Set(), lists: new Map() }
  let name = ''
  let levels = new Map<number, number | null>()
  for (const xml of sources)
    parseXml(xml, maxDepth, {
      open(element, attributes) {
        if (element === 'style:style') name = attributes['style:name'] ?? ''
        else if (element === 'style:text-properties' && attributes['fo:font-weight'] === 'bold') styles.bold.add(name)
        else if (element === 'text:list-style') {
          levels = new Map()
          styles.lists.set(attributes['style:name'] ?? '', levels)
        } else if (element === 'text:list-level-style-number')
          levels.set(
            Number(attributes['text:level']) || 1,
            attributes['style:num-format'] ? Number(attributes['text:start-value'] ?? 1) || 0 : null,
          )
      },
    })
  return styles
}

interface List {
  style: string
  /** Of the last item; null for bullets. */
  number: number | null
}

function toHtml(xml: string, { bold, lists: listStyles }: Styles, maxDepth: number): string {
  const out: string[] = []
  // A paragraph may hold a frame with paragraphs of its own.
  const paragraphs: { tag: string; parts: string[]; isBold: boolean }[] = []
  const boldSpans: boolean[] = []
  const lists: List[] = []
  const lastNumbers = new Map<string, number | null>()
  let omittedDepth = 0
  let inHead = false
  let tables = 0

  const add = (text: string) => void paragraphs.at(-1)?.parts.push(text)

  function startList(attributes: Attributes) {
    const style = attributes['text:style-name'] ?? lists.at(-1)?.style ?? ''
    const level = lists.length + 1
    const start = listStyles.get(style)?.get(level) ?? null
    const goesOn = attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined
    const before = goesOn ? lastNumbers.get(`${style} ${level}`) : undefined
    lists.push({ style, number: start === null ? null : (before ?? start - 1) })
    if (tables === 0) out.push(start === null ? '<ul>' : '<ol>')
  }

  function endList() {
    const list = lists.pop()
    if (!list) return
    lastNumbers.set(`${list.style} ${lists.length + 1}`, list.number)
    if (tables === 0) out.push(list.number === null ? '</ul>' : '</ol>')
  }

  function startItem(attributes: Attributes) {
    const list = lists.at(-1)
    if (!list) return
    if (list.number !== null) list.number = Number(attributes['text:start-value'] ?? list.number + 1) || 0
    if (tables > 0) out.push(list.number === null ? '' : `${list.number}. `)
    else out.push(list.number === null ? '<li>' : `<li value="${list.number}">`)
  }

  function startParagraph(tag: string, attributes: Attributes) {
    paragraphs.push({ tag, parts: [], isBold: bold.has(attributes['text:style-name'] ?? '') })
  }

  function endParagraph() {
    const paragraph = paragraphs.pop()
    if (!paragraph) return
    const text = paragraph.parts.join('').replaceAll('</b><b>', '').trim()
    if (text === '') return
    const markup = paragraph.isBold && paragraph.tag === 'p' ? `<b>${text.replace(/<\/?b>/g, '')}</b>` : text
    if (tables > 0 || (lists.length > 0 && paragraph.tag === 'p')) out.push(`${markup} `)
    else out.push(`<${paragraph.tag}>${markup}</${paragraph.tag}>\n`)
  }

  function startCell(attributes: Attributes) {
    const repeats = Math.min(Math.max(Number(attributes['table:number-columns-repeated']) || 1, 1), MAX_REPEATS)
    if (tables !== 1) return
    const colspan = span('colspan', attributes['table:number-columns-spanned'])
    const rowspan = span('rowspan', attributes['table:number-rows-spanned'])
    const tag = inHead ? 'th' : 'td'
    // Repeated cells are nearly always empty.
    for (let count = 1; count < repeats; count++) out.push(`<${tag}></${tag}>`)
    out.push(`<${tag}${colspan}${rowspan}>`)
  }

  const opens: Record<string, (attributes: Attributes) => void> = {
    'text:p': (attributes) => startParagraph('p', attributes),
    'text:h': (attributes) =>
      startParagraph(`h${Math.min(Math.max(Number(attributes['text:outline-level']) || 1, 1), 6)}`, attributes),
    'text:span': (attributes) => void boldSpans.push(bold.has(attributes['text:style-name'] ?? '')),
    'text:s': () => add(' '),
    'text:tab': () => add(' '),
    'text:line-break': () => add('<br>'),
    'text:list': startList,
    'text:list-item': startItem,
    'table:table': () => void (tables++ === 0 && out.push('<table>')),
    'table:table-header-rows': () => {
      inHead = true
    },
    'table:table-row': () => void (tables === 1 && out.push('<tr>')),
    'table:table-cell': startCell,
  }
  const closes: Record<string, () => void> = {
    'text:p': endParagraph,
    'text:h': endParagraph,
    'text:span': () => void boldSpans.pop(),
    'text:list': endList,
    'text:list-item': () => void (tables === 0 && lists.length > 0 && out.push('</li>\n')),
    'table:table': () => void (--tables === 0 && out.push('</table>\n')),
    'table:table-header-rows': () => {
      inHead = false
    },
    'table:table-row': () => void (tables === 1 && out.push('</tr>')),
    'table:table-cell': () => void (tables === 1 && out.push(inHead ? '</th>' : '</td>')),
  }
  parseXml(xml, maxDepth, {
    open(name, attributes) {
      if (LEFT_OUT.has(name)) omittedDepth++
      if (omittedDepth === 0) opens[name]?.(attributes)
    },
    close(name) {
      if (omittedDepth === 0) closes[name]?.()
      if (LEFT_OUT.has(name)) omittedDepth--
    },
    text(text) {
      if (omittedDepth > 0 || paragraphs.length === 0) return
      const escapedText = escapeHtml(text.replace(/\s+/g, ' '))
      add(boldSpans.at(-1) && text.trim() !== '' ? `<b>${escapedText}</b>` : escapedText)
    },
  })
  return out.join('')
}

function span(name: string, value: string | undefined): string {
  const count = Number(value) || 1
  return count > 1 ? ` ${name}="${count}"` : ''
}
