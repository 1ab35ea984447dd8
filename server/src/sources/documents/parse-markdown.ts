// Markdown into blocks. Lists, tables and code keep their lines; inline markup and front matter are removed.
// All patterns take linear time: none can match beyond the start of the next possible match.
import { decodeHTML } from 'entities'
import { asksForFeedback, introducesLinks, isNavigationPhrase } from '../html/clean-blocks.ts'
import { parseHtml } from '../html/parse-html.ts'
import { type Block, readableRow } from './document-blocks.ts'

export function parseMarkdown(content: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let fence: string | null = null
  let tableHead: string[] = []
  let level = 0
  // The last real heading's anchor: bold lines have none.
  let nearest: string | null = null
  // The levels of open <details> sections, outermost first.
  const folds: number[] = []
  let html: string[] = []
  let htmlOpen = 0
  let htmlLength = 0

  function endBlock() {
    const raw = lines
    lines = []
    tableHead = []
    const [only = ''] = raw
    const bold = raw.length === 1 ? BOLD_LINE.exec(only.trim())?.[1] : undefined
    if (bold) {
      blocks.push({
        kind: 'heading',
        level: Math.min((folds.at(-1) ?? level) + 1, DEEPEST_HEADING),
        text: inlineText(bold),
        anchor: nearest,
      })
      return
    }
    if (isLinkList(raw) && !introducesLinks(blocks.at(-1))) return
    const text = renumber(raw.map(inlineText)).join('\n').trim()
    if (text && !asksForFeedback(text) && !isNavigationPhrase(text)) blocks.push({ kind: 'text', text })
  }

  function addHeading(at: number, raw: string) {
    const { title, anchor } = headingParts(raw)
    const text = inlineText(title)
    if (!text) return
    nearest = anchor ?? slug(text)
    blocks.push({ kind: 'heading', level: at, text, anchor: nearest })
  }

  function openFold(summary: string) {
    const at = Math.min((folds.at(-1) ?? level) + 1, DEEPEST_HEADING)
    folds.push(at)
    blocks.push({ kind: 'heading', level: at, text: inlineText(summary).trim(), anchor: nearest })
  }

  function closeFold() {
    const at = folds.pop()
    const last = blocks.at(-1)
    if (at === undefined) return
    // An empty section becomes its title as text.
    if (last?.kind === 'heading' && last.level === at) blocks[blocks.length - 1] = { kind: 'text', text: last.text }
    blocks.push({ kind: 'end', level: at })
  }

  function endHtml() {
    if (html.length > 0) blocks.push(...parseHtml(html.join('\n'), folds.at(-1) ?? level))
    html = []
    htmlOpen = 0
    htmlLength = 0
  }

  for (const line of withoutFrontMatter(content).split(/\r?\n/)) {
    const fenceMark = /^\s*(```|~~~)/.exec(line)?.[1] ?? null
    if (fenceMark && (fence === null || fence === fenceMark)) {
      fence = fence === null ? fenceMark : null
      continue
    }
    if (fence !== null) {
      lines.push(line.replaceAll('`', ''))
      continue
    }
    const summary = SUMMARY_LINE.exec(line)?.[1]
    if (summary !== undefined || /^\s*<\/details>\s*$/i.test(line)) {
      endHtml()
      endBlock()
      if (summary === undefined) closeFold()
      else openFold(summary)
      continue
    }
    if (/^\s*<details[^<>]*>\s*$/i.test(line)) continue
    if (html.length > 0 || (lines.length === 0 && HTML_BLOCK.test(line))) {
      // An HTML block ends at a blank line, unless a table or a list is still open.
      if (line.trim() === '' && (htmlOpen <= 0 || htmlLength > LONGEST_HTML)) endHtml()
      else html.push(line)
      htmlOpen += countOpened(line)
      htmlLength += line.length
      continue
    }
    const heading = /^\s{0,3}(#{1,6})\s/.exec(line)
    if (heading) {
      endBlock()
      level = heading[1]?.length ?? 1
      while ((folds.at(-1) ?? 0) >= level) folds.pop()
      addHeading(level, line.slice(heading[0].length))
    } else if (line.trim() === '') {
      endBlock()
    } else if (isTableRule(line)) {
      tableHead = cells(inlineText(lines.pop() ?? ''))
    } else if (!isRule(line) && !LINK_DEFINITION.test(line)) {
      pushLine(lines, line, tableHead)
    }
  }
  endHtml()
  endBlock()
  return blocks
}

const DEEPEST_HEADING = 6
const BOLD_LINE = /^(?:\*\*|__)([^*_,.!\d]{2,80})(?:\*\*|__):?$/
const HTML_BLOCK = /^\s{0,3}<(?:table|ul|ol|dl|div|p|details|section|article|h[1-6]|blockquote|figure)(?=[\s>/]|$)/i
const SUMMARY_LINE = /^\s*(?:<details[^<>]*>\s*)?<summary[^<>]*>([^<>]*(?:<[^<>]*>[^<>]*)*)<\/summary>\s*$/i
const LINK_DEFINITION = /^\s{0,3}\[[^[\]]+\]:\s+\S+(?:\s+["'(].*)?$/
const LINK_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[[^[\]]*\]\([^()]*\)[.;,]?\s*$/
const ORDERED_ITEM = /^(\s*)1([.)])\s/
// Elements must close within this length, or a stray tag would swallow the page.
const LONGEST_HTML = 20_000

/** How many more tables and lists a line opens than it closes. */
function countOpened(line: string): number {
  const count = (pattern: RegExp) => line.match(pattern)?.length ?? 0
  return count(/<(?:table|ul|ol|dl)(?=[\s>]|$)/gi) - count(/<\/(?:table|ul|ol|dl)>/gi)
}

/** Navigation: a list of nothing but links has no content. */
function isLinkList(lines: string[]): boolean {
  return lines.length > 1 && lines.every((line) => LINK_ITEM.test(line))
}

/** Renumbers lists, since Markdown allows 1 for every item. */
function renumber(lines: string[]): string[] {
  const ones = lines.filter((line) => ORDERED_ITEM.test(line))
  if (ones.length < 2) return lines
  const counts = new Map<number, number>()
  return lines.map((line) => {
    const match = ORDERED_ITEM.exec(line)
    if (!match) return line
    const depth = match[1]?.length ?? 0
    for (const deeper of [...counts.keys()].filter((one) => one > depth)) counts.delete(deeper)
    const count = (counts.get(depth) ?? 0) + 1
    counts.set(depth, count)
    return line.replace(ORDERED_ITEM, `$1${count}$2 `)
  })
}

/** "Prices {#cost} ##" → "Prices" and "cost". */
function headingParts(rest: string): { title: string; anchor: string | null } {
  const line = rest.trim()
  let end = line.length
  while (line[end - 1] === '#') end--
  const heading = end === 0 || /\s/.test(line[end - 1] ?? '') ? line.slice(0, end).trimEnd() : line
  const anchor = /(?:^|\s)\{#([\w=-]+)\}$/.exec(heading)
  return { title: heading.slice(0, anchor?.index).trimEnd(), anchor: anchor?.[1] ?? null }
}

/** Joins soft-wrapped lines of a paragraph; list items and table rows keep their lines. */
function pushLine(lines: string[], line: string, tableHead: string[]) {
  const isRow = /^\s*\|/.test(line)
  const text = isRow ? line : line.replace(/^\s*>\s?/, '')
  const startsItem = isRow || /^\s*([-*+]|\d+[.)])\s+/.test(line)
  if (isRow && tableHead.length > 0) lines.push(readableRow(tableHead, cells(inlineText(text))))
  else if (startsItem || lines.length === 0) lines.push(text.replace(/^\s*[*+-]\s+/, '- '))
  else lines[lines.length - 1] += ` ${text.trim()}`
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function isTableRule(line: string): boolean {
  return /^\|?(\s*:?-{2,}:?\s*\|)+(\s*:?-{2,}:?)?$/.test(line.trim())
}

function isRule(line: string): boolean {
  return /^(-{3,}|\*{3,}|_{3,})$/.test(line.replace(/\s+/g, ''))
}

function withoutFrontMatter(content: string): string {
  return content.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
}

function inlineText(text: string): string {
  if (!/[[<*_`\\&]/.test(text)) return text
  const plain = text
    // Code stays literal: `/widget/<language>.json`.
    .replace(/`([^`]+)`/g, (_, code: string) => code.replace(/[<>&*_[\]!\\]/g, (mark) => `&#${mark.charCodeAt(0)};`))
    .replace(/<!--[^<>]*-->/g, '')
    .replace(/!\[([^[\]]*)\]\([^[)]*\)/g, '$1')
    .replace(/\[([^[\]]+)\](?:\([^[)]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<(https?:[^<>\s]+)>/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\*\*(?=\S)(\*?[^*]+(?:\*[^*]+)*)(?<=\S)\*\*/g, '$1')
    .replace(/__(?=\S)(_?[^_]+(?:_[^_]+)*)(?<=\S)__/g, '$1')
    .replace(/(^|[^\w*])[*_](?=\S)([^*_]*\S)[*_](?=[^\w*]|$)/g, '$1$2')
    .replace(/\\([\\`*_{}[\]()#+\-.!|])/g, '$1')
  // Last, so that escaped tags in the text are not removed as tags.
  return decodeHTML(plain).replaceAll('\u00a0', ' ')
}

/** The anchor that common Markdown renderers give a heading. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
