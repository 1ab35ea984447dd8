// Converts a PowerPoint presentation to HTML: each slide under its title, with its lists and tables.
import { UnreadableFile } from '../extraction/parse-limits.ts'
import { parseXml } from '../extraction/parse-xml.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { mainPart, makeListWriter, type OfficeArchive } from './office-archive.ts'

const MAX_SLIDES = 2000
const DEEPEST_LIST = 8
const TITLES = new Set(['title', 'ctrTitle'])
// Repeated on every slide.
const FRAMES = new Set(['sldNum', 'ftr', 'dt', 'hdr', 'sldImg'])

export function readPptx(archive: OfficeArchive): string {
  const { part, relations, limits } = archive
  const name = mainPart(archive, 'ppt/presentation.xml')
  const presentation = part(name)
  if (presentation === undefined) throw new UnreadableFile('This file is not a valid PowerPoint presentation.')
  const parts = new Map(relations(name).map(({ id, target }) => [id, target]))
  const targets = slideIds(presentation, limits.maxDepth).flatMap((id) => parts.get(id) ?? [])
  if (targets.length > MAX_SLIDES) throw new UnreadableFile(`This presentation has more than ${MAX_SLIDES} slides.`)
  return targets.map((target, index) => readSlide(part(target) ?? '', index + 1, limits.maxDepth)).join('')
}

function slideIds(presentation: string, maxDepth: number): string[] {
  const ids: string[] = []
  parseXml(presentation, maxDepth, {
    open(name, attributes) {
      if (name === 'p:sldId' && attributes['r:id']) ids.push(attributes['r:id'])
    },
  })
  return ids
}

/** Empty for a hidden slide, or one without text. */
function readSlide(xml: string, number: number, maxDepth: number): string {
  const out: string[] = []
  const lists = makeListWriter(out)
  let title = ''
  let isHidden = false
  /** What kind of placeholder the shape is; null for one outside the layout, such as a text box. */
  let placeholder: string | null = null
  let paragraph = emptyParagraph()
  // Of numbered points, by their depth.
  let counts: number[] = []
  let isText = false
  let inTable = false
  let isHeadTable = false
  let rows = 0

  function endParagraph() {
    const { isBullet, depth, start } = paragraph
    const text = paragraph.text.trim()
    paragraph = emptyParagraph()
    if (text === '' || FRAMES.has(placeholder ?? '')) return
    if (inTable) return void out.push(`${text} `)
    if (TITLES.has(placeholder ?? '')) {
      title += `${title && ' '}${text.replaceAll('<br>', ' ')}`
      return
    }
    // Points of a content placeholder have bullets unless they say otherwise.
    if (start !== null) lists.add(text, countPoint(start, depth), depth)
    else if (isBullet ?? (placeholder !== null && placeholder !== 'subTitle')) lists.add(text, null, depth)
    else {
      lists.end()
      out.push(`<p>${text}</p>\n`)
    }
    if (start === null) counts.length = Math.min(counts.length, depth)
  }

  function countPoint(start: number, depth: number): number {
    counts.length = Math.min(counts.length, depth + 1)
    const number = (counts[depth] ?? start - 1) + 1
    counts[depth] = number
    return number
  }

  const opens: Record<string, (attributes: Record<string, string>) => void> = {
    'p:sld': ({ show }) => {
      isHidden = show === '0' || show === 'false'
    },
    'p:sp': () => {
      placeholder = null
    },
    'p:ph': ({ type }) => {
      placeholder = type ?? 'obj'
    },
    'a:pPr': ({ lvl }) => {
      paragraph.depth = Math.min(Math.max(Number(lvl) || 0, 0), DEEPEST_LIST)
    },
    'a:buNone': () => {
      paragraph.isBullet = false
    },
    'a:buChar': () => {
      paragraph.isBullet = true
    },
    'a:buAutoNum': ({ startAt }) => {
      paragraph.start = Number(startAt) || 1
    },
    'a:t': () => {
      isText = true
    },
    'a:br': () => {
      paragraph.text += '<br>'
    },
    'a:tbl': () => {
      lists.end()
      inTable = true
      isHeadTable = false
      rows = 0
      out.push('<table>')
    },
    'a:tblPr': ({ firstRow }) => {
      isHeadTable = firstRow === '1' || firstRow === 'true'
    },
    'a:tr': () => {
      rows++
      out.push('<tr>')
    },
    'a:tc': ({ gridSpan, rowSpan, hMerge, vMerge }) => {
      const isCovered = [hMerge, vMerge].some((value) => value === '1' || value === 'true')
      paragraph.text = ''
      if (isCovered) return
      out.push(`<${cellTag()}${span('colspan', gridSpan)}${span('rowspan', rowSpan)}>`)
    },
  }
  const closes: Record<string, () => void> = {
    'a:t': () => {
      isText = false
    },
    'a:p': endParagraph,
    'a:tr': () => void out.push('</tr>'),
    'a:tbl': () => {
      inTable = false
      out.push('</table>\n')
    },
    'p:sp': () => {
      lists.end()
      counts = []
      placeholder = null
    },
  }
  const cellTag = () => (isHeadTable && rows === 1 ? 'th' : 'td')
  let omittedDepth = 0
  parseXml(xml, maxDepth, {
    open(name, attributes) {
      if (name === 'mc:Fallback') omittedDepth++
      if (omittedDepth === 0) opens[name]?.(attributes)
    },
    close(name) {
      if (omittedDepth === 0) closes[name]?.()
      if (name === 'mc:Fallback') omittedDepth--
    },
    text(text) {
      if (isText && omittedDepth === 0) paragraph.text += escapeHtml(text)
    },
  })
  lists.end()
  const body = out.join('')
  if (isHidden || (body === '' && title === '')) return ''
  return `<h2>${title || `Slide ${number}`}</h2>\n${body}`
}

interface Paragraph {
  text: string
  depth: number
  /** Null where the layout decides. */
  isBullet: boolean | null
  /** Of a numbered point: what its list starts at. */
  start: number | null
}

function emptyParagraph(): Paragraph {
  return { text: '', depth: 0, isBullet: null, start: null }
}

function span(name: string, value: string | undefined): string {
  const count = Number(value) || 1
  return count > 1 ? ` ${name}="${count}"` : ''
}
