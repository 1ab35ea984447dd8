// HTML into blocks: what a reader sees, in reading order; scripts, styles, navigation and footers are left out.
import { Parser } from 'htmlparser2'
import type { Block } from './document-blocks.ts'

const IGNORED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'footer',
  'head',
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

export function parseHtml(content: string): Block[] {
  const blocks: Block[] = []
  let text = ''
  let ignoredDepth = 0
  let heading: { level: number; anchor: string | null } | null = null
  let nearestId: string | null = null

  function endBlock() {
    const tidy = text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').replace(/^ | $|\| $/g, ''))
      .filter((line) => line && line !== '-')
      .join('\n')
    text = ''
    if (tidy) blocks.push({ kind: 'text', text: tidy })
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      if (IGNORED.has(name)) ignoredDepth++
      if (ignoredDepth > 0) return
      const level = headingLevel(name)
      if (level) {
        endBlock()
        heading = { level, anchor: attributes.id ?? nearestId }
      } else if (BREAKS.has(name)) endBlock()
      else if (LINES.has(name)) text += name === 'li' ? '\n- ' : '\n'
      else if (name === 'td' || name === 'th') text += text.endsWith('\n') || text === '' ? '' : ' | '
      nearestId = attributes.id ?? (level ? null : nearestId)
    },
    ontext(part) {
      if (ignoredDepth === 0) text += part.replace(/\s+/g, ' ')
    },
    onclosetag(name) {
      if (IGNORED.has(name)) {
        ignoredDepth = Math.max(0, ignoredDepth - 1)
        return
      }
      if (ignoredDepth > 0) return
      if (headingLevel(name) && heading) {
        const title = text.replace(/\s+/g, ' ').trim()
        text = ''
        if (title) blocks.push({ kind: 'heading', level: heading.level, text: title, anchor: heading.anchor })
        heading = null
        nearestId = null
      } else if (BREAKS.has(name)) endBlock()
    },
  })
  parser.write(content)
  parser.end()
  endBlock()
  return blocks
}

function headingLevel(name: string): number {
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level ? Number(level) : 0
}
