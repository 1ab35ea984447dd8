// Converts a Word document to HTML: headings, paragraphs, numbered lists and tables. Of the formatting only bold
// matters, because people use it for headings.
import { defaultParseLimits, type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import { escapeHtml } from '../html/escape-html.ts'
import {
  depthOf,
  depthOfStyle,
  makeItemCounter,
  type Numbering,
  parseWordXml,
  readNumbering,
  readStyles,
  type Style,
} from './docx-numbering.ts'
import { mainPart, makeListWriter, type OfficeArchive, openOfficeArchive } from './office-archive.ts'

export function readDocx(bytes: Buffer, limits: ParseLimits = defaultParseLimits): string {
  return readWordArchive(openOfficeArchive(bytes, limits))
}

export function readWordArchive(archive: OfficeArchive): string {
  const { part, relations, limits } = archive
  const name = mainPart(archive, 'word/document.xml')
  const document = part(name)
  if (document === undefined) throw new UnreadableFile('This file is not a valid Word document.')
  const parts = relations(name)
  const xmlOf = (kind: string) => part(parts.find((one) => one.kind === kind)?.target ?? `word/${kind}.xml`) ?? ''
  const styles = readStyles(xmlOf('styles'), limits.maxDepth)
  return toHtml(document, limits.maxDepth, styles, readNumbering(xmlOf('numbering'), limits.maxDepth))
}

interface Paragraph extends Style {
  text: string
  styleId: string
}

const isOn = (attributes: Record<string, string>) => !['0', 'false', 'off'].includes(attributes['w:val'] ?? '')
const LEFT_OUT = new Set(['w:del', 'w:moveFrom', 'w:pPrChange', 'w:rPrChange', 'mc:Fallback'])
const emptyParagraph = (): Paragraph => ({ text: '', styleId: '', level: 0, listId: null, depth: null })

function toHtml(xml: string, maxDepth: number, styles: Map<string, Style>, numbering: Numbering): string {
  const out: string[] = []
  const countItem = makeItemCounter(numbering)
  const lists = makeListWriter(out)
  let paragraph = emptyParagraph()
  let isText = false
  let isBold = false
  let inRun = false
  let tableDepth = 0
  let isHeadRow = false
  // With change tracking, deleted text and former properties stay in the file; a drawing repeats its text for programs
  // that cannot draw it.
  let omittedDepth = 0

  function numberOf({ listId, styleId, depth }: Paragraph): { number: number | null; depth: number } | null {
    if (listId === null) return null
    const level = depth ?? depthOfStyle(numbering, listId, styleId)
    return { number: countItem(listId, level), depth: level }
  }

  function endParagraph() {
    const block = { ...paragraph, text: paragraph.text.replaceAll('</b><b>', '').trim() }
    paragraph = emptyParagraph()
    if (block.text === '') return
    const item = block.level === 0 ? numberOf(block) : null
    if (tableDepth > 0) return void out.push(item?.number ? `${item.number}. ${block.text} ` : `${block.text} `)
    if (item) return lists.add(block.text, item.number, item.depth)
    lists.end()
    const tag = block.level > 0 ? `h${block.level}` : 'p'
    out.push(`<${tag}>${block.text}</${tag}>\n`)
  }

  const opens: Record<string, (attributes: Record<string, string>) => void> = {
    'w:t': () => {
      isText = true
    },
    'w:r': () => {
      inRun = true
      isBold = false
    },
    'w:b': (attributes) => {
      if (inRun) isBold = isOn(attributes)
    },
    'w:tab': () => {
      paragraph.text += ' '
    },
    'w:br': () => {
      paragraph.text += '<br>'
    },
    'w:pStyle': (attributes) => {
      const styleId = attributes['w:val'] ?? ''
      Object.assign(paragraph, styles.get(styleId), { styleId })
    },
    // The paragraph's own list, or "0" for none.
    'w:numPr': () => {
      paragraph.listId ??= ''
    },
    'w:numId': (attributes) => {
      paragraph.listId = attributes['w:val'] === '0' ? null : (attributes['w:val'] ?? '')
    },
    'w:ilvl': (attributes) => {
      paragraph.depth = depthOf(attributes)
    },
    'w:tbl': () => {
      lists.end()
      if (tableDepth++ === 0) out.push('<table>')
    },
    'w:tr': () => {
      isHeadRow = false
      if (tableDepth === 1) out.push('<tr>')
    },
    'w:tblHeader': (attributes) => {
      isHeadRow = isOn(attributes)
    },
    'w:gridSpan': (attributes) => {
      const span = Number(attributes['w:val']) || 1
      if (tableDepth === 1 && span > 1) out[out.length - 1] = (out.at(-1) ?? '').replace('>', ` colspan="${span}">`)
    },
    'w:tc': () => void (tableDepth === 1 && out.push(isHeadRow ? '<th>' : '<td>')),
  }
  const closes: Record<string, () => void> = {
    'w:t': () => {
      isText = false
    },
    'w:r': () => {
      inRun = false
    },
    'w:p': endParagraph,
    'w:tbl': () => void (--tableDepth === 0 && out.push('</table>\n')),
    'w:tr': () => void (tableDepth === 1 && out.push('</tr>')),
    'w:tc': () => void (tableDepth === 1 && out.push(isHeadRow ? '</th>' : '</td>')),
  }
  parseWordXml(xml, maxDepth, {
    open(name, attributes) {
      if (LEFT_OUT.has(name)) omittedDepth++
      if (omittedDepth === 0) opens[name]?.(attributes)
    },
    close(name) {
      if (omittedDepth === 0) closes[name]?.()
      if (LEFT_OUT.has(name)) omittedDepth--
    },
    text(text) {
      if (!isText || omittedDepth > 0) return
      paragraph.text += isBold && text.trim() !== '' ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text)
    },
  })
  lists.end()
  return out.join('')
}
