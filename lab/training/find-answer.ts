// Where a copied answer stands in the passage it was copied from.
import { textOfBlocks } from '../../server/src/sources/documents/document-blocks.ts'
import { parseMarkdown } from '../../server/src/sources/documents/parse-markdown.ts'

/** Position of a copied answer in the parsed text, in which tables have become sentences. */
export function findAnswer(text: string, answer: string): { start: number; end: number } | undefined {
  const clean = textOfBlocks(parseMarkdown(answer.replace(/^\s*\|/, '').replaceAll('|', '\n\n')))
    .split('\n')
    .map((part) => part.replace(/^- /, '').trim())
    .filter(Boolean)
  let from = 0
  let first = -1
  for (const part of clean) {
    const at = text.indexOf(part, from)
    if (at < 0) return undefined
    if (first < 0) first = at
    from = at + part.length
  }
  return first < 0 ? undefined : { start: first, end: from }
}
