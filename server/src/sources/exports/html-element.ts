// Extracts elements by an attribute from machine-generated pages.
import { Parser } from 'htmlparser2'
import { createDepthCounter } from '../extraction/parse-limits.ts'

type Matches = (attributes: Record<string, string>) => boolean

/** The HTML inside the first matching element, without elements matching `leaveOut`; null if there is none. */
export function innerHtml(html: string, maxDepth: number, matches: Matches, leaveOut: Matches = () => false) {
  const nesting = createDepthCounter(maxDepth)
  const kept: string[] = []
  let insideFrom: number | null = null
  let outsideFrom: number | null = null
  let from = 0
  let isDone = false
  const parser: Parser = new Parser({
    onopentag(_name, attributes) {
      nesting.open()
      if (isDone) return
      if (insideFrom === null) {
        if (!matches(attributes)) return
        insideFrom = nesting.depth()
        from = parser.endIndex + 1
      } else if (outsideFrom === null && leaveOut(attributes)) {
        outsideFrom = nesting.depth()
        kept.push(html.slice(from, parser.startIndex))
      }
    },
    onclosetag() {
      if (!isDone && outsideFrom === nesting.depth()) {
        outsideFrom = null
        from = parser.endIndex + 1
      } else if (!isDone && insideFrom === nesting.depth()) {
        kept.push(html.slice(from, parser.startIndex))
        isDone = true
      }
      nesting.close()
    },
  })
  parser.end(html)
  return insideFrom === null ? null : kept.join('')
}

export function textOf(html: string): string {
  let text = ''
  new Parser({
    ontext(part) {
      text += part
    },
  }).end(html)
  return text.replace(/\s+/g, ' ').trim()
}

/** Links to other files of the export lead nowhere. */
export function withoutLocalLinks(html: string): string {
  return html.replace(/\s(?:href|src)="(?!https?:|mailto:)[^"]*"/gi, '')
}
