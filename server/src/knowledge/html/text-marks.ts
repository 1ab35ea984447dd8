// Text on its way into blocks carries marks of what was bold, a link, the term of a definition or indented, until it is known
// what becomes of it. They are private characters, which are taken out of the content first.

export const marks = {
  bold: '\uE000',
  boldEnd: '\uE001',
  link: '\uE002',
  linkEnd: '\uE003',
  term: '\uE004',
  indent: '\uE005',
} as const

const anyMark = /[\uE000-\uE005]/g
const boldSpan = /\uE000[^\uE000\uE001]*\uE001/g
const linkSpan = /\uE002[^\uE002\uE003]*\uE003/g
const between = /[\s|·•,;:/›»«‹←→<>–-]/g
const marker = /^\s*(?:-|\d+\.)\s/

export function withoutMarks(text: string): string {
  return text.replace(anyMark, '')
}

export function isBoldOnly(line: string): boolean {
  return line.includes(marks.bold) && withoutMarks(line.replace(boldSpan, '')).trim() === ''
}

/** How many links a line consists of; 0 where it says something else, too. */
export function linksOnly(line: string): number {
  const links = line.match(linkSpan)?.length ?? 0
  const rest = withoutMarks(line.replace(linkSpan, '').replace(marker, '')).replace(between, '')
  return rest === '' ? links : 0
}

/** Whether a line begins with a link, as the entries of a table of contents do. */
export function startsWithLink(line: string): boolean {
  const text = line.replace(marker, '').trimStart()
  return text.startsWith(marks.link) || text.startsWith(marks.bold + marks.link)
}
