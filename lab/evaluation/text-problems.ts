// What no reply should contain: leftovers of a page's markup, and sentences that say nothing alone.
import { isCallToAction } from '../../server/src/answers/compose/excerpt.ts'
import { languages } from '../../server/src/language/languages.ts'

const PROBLEMS: [name: string, pattern: RegExp][] = [
  ['heading marks', /(?:^|\n)\s*#{1,6}\s|###/],
  ['empty brackets', /\(\s*\)|\[\s*\]|“\s*”/],
  ['a raw table', /\|.*\|.*\|/],
  ['HTML', /<\/?(?:p|br|div|span|a|img|ul|li|table|strong|em)\b[^>]*>|&(?:nbsp|amp|lt|gt|quot);/i],
  ['a template', /\{\{|\{%|:::/],
  // Two quotes follow each other under bold names; before the first there may be a hedge.
  ['a colon with nothing after it', /[:：]\s*$|\n.*[:：]\s*\n\s*\n\*\*/],
  ['a cut word', /\p{L}…$/u],
  ['an image', /!\[/],
]
const STEP = /^\s*\d{1,2}[.)]\s/
const ITEM = /^\s*[-•*]\s+/
const LINK = /\[[^\]]*\]\([^)]*\)|https?:\/\/\S+/g
const TABLE = /(?<=^|\n)\|.+\|\n\|(?:\s*:?-+:?\s*\|)+(?:\n\|.+\|)+/g

export function textProblems(reply: string): string[] {
  // The widget renders a table.
  const text = reply.replace(TABLE, '(table)')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return [
    ...PROBLEMS.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])),
    ...(lines.some(invites) ? ['an invitation'] : []),
    ...(holdsOnlyLinks(lines) ? ['a list of links'] : []),
    ...(repeats(reply) ? ['a repeated sentence'] : []),
  ]
}

/** "Upgrade now.", in any language, as a line or a sentence of one; steps may say "Log in". */
function invites(line: string): boolean {
  if (STEP.test(line)) return false
  const sentences = line.replace(ITEM, '').split(/(?<=[.!。！])\s+/)
  return sentences.some((sentence) => languages.some((language) => isCallToAction(sentence, language)))
}

/** Two items or more that are links and nothing else. */
function holdsOnlyLinks(lines: string[]): boolean {
  const items = lines.filter((line) => ITEM.test(line))
  return items.length > 1 && items.every((item) => item.replace(ITEM, '').replace(LINK, '').trim() === '')
}

function repeats(reply: string): boolean {
  const sentences = reply.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.length > 25)
  return new Set(sentences.map((sentence) => sentence.trim().toLowerCase())).size < sentences.length
}
