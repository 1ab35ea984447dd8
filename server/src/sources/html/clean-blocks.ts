// Turns drafts into blocks: sets heading levels, makes bold lines headings and definitions questions or facts, and
// removes navigation.
import type { Block } from '../documents/document-blocks.ts'
import { asksForFeedback, introducesLinks, isListOfPagesTitle, isNavigationPhrase } from './boilerplate.ts'
import { isBoldOnly, linksOnly, marks, startsWithLink, withoutMarks } from './text-marks.ts'

/** Parser output; its text still contains marks. */
export type Draft =
  | { kind: 'heading'; level: number; text: string; anchor: string | null }
  /** The title of a collapsible section, one level below its surroundings, until its end. */
  | { kind: 'title'; text: string; anchor: string | null }
  | { kind: 'title-end' }
  | { kind: 'text'; text: string }

const DEEPEST_HEADING = 6
const LONGEST_BOLD_HEADING = 80
const LONGEST_TERM = 200
// Definitions with this many words on average are answers to questions; shorter ones are facts such as sizes.
const ANSWER_WORDS = 12

export function cleanBlocks(drafts: Draft[], outerLevel: number): Block[] {
  const blocks: Block[] = []
  // The level of the last heading outside collapsible sections, and those of the open sections.
  let base = outerLevel
  const open: (number | null)[] = []
  let anchor: string | null = null
  // Positions of the last bold line and the last title that became headings.
  let boldAt = -2
  let titleAt = -2
  let afterListTitle = false

  const innermost = () => open.findLast((level) => level !== null) ?? base
  const nextLevel = () => Math.min(innermost() + 1, DEEPEST_HEADING)

  /** A bold line or a title without content becomes text. */
  function keepAsText() {
    const block = blocks.pop()
    if (block?.kind === 'heading' && !isListOfPagesTitle(block.text)) blocks.push({ kind: 'text', text: block.text })
  }

  function push(block: Block) {
    const last = blocks.length - 1
    if ((boldAt === last && block.kind !== 'text') || (titleAt === last && block.kind === 'end')) keepAsText()
    blocks.push(block)
  }

  function pushHeading(level: number, text: string, anchor: string | null) {
    afterListTitle = isListOfPagesTitle(text)
    if (!asksForFeedback(text)) push({ kind: 'heading', level, text, anchor })
  }

  function pushText(lines: string[]) {
    const text = lines.map(withoutMarks).join('\n')
    if (text.trim() === '' || asksForFeedback(text) || isNavigationPhrase(text)) return
    if (leadsElsewhere(lines, blocks.at(-1), afterListTitle)) return
    if (isListOfPagesTitle(text)) {
      afterListTitle = true
      return
    }
    afterListTitle = false
    push({ kind: 'text', text })
  }

  function pushParagraph(lines: string[]) {
    let group: string[] = []
    for (const line of lines) {
      const text = withoutMarks(line).trim()
      if (!isBoldHeading(line, text)) {
        group.push(line)
        continue
      }
      pushText(group)
      group = []
      pushHeading(nextLevel(), text.replace(/:$/, ''), anchor)
      boldAt = blocks.at(-1)?.kind === 'heading' ? blocks.length - 1 : -2
    }
    pushText(group)
  }

  function pushDefinitions(lines: string[]) {
    const pairs = definitions(lines)
    const level = nextLevel()
    if (!areQuestions(pairs))
      return pushText(pairs.map(({ term, text }) => [term, text.join(' ')].filter(Boolean).join(': ')))
    for (const { term, text } of pairs) {
      if (term) pushHeading(level, withoutMarks(term).trim(), anchor)
      pushText(text)
    }
    push({ kind: 'end', level })
  }

  for (const draft of drafts) {
    if (draft.kind === 'heading') {
      for (const [index, level] of open.entries()) if (level !== null && draft.level <= level) open[index] = null
      if (open.every((level) => level === null)) base = draft.level
      anchor = draft.anchor
      pushHeading(draft.level, draft.text, anchor)
    } else if (draft.kind === 'title') {
      const level = nextLevel()
      open.push(level)
      pushHeading(level, draft.text, draft.anchor ?? anchor)
      titleAt = blocks.at(-1)?.kind === 'heading' ? blocks.length - 1 : -2
    } else if (draft.kind === 'title-end') {
      const level = open.pop() ?? null
      if (level !== null) push({ kind: 'end', level })
    } else {
      const lines = draft.text.split('\n')
      if (draft.text.includes(marks.term)) pushDefinitions(lines)
      else pushParagraph(lines)
    }
  }
  if (boldAt === blocks.length - 1) keepAsText()
  return blocks
}

function isBoldHeading(line: string, text: string): boolean {
  return isBoldOnly(line) && text.length <= LONGEST_BOLD_HEADING && /^[^,.!\d]{2,}$/.test(text)
}

/** Lists of nothing but links are navigation, unless a sentence or a question introduces them. */
function leadsElsewhere(lines: string[], before: Block | undefined, afterListTitle: boolean): boolean {
  if (afterListTitle) return lines.every(startsWithLink)
  const counts = lines.map(linksOnly)
  if (counts.some((count) => count === 0) || counts.reduce((sum, count) => sum + count, 0) < 2) return false
  return !introducesLinks(before)
}

function definitions(lines: string[]): { term: string; text: string[] }[] {
  const pairs: { term: string; text: string[] }[] = []
  for (const line of lines) {
    const last = pairs.at(-1)
    if (line.startsWith(marks.term)) {
      const term = line.slice(1)
      // Several terms may share a definition.
      if (last && last.text.length === 0) last.term += `, ${term}`
      else pairs.push({ term, text: [] })
    } else if (last) last.text.push(line)
    else pairs.push({ term: '', text: [line] })
  }
  return pairs
}

function areQuestions(pairs: { term: string; text: string[] }[]): boolean {
  if (pairs.some(({ term }) => term.length > LONGEST_TERM)) return false
  if (pairs.some(({ term }) => /[?？]\W*$/u.test(term))) return true
  const words = pairs.reduce((sum, { text }) => sum + text.join(' ').split(' ').length, 0)
  return words / pairs.length >= ANSWER_WORDS
}
