// Marks in draft text for bold, links, terms of definitions and indentation, until blocks are built. They are
// private-use characters, which are first removed from the content.

export const marks = {
  bold: '\uE000',
  boldEnd: '\uE001',
  link: '\uE002',
  linkEnd: '\uE003',
  term: '\uE004',
  indent: '\uE005',
} as const

const ANY_MARK = /[\uE000-\uE005]/g
const BOLD_SPAN = /\uE000[^\uE000\uE001]*\uE001/g
const LINK_SPAN = /\uE002[^\uE002\uE003]*\uE003/g
const BETWEEN = /[\s|·•,;:/›»«‹←→<>–-]/g
const MARKER = /^\s*(?:-|\d+\.)\s/

export function withoutMarks(text: string): string {
  return text.replace(ANY_MARK, '')
}

export function isBoldOnly(line: string): boolean {
  return line.includes(marks.bold) && withoutMarks(line.replace(BOLD_SPAN, '')).trim() === ''
}

/** How many links a line consists of; 0 if it contains other text. */
export function linksOnly(line: string): number {
  const links = line.match(LINK_SPAN)?.length ?? 0
  const rest = withoutMarks(line.replace(LINK_SPAN, '').replace(MARKER, '')).replace(BETWEEN, '')
  return rest === '' ? links : 0
}

/** Whether a line starts with a link, like entries of a table of contents. */
export function startsWithLink(line: string): boolean {
  const text = line.replace(MARKER, '').trimStart()
  return text.startsWith(marks.link) || text.startsWith(marks.bold + marks.link)
}
