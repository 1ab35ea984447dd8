// Parses HTML into blocks in reading order, without scripts, styles, navigation and footers.
import { Parser } from 'htmlparser2'
import type { Block } from '../documents/document-blocks.ts'
import { cleanBlocks, type Draft } from './clean-blocks.ts'
import { isFrame, isQuestionItem, isSectionTitle } from './element-roles.ts'
import { makeTextFlow } from './text-flow.ts'

const BREAKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'aside',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'dl',
  'figure',
  'figcaption',
  'address',
  'hr',
  'details',
  'summary',
])
const LISTS = new Set(['ul', 'ol', 'menu'])

// The parser's time grows with the depth; deeper elements start a new parser.
const DEEPEST = 128
// A longer heading was probably never closed.
const LONGEST_HEADING = 400
const MAX_RAISES = 2

interface Capture {
  kind: 'heading' | 'title' | 'tab'
  depth: number
  level: number
  anchor: string | null
  attributes: Record<string, string>
}

/** An open collapsible section. It ends with the smallest element that contains both its title and its text. */
interface Fold {
  titleDepth: number
  endDepth: number
  /** How many more parent elements to try when an element contained only the title. */
  raises: number
}

/** `level`: of the heading above, if the content is part of a larger text. */
export function parseHtml(content: string, level = 0): Block[] {
  const drafts: Draft[] = []
  const flow = makeTextFlow((text) => drafts.push({ kind: 'text', text }))
  // Tab names, by the ids of tabs and of their panels.
  const tabs = new Map<string, string>()
  let nearestId: string | null = null

  /** Parses from a position; returns where to continue if it got too deep. */
  function parseFrom(from: number): number {
    let depth = 0
    let ignoredFrom = 0
    let questionFrom = 0
    let capture: Capture | null = null
    let stoppedAt: number | null = null
    const folds: Fold[] = []
    const names: string[] = []

    function startCapture(kind: Capture['kind'], attributes: Record<string, string>, level = 0) {
      flow.endBlock()
      capture = { kind, depth, level, attributes, anchor: attributes.id ?? (kind === 'heading' ? nearestId : null) }
    }

    function endCapture({ kind, level, anchor, attributes }: Capture) {
      capture = null
      if (kind === 'heading') nearestId = null
      const text = flow.takeLine()
      if (text === '') return
      if (kind === 'heading') drafts.push({ kind, level, text, anchor })
      else if (kind === 'title')
        openFold(text, anchor, {
          titleDepth: depth,
          endDepth: depth - 1,
          raises: names[depth - 1] === 'details' ? 0 : MAX_RAISES,
        })
      else for (const key of [attributes.id, attributes['aria-controls']]) if (key) tabs.set(key, text)
    }

    function openFold(text: string, anchor: string | null, fold: Fold) {
      while ((folds.at(-1)?.titleDepth ?? 0) >= fold.titleDepth) closeFold()
      drafts.push({ kind: 'title', text, anchor })
      folds.push(fold)
    }

    function closeFold() {
      folds.pop()
      drafts.push({ kind: 'title-end' })
    }

    /** When an element closes, ends sections with text inside it; a section still without text continues outside. */
    function endFolds() {
      for (let fold = folds.at(-1); fold && fold.endDepth >= depth; fold = folds.at(-1)) {
        flow.endBlock()
        if (drafts.at(-1)?.kind !== 'title' || fold.raises-- === 0) closeFold()
        else fold.endDepth = depth - 1
      }
    }

    function open(name: string, attributes: Record<string, string>) {
      const isInline = flow.tables.isInline()
      const level = isInline ? 0 : headingLevel(name)
      if (isQuestionItem(attributes)) questionFrom ||= depth
      if (capture && flow.length() > LONGEST_HEADING) capture = null
      if (level) startCapture('heading', attributes, level)
      else if (!isInline && attributes.role === 'tab') startCapture('tab', attributes)
      else if (!capture && !isInline && isSectionTitle(name, attributes, questionFrom > 0))
        startCapture('title', attributes)
      else if (!capture) openInFlow(name, attributes)
      else if (BREAKS.has(name) || name === 'br') flow.addSpace()
      if (name === 'b' || name === 'strong') flow.startBold()
      if (name === 'a') flow.startLink()
      nearestId = attributes.id ?? (level ? null : nearestId)
    }

    /** A tab panel is a section with the tab's name. */
    function openPanel(attributes: Record<string, string>) {
      const name = tabs.get(attributes['aria-labelledby'] ?? '') ?? tabs.get(attributes.id ?? '')
      if (name === undefined || flow.tables.isInline()) return
      flow.endBlock()
      openFold(name, attributes.id ?? null, { titleDepth: depth, endDepth: depth, raises: 0 })
    }

    function openInFlow(name: string, attributes: Record<string, string>) {
      openPanel(attributes)
      if (name === 'pre') flow.startPreformatted()
      if (name === 'table') flow.tables.startTable()
      else if (name === 'thead') flow.tables.setHead(true)
      else if (name === 'tr') flow.tables.startRow()
      else if (name === 'td' || name === 'th') flow.startCell(name === 'th', attributes)
      else if (LISTS.has(name)) flow.startList(name === 'ol', attributes)
      else if (name === 'li') flow.startItem(attributes)
      else if (name === 'dl') flow.startDefinitions()
      else if (name === 'dt') flow.startTerm()
      else if (name === 'dd' || name === 'br') flow.breakLine()
      else if (BREAKS.has(name)) flow.breakBlock()
    }

    function close(name: string) {
      if (name === 'b' || name === 'strong') flow.endBold()
      else if (name === 'a') flow.endLink()
      if (capture) {
        if (capture.depth === depth) endCapture(capture)
        else if (BREAKS.has(name)) flow.addSpace()
      } else closeInFlow(name)
      if (questionFrom === depth) questionFrom = 0
      endFolds()
    }

    function closeInFlow(name: string) {
      if (name === 'pre') flow.endPreformatted()
      if (name === 'table') flow.tables.endTable()
      else if (name === 'thead') flow.tables.setHead(false)
      else if (name === 'tr') flow.tables.endRow()
      else if (name === 'dl') flow.endDefinitions()
      else if (LISTS.has(name)) flow.endList()
      else if (BREAKS.has(name)) flow.breakBlock()
    }

    const parser = new Parser({
      onopentag(name, attributes) {
        if (depth++ >= DEEPEST) {
          stoppedAt ??= from + parser.startIndex
          parser.pause()
        }
        names[depth] = name
        if (stoppedAt !== null || ignoredFrom > 0) return
        if (isIgnored(name, attributes)) ignoredFrom = depth
        else open(name, attributes)
      },
      ontext(text) {
        if (ignoredFrom > 0 || stoppedAt !== null) return
        flow.addText(text)
        // An id belongs to the heading right after it, not to a later one.
        if (!capture && /\S/.test(text)) nearestId = null
      },
      onclosetag(name) {
        if (stoppedAt === null) {
          if (ignoredFrom === 0) close(name)
          else if (ignoredFrom === depth) ignoredFrom = 0
        }
        depth--
      },
    })

    function isIgnored(name: string, attributes: Record<string, string>): boolean {
      // An accordion heading contains only its button.
      if (name === 'button' && capture) return flow.length() > 0
      return isFrame(name, attributes) && !isSectionTitle(name, attributes, false) && attributes.role !== 'tab'
    }

    parser.write(from === 0 ? content : content.slice(from))
    if (stoppedAt !== null) return stoppedAt
    parser.end()
    return content.length
  }

  for (let from = 0; from < content.length; ) {
    from = parseFrom(from)
    flow.reset()
  }
  flow.endBlock()
  return cleanBlocks(drafts, level)
}

function headingLevel(name: string): number {
  const level = /^h([1-6])$/.exec(name)?.[1]
  return level ? Number(level) : 0
}
