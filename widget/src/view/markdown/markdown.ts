// A safe subset of Markdown: paragraphs, headings, lists, code, bold, italic, links. Images become their alt text and
// HTML stays text.
import { element } from '../element.ts'
import { safeUrl } from './safe-url.ts'

interface Block {
  kind: 'p' | 'h' | 'pre' | 'ul' | 'ol'
  lines: string[]
}

const ITEM = /^\s{0,8}(?:[-*+•]|(\d{1,9})[.)])\s+(.*)$/
const FENCE = /^\s{0,3}(```|~~~)/
const HEADING = /^\s{0,3}#{1,6}\s+(.*?)\s*#*$/
const renderedBlocks = new WeakMap<Element, string[]>()
// Hide incomplete syntax at the end of a streaming answer.
const UNFINISHED = /!?\[[^\]\n]*(?:\]\([^)\n]*)?$|[*_`~]+$/

/** Renders the text into the element. Unchanged blocks keep their nodes. */
export function renderMarkdown(target: Element, text: string, isFinished: boolean) {
  const blocks = parseBlocks(isFinished ? text : text.replace(UNFINISHED, ''))
  const before = renderedBlocks.get(target) ?? []
  const now = blocks.map((block) => JSON.stringify(block))
  renderedBlocks.set(target, now)
  blocks.forEach((block, index) => {
    if (now[index] === before[index]) return
    const old = target.children[index]
    if (old) old.replaceWith(renderBlock(block))
    else target.append(renderBlock(block))
  })
  while (target.children.length > blocks.length) target.lastElementChild?.remove()
}

function parseBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  let fence: string | undefined
  const begin = (kind: Block['kind'], ...lines: string[]) => {
    open = { kind, lines }
    blocks.push(open)
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1]
    if (fence ? mark === fence : mark) {
      if (fence) open = undefined
      else begin('pre')
      fence = fence ? undefined : mark
    } else if (fence) {
      open?.lines.push(line)
    } else if (!line.trim()) {
      // Empty lines between items do not end a list.
      if (open?.kind[1] !== 'l') open = undefined
    } else {
      const item = ITEM.exec(line)
      const heading = HEADING.exec(line)?.[1]
      const kind = item?.[1] ? 'ol' : 'ul'
      if (item && open?.kind === kind) open.lines.push(item[2] ?? '')
      else if (item) begin(kind, item[2] ?? '')
      else if (heading !== undefined) begin('h', heading)
      else if (open?.kind === 'p') open.lines.push(line)
      else if (open && /^\s{2,}/.test(line) && open.kind[1] === 'l')
        open.lines.push(`${open.lines.pop()}\n${line.trim()}`)
      else begin('p', line)
    }
  }
  return blocks
}

function renderBlock({ kind, lines }: Block): HTMLElement {
  if (kind === 'pre') return element('pre', { tabindex: 0 }, element('code', {}, lines.join('\n')))
  if (kind === 'ul' || kind === 'ol')
    return element(kind, {}, ...lines.map((line) => element('li', {}, ...renderInline(line))))
  const nodes = renderInline(lines.join('\n'))
  return kind === 'h' ? element('p', {}, element('strong', {}, ...nodes)) : element('p', {}, ...nodes)
}

const INLINE = new RegExp(
  [
    /\\([!-/:-@[-`{-~])/, // 1: escaped character
    /(?<tick>`+)([^`]|[^`].*?[^`])\k<tick>(?!`)/, // 3: code
    /(!?)\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:[^\s<>()]|\([^\s<>()]*\))*)>?(?:\s+"[^"]*")?\s*\)/, // 5, 6: link
    /(?<strong>\*\*|__)(?=\S)(.*?\S)\k<strong>/, // 8: bold
    /(?<![\w*])(?<em>[*_])(?=[^\s*_])(.*?[^\s*_])\k<em>(?!\w)/, // 10: italic
    /<?(\bhttps?:\/\/[^\s<>"]+[^\s<>".,:;!?'’”)\]*_])>?/, // 11: URL
    /([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/, // 12: email
    /(\n)/, // 13: line break
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

function renderInline(text: string, depth = 0): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let plain = ''
  let at = 0
  const push = (node: Node) => {
    if (plain) nodes.push(plain)
    plain = ''
    nodes.push(node)
  }
  for (const match of depth > 4 ? [] : text.matchAll(INLINE)) {
    const [whole, escapedCharacter, , code, picture, label, target, , bold, , italic, address, email, line] = match
    plain += text.slice(at, match.index)
    at = match.index + whole.length
    const inside = (part: string) => renderInline(part, depth + 1)
    if (escapedCharacter) plain += escapedCharacter
    else if (code) push(element('code', {}, code.trim()))
    else if (label !== undefined) {
      const url = picture ? null : safeUrl(target)
      const parts = inside(label)
      if (url) push(linkNode(url, ...parts))
      else
        for (const part of parts) {
          if (typeof part === 'string') plain += part
          else push(part)
        }
    } else if (bold) push(element('strong', {}, ...inside(bold)))
    else if (italic) push(element('em', {}, ...inside(italic)))
    else if (line) push(element('br'))
    else {
      const url = safeUrl(email ? `mailto:${email}` : address)
      if (url) push(linkNode(url, email ?? address ?? ''))
      else plain += whole
    }
  }
  plain += text.slice(at)
  return plain ? [...nodes, plain] : nodes
}

export function linkNode(url: string, ...content: (Node | string)[]): HTMLAnchorElement {
  return element('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...content)
}
