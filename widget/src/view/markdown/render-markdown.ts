import { parseBlocks, renderBlock } from './parse-markdown.ts'

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
