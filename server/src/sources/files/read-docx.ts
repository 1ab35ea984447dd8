// Converts a Word document to HTML: headings, paragraphs, numbered lists and tables. Of the formatting only bold
// matters, because people use it for headings.
import { defaultParseLimits, type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import { parseXml } from '../extraction/parse-xml.ts'
import { readZipEntry } from './read-zip.ts'

const DEEPEST_LIST = 8

export function readDocx(bytes: Buffer, { maxBytes, maxDepth }: ParseLimits = defaultParseLimits): string {
  const part = (name: string) => readZipEntry(bytes, name, maxBytes)?.toString('utf8')
  const document = part('word/document.xml')
  if (document === undefined) throw new UnreadableFile('This file is not a valid Word document.')
  const styles = readStyles(part('word/styles.xml') ?? '', maxDepth)
  return toHtml(document, maxDepth, styles, readNumbering(part('word/numbering.xml') ?? '', maxDepth))
}

interface Style {
  level: number
  listId: string | null
  depth: number
}

/** Styles by id. Names are always English; ids depend on Word's language. */
function readStyles(xml: string, maxDepth: number): Map<string, Style> {
  const styles = new Map<string, Style>()
  let style: Style = { level: 0, listId: null, depth: 0 }
  parseXml(xml, maxDepth, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'w:style') {
        style = { level: 0, listId: null, depth: 0 }
        styles.set(attributes['w:styleId'] ?? '', style)
      } else if (name === 'w:numId') style.listId = value
      else if (name === 'w:ilvl') style.depth = depthOf(attributes)
      const heading = name === 'w:name' && /^(?:heading ([1-6])|(title))$/i.exec(value)
      if (heading) style.level = heading[2] ? 1 : Number(heading[1])
    },
  })
  return styles
}

interface Paragraph extends Style {
  text: string
}

const isOn = (attributes: Record<string, string>) => !['0', 'false', 'off'].includes(attributes['w:val'] ?? '')
const depthOf = (attributes: Record<string, string>) =>
  Math.min(Math.max(Number.parseInt(attributes['w:val'] ?? '0', 10) || 0, 0), DEEPEST_LIST)
const emptyParagraph = (): Paragraph => ({ text: '', level: 0, listId: null, depth: 0 })

function toHtml(xml: string, maxDepth: number, styles: Map<string, Style>, numbering: Numbering): string {
  const out: string[] = []
  const countItem = makeItemCounter(numbering)
  // Open lists, outermost first.
  const lists: string[] = []
  let paragraph = emptyParagraph()
  let isText = false
  let isBold = false
  let inRun = false
  let tableDepth = 0
  let isHeadRow = false
  // With change tracking, deleted text stays in the file.
  let deleted = 0

  function closeLists(depth: number) {
    while (lists.length > depth) out.push(`</${lists.pop()}>`)
  }

  function addItem({ text, listId, depth }: Paragraph) {
    const number = countItem(listId ?? '', depth)
    const tag = number === null ? 'ul' : 'ol'
    const wanted = depth + 1
    closeLists(wanted)
    if (lists.length === wanted && lists.at(-1) !== tag) closeLists(wanted - 1)
    while (lists.length < wanted) {
      lists.push(tag)
      out.push(`<${tag}>`)
    }
    out.push(number === null ? `<li>${text}</li>\n` : `<li value="${number}">${text}</li>\n`)
  }

  function endParagraph() {
    const ended = { ...paragraph, text: paragraph.text.replaceAll('</b><b>', '').trim() }
    paragraph = emptyParagraph()
    if (tableDepth > 0) {
      if (ended.text !== '') out.push(`${ended.text} `)
      return
    }
    if (ended.listId !== null && ended.level === 0 && ended.text !== '') return addItem(ended)
    if (ended.text === '') return
    closeLists(0)
    const tag = ended.level > 0 ? `h${ended.level}` : 'p'
    out.push(`<${tag}>${ended.text}</${tag}>\n`)
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
      Object.assign(paragraph, styles.get(attributes['w:val'] ?? ''))
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
    'w:del': () => void deleted++,
    'w:tbl': () => {
      closeLists(0)
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
    'w:del': () => void deleted--,
    'w:tbl': () => void (--tableDepth === 0 && out.push('</table>\n')),
    'w:tr': () => void (tableDepth === 1 && out.push('</tr>')),
    'w:tc': () => void (tableDepth === 1 && out.push(isHeadRow ? '</th>' : '</td>')),
  }
  parseXml(xml, maxDepth, {
    open: (name, attributes) => opens[name]?.(attributes),
    close: (name) => closes[name]?.(),
    text(text) {
      if (!isText || deleted > 0) return
      paragraph.text += isBold && text.trim() !== '' ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text)
    },
  })
  closeLists(0)
  return out.join('')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

// Which paragraphs of a Word document are list items, and how they are numbered.
export interface ListLevel {
  isOrdered: boolean
  start: number
}

/** List (`numId`) → level → format of its items. */
export type Numbering = Map<string, Map<number, ListLevel>>

const unnumbered = new Set(['bullet', 'none'])

export function readNumbering(xml: string, maxDepth: number): Numbering {
  const abstract = new Map<string, Map<number, ListLevel>>()
  const lists: Numbering = new Map()
  let abstractId = ''
  let listId = ''
  let level: ListLevel = { isOrdered: false, start: 1 }
  let overridden = -1

  const opens: Record<string, (attributes: Record<string, string>) => void> = {
    'w:abstractNum': (attributes) => {
      abstractId = attributes['w:abstractNumId'] ?? ''
      abstract.set(abstractId, new Map())
    },
    'w:lvl': (attributes) => {
      level = { isOrdered: true, start: 1 }
      if (overridden < 0) abstract.get(abstractId)?.set(Number(attributes['w:ilvl'] ?? 0), level)
    },
    'w:start': (attributes) => {
      level.start = Number(attributes['w:val']) || 0
    },
    'w:numFmt': (attributes) => {
      level.isOrdered = !unnumbered.has(attributes['w:val'] ?? '')
    },
    'w:num': (attributes) => {
      listId = attributes['w:numId'] ?? ''
    },
    'w:abstractNumId': (attributes) => {
      const levels = abstract.get(attributes['w:val'] ?? '') ?? new Map<number, ListLevel>()
      lists.set(listId, new Map([...levels].map(([depth, one]) => [depth, { ...one }])))
    },
    'w:lvlOverride': (attributes) => {
      overridden = Number(attributes['w:ilvl'] ?? 0)
    },
    'w:startOverride': (attributes) => {
      const own = lists.get(listId)?.get(overridden)
      if (own) own.start = Number(attributes['w:val']) || 0
    },
  }
  parseXml(xml, maxDepth, {
    open: (name, attributes) => opens[name]?.(attributes),
    close(name) {
      if (name === 'w:lvlOverride') overridden = -1
    },
  })
  return lists
}

/** Numbers list items: a list continues where it stopped, and an item restarts the levels below it. */
export function makeItemCounter(numbering: Numbering) {
  const counts = new Map<string, number[]>()
  /** Null for an item without a number. */
  return (listId: string, depth: number): number | null => {
    const levels = numbering.get(listId)
    const own = counts.get(listId) ?? []
    counts.set(listId, own)
    own.length = Math.min(own.length, depth + 1)
    own[depth] = (own[depth] ?? (levels?.get(depth)?.start ?? 1) - 1) + 1
    return levels?.get(depth)?.isOrdered ? own[depth] : null
  }
}
