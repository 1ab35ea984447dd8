// Markdown into blocks. Lists, tables and code stay line by line; inline marks and front matter go.
// Every pattern here takes linear time: none can look past the place where the next match could begin.
import { type Block, readableRow } from './document-blocks.ts'

export function parseMarkdown(content: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let fence: string | null = null
  let tableHead: string[] = []

  function endBlock() {
    const text = lines.join('\n').trim()
    if (text) blocks.push({ kind: 'text', text })
    lines = []
    tableHead = []
  }

  for (const line of withoutFrontMatter(content).split(/\r?\n/)) {
    const fenceMark = /^\s*(```|~~~)/.exec(line)?.[1] ?? null
    if (fenceMark && (fence === null || fence === fenceMark)) {
      fence = fence === null ? fenceMark : null
      continue
    }
    if (fence !== null) {
      lines.push(line)
      continue
    }
    const heading = /^\s{0,3}(#{1,6})\s/.exec(line)
    if (heading) {
      endBlock()
      const { title, anchor } = headingParts(line.slice(heading[0].length))
      const text = inlineText(title)
      if (text) blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text, anchor: anchor ?? slug(text) })
    } else if (line.trim() === '') {
      endBlock()
    } else if (isTableRule(line)) {
      tableHead = cells(lines.pop() ?? '')
    } else if (!isRule(line)) {
      pushLine(lines, line, tableHead)
    }
  }
  endBlock()
  return blocks
}

/** "Prices {#cost} ##" → "Prices" and "cost". */
function headingParts(rest: string): { title: string; anchor: string | null } {
  const line = rest.trim()
  let end = line.length
  while (line[end - 1] === '#') end--
  const closed = end === 0 || /\s/.test(line[end - 1] ?? '') ? line.slice(0, end).trimEnd() : line
  const anchor = /(?:^|\s)\{#([\w-]+)\}$/.exec(closed)
  return { title: closed.slice(0, anchor?.index).trimEnd(), anchor: anchor?.[1] ?? null }
}

/** Soft-wrapped lines of a paragraph are one line; list items and table rows keep their own. */
function pushLine(lines: string[], line: string, tableHead: string[]) {
  const isRow = /^\s*\|/.test(line)
  const text = inlineText(isRow ? line : line.replace(/^\s*>\s?/, ''))
  const startsItem = isRow || /^\s*([-*+]|\d+[.)])\s+/.test(line)
  if (isRow && tableHead.length > 0) lines.push(readableRow(tableHead, cells(text)))
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
  if (!/[[<*_`\\]/.test(text)) return text
  return text
    .replace(/!\[([^[\]]*)\]\([^[)]*\)/g, '$1')
    .replace(/\[([^[\]]+)\]\([^[)]*\)/g, '$1')
    .replace(/<(https?:[^<>\s]+)>/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\*\*(?=\S)(\*?[^*]+(?:\*[^*]+)*)(?<=\S)\*\*/g, '$1')
    .replace(/__(?=\S)(_?[^_]+(?:_[^_]+)*)(?<=\S)__/g, '$1')
    .replace(/(^|[^\w*])[*_](?=\S)([^*_]*\S)[*_](?=[^\w*]|$)/g, '$1$2')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|])/g, '$1')
}

/** The anchor that common Markdown renderers give a heading. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
