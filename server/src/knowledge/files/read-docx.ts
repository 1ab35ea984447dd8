// A Word document as HTML: headings, paragraphs, lists and tables. Its looks do not matter here.
import { Parser } from 'htmlparser2'
import { readZipEntry } from './read-zip.ts'
import { UnreadableFile } from './unreadable-file.ts'

const MOST_BYTES = 100 * 1024 * 1024

export function readDocx(bytes: Buffer): string {
  const document = readZipEntry(bytes, 'word/document.xml', MOST_BYTES)
  if (!document) throw new UnreadableFile('This is not a Word document (.docx).')
  const styles = headingStyles(readZipEntry(bytes, 'word/styles.xml', MOST_BYTES)?.toString('utf8') ?? '')
  return toHtml(document.toString('utf8'), styles)
}

/** Style id → level. Names are in English whatever language Word speaks; ids are not. */
function headingStyles(xml: string): Map<string, number> {
  const levels = new Map<string, number>()
  let id = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:style') id = attributes['w:styleId'] ?? ''
        const level = name === 'w:name' && /^(?:heading ([1-6])|(title))$/i.exec(attributes['w:val'] ?? '')
        if (level) levels.set(id, level[2] ? 1 : Number(level[1]))
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return levels
}

interface Paragraph {
  text: string
  level: number
  isItem: boolean
}

function toHtml(xml: string, styles: Map<string, number>): string {
  const out: string[] = []
  let paragraph: Paragraph = { text: '', level: 0, isItem: false }
  let isText = false
  let tableDepth = 0
  let inList = false
  // Word keeps what was deleted while changes are tracked.
  let deleted = 0

  function endParagraph() {
    const { text, level, isItem } = paragraph
    paragraph = { text: '', level: 0, isItem: false }
    if (tableDepth > 0) {
      if (text.trim() !== '') out.push(`${text.trim()} `)
      return
    }
    if (inList !== isItem) out.push(isItem ? '<ul>' : '</ul>')
    inList = isItem
    if (text.trim() === '') return
    const tag = isItem ? 'li' : level > 0 ? `h${level}` : 'p'
    out.push(`<${tag}>${text.trim()}</${tag}>\n`)
  }

  const opens: Record<string, (attributes: Record<string, string>) => void> = {
    'w:t': () => {
      isText = true
    },
    'w:tab': () => {
      paragraph.text += ' '
    },
    'w:br': () => {
      paragraph.text += '<br>'
    },
    'w:pStyle': (attributes) => {
      paragraph.level = styles.get(attributes['w:val'] ?? '') ?? 0
    },
    'w:numPr': () => {
      paragraph.isItem = paragraph.level === 0
    },
    'w:del': () => void deleted++,
    'w:tbl': () => {
      if (inList) out.push('</ul>')
      inList = false
      if (tableDepth++ === 0) out.push('<table>')
    },
    'w:tr': () => void (tableDepth === 1 && out.push('<tr>')),
    'w:tc': () => void (tableDepth === 1 && out.push('<td>')),
  }
  const closes: Record<string, () => void> = {
    'w:t': () => {
      isText = false
    },
    'w:p': endParagraph,
    'w:del': () => void deleted--,
    'w:tbl': () => void (--tableDepth === 0 && out.push('</table>\n')),
    'w:tr': () => void (tableDepth === 1 && out.push('</tr>')),
    'w:tc': () => void (tableDepth === 1 && out.push('</td>')),
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => opens[name]?.(attributes),
      onclosetag: (name) => closes[name]?.(),
      ontext(text) {
        if (isText && deleted === 0) paragraph.text += escaped(text)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (inList) out.push('</ul>')
  return out.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
