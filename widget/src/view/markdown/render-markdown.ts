import { blockNode, blocksOf } from './parse-markdown.ts'

const shown = new WeakMap<Element, string[]>()
// What is still being written looks broken until its end has come.
const UNFINISHED = /!?\[[^\]\n]*(?:\]\([^)\n]*)?$|[*_`~]+$/

/** Brings the element's children in line with the text; blocks that did not change keep their nodes. */
export function renderMarkdown(target: Element, text: string, finished: boolean) {
  const blocks = blocksOf(finished ? text : text.replace(UNFINISHED, ''))
  const before = shown.get(target) ?? []
  const now = blocks.map((block) => JSON.stringify(block))
  shown.set(target, now)
  blocks.forEach((block, index) => {
    if (now[index] === before[index]) return
    const old = target.children[index]
    if (old) old.replaceWith(blockNode(block))
    else target.append(blockNode(block))
  })
  while (target.children.length > blocks.length) target.lastElementChild?.remove()
}
