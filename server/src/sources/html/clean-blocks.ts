// Turns drafts into blocks: sets heading levels, makes bold lines headings and definitions questions or facts, and
// removes navigation.
import type { Block } from '../documents/document-blocks.ts'
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

// Phrases around help centre articles, as whole blocks, in common languages.
const LONGEST = 160

const FEEDBACK = [
  'was this (?:article|page|answer|topic|information|content|document|guide)? ?(?:helpful|useful)',
  'did this (?:article|page|answer|information)? ?(?:help(?: you)?|answer your question|solve your problem)',
  'is this (?:page|article) (?:helpful|useful)',
  'how (?:helpful|useful) was this (?:article|page)',
  '\\d+ (?:out )?of \\d+ (?:people )?found this (?:article |page )?(?:helpful|useful)',
  'war dieser (?:artikel|beitrag) hilfreich',
  'war diese (?:seite|antwort|information) hilfreich',
  '\\d+ von \\d+ fanden dies hilfreich',
  'cet article vous a-t-il (?:été utile|aidé)',
  'cette page vous a-t-elle été utile',
  '¿?(?:fue|te ha resultado|le resultó) útil (?:este artículo|esta página)',
  '¿?te ha resultado útil',
].join('|')
const ANSWERS = '(?:yes|no|ja|nein|oui|non|sí|👍|👎|\\s|[/|·,])*'
const FEEDBACK_ONLY = new RegExp(`^(?:${FEEDBACK})[\\s?？!.]*${ANSWERS}$`, 'iu')

const NAVIGATION = [
  'skip to (?:main )?content',
  'back to (?:top|home|help cent(?:er|re)|all articles|overview)',
  'zum (?:inhalt|seitenanfang)(?: springen)?',
  'nach oben',
  'edit this page(?: on github)?',
  '(?:previous|next|prev)(?: (?:article|page|post|topic))?',
  '(?:yes no|ja nein)',
].join('|')
const NAVIGATION_ONLY = new RegExp(`^[\\s←→‹›«»]*(?:${NAVIGATION})[\\s←→‹›«»]*$`, 'iu')

const LIST_TITLES = [
  '(?:related|similar|recommended|popular|more|other|further) (?:articles?|pages?|topics?|posts?|links?|resources|questions|guides|content|reading)',
  'related|see also|further reading|you (?:may|might) also (?:like|find (?:this )?(?:helpful|useful))',
  '(?:in|on) this (?:article|page|section|guide)|table of contents|contents|jump to|page contents',
  '(?:previous|next)(?: (?:article|page))?|articles in this section|recently viewed(?: articles)?',
  '(?:ähnliche|verwandte|weitere|passende|beliebte) (?:artikel|themen|beiträge|seiten|links|fragen)|siehe auch|weiterführende (?:links|artikel)',
  'in diesem (?:artikel|beitrag|abschnitt)|auf dieser seite|inhalt|inhaltsverzeichnis',
  'articles? (?:connexes|associés|liés|similaires)|voir aussi|dans cet article|sur cette page|sommaire|table des matières',
  'artículos relacionados|ver también|en este artículo|en esta página|contenido|índice',
].join('|')
const LIST_TITLE = new RegExp(`^(?:${LIST_TITLES})\\s*[:：…]?$`, 'iu')

/** "Was this article helpful? Yes No". */
export function asksForFeedback(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && FEEDBACK_ONLY.test(line)
}

/** "Back to top", "Next article →". */
export function isNavigationPhrase(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && NAVIGATION_ONLY.test(line)
}

/** "Related articles", "On this page": the links below it are a list of pages or headings. */
function isListOfPagesTitle(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && LIST_TITLE.test(line)
}

/** "We accept:" or "Which banks are supported?" before a list of links makes it an answer. */
export function introducesLinks(before: Block | undefined): boolean {
  if (before?.kind === 'heading') return /[?？]\s*$/.test(before.text)
  return before?.kind === 'text' && /[:：]\s*$/.test(before.text) && !isListOfPagesTitle(before.text)
}

function oneLine(text: string): string {
  return text
    .slice(0, 2 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
}
