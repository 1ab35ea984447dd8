// Small Markdown tables, as real ones that scroll sideways: made from the nodes of a paragraph, so that text stays text.
import { element } from '../view/element.ts'

const RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Replaces each paragraph that contains a table. One block stays one node, so that a streaming answer can go on. */
export function showTables(body: Element) {
  for (const paragraph of [...body.children]) {
    const lines = paragraph.tagName === 'P' ? linesOf(paragraph) : []
    const at = lines.findIndex((line) => RULE.test(textOf(line)))
    const head = lines[at - 1]
    if (!head || !isRow(head)) continue
    const below = lines.slice(at + 1).findIndex((line) => !isRow(line))
    const end = below < 0 ? lines.length : at + 1 + below
    const parts = [
      paragraphOf(lines.slice(0, at - 1)),
      tableOf(cellsOf(head), lines.slice(at + 1, end).map(cellsOf)),
      paragraphOf(lines.slice(end)),
    ]
    paragraph.replaceWith(element('div', { class: 'tabular' }, ...parts))
  }
}

type Line = Node[]

function linesOf(paragraph: Element): Line[] {
  const lines: Line[] = [[]]
  for (const node of paragraph.childNodes) {
    if (node.nodeName === 'BR') lines.push([])
    else lines.at(-1)?.push(node)
  }
  return lines
}

function textOf(line: Line): string {
  return line.map(({ textContent }) => textContent).join('')
}

function isRow(line: Line): boolean {
  return textOf(line).trimStart().startsWith('|')
}

/** Only a pipe in the text itself ends a cell, not one in a link or in code. */
function cellsOf(line: Line): Line[] {
  const cells: Line[] = [[]]
  for (const node of line) {
    if (node.nodeName !== '#text') {
      cells.at(-1)?.push(node)
      continue
    }
    const [first = '', ...others] = (node.textContent ?? '').split('|')
    for (const [index, text] of [first, ...others].entries()) {
      if (index > 0) cells.push([])
      if (text.trim()) cells.at(-1)?.push(document.createTextNode(text))
    }
  }
  // Before the first pipe and after the last one there is nothing.
  return cells.slice(1, cells.at(-1)?.length ? undefined : -1)
}

function tableOf(head: Line[], rows: Line[][]) {
  const heading = (cell: Line) =>
    cell.length > 0 ? element('th', { scope: 'col' }, ...cellContent(cell)) : element('td')
  const row = (cells: Line[]) =>
    element(
      'tr',
      {},
      ...head.map((_, column) => {
        const content = cellContent(cells[column] ?? [])
        return column === 0 ? element('th', { scope: 'row' }, ...content) : element('td', {}, ...content)
      }),
    )
  return element(
    'div',
    { class: 'table', tabindex: 0 },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map(heading))),
      element('tbody', {}, ...rows.map(row)),
    ),
  )
}

/** Spaces beside the pipes are not part of the text. */
function cellContent(cell: Line): (Node | string)[] {
  return cell.map((node, index) => {
    if (node.nodeName !== '#text') return node
    const text = node.textContent ?? ''
    const cellText = index === 0 ? text.trimStart() : text
    return index === cell.length - 1 ? cellText.trimEnd() : cellText
  })
}

function paragraphOf(lines: Line[]) {
  return (
    lines.length > 0 && element('p', {}, ...lines.flatMap((line, at) => (at > 0 ? [element('br'), ...line] : line)))
  )
}
