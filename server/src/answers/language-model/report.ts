// The model ends its reply with a line such as "@@ answered P1 P3": what it did, and which products to show. A last line
// streams, works with every provider and costs a few tokens, unlike a tool call, which small models get wrong. The mark
// is two signs, since models translate words. No such line is ever shown, wherever it stands, malformed or cut off.
import type { ModelOutcome } from './types.ts'

export const REPORT_MARK = '@@'

const OUTCOMES: [RegExp, ModelOutcome][] = [
  [/^answered/i, 'answered'],
  [/^part(?:ly|ially)/i, 'partly'],
  [/^not[ _-]?found/i, 'not_found'],
]
const WORDS = ['answered', 'partly', 'partially', 'not found', 'not_found', 'not-found', 'notfound']
// What models put around the line to set it off.
const ORNAMENT = '[ \\t>*_`#~"\'-]{0,8}'
const LINE_MARK = new RegExp(`^${ORNAMENT}${REPORT_MARK}`)
const CUT_LINE_MARK = new RegExp(`^${ORNAMENT}@$`)
const UNDECIDED_LINE = new RegExp(`^${ORNAMENT}@?$`)
const AFTER_MARK = /^[^\p{L}\p{N}\n@]{0,8}/u
// In code, "@@count" and "@@ -1,3" belong to it.
const WORD_AFTER_MARK = /^[ \t]+[^\p{L}\p{N}\n]{0,8}\p{L}/u
const FENCE = /^[ \t]{0,3}(?:`{3,}|~{3,})[^`\n]{0,100}\n/
const UNDECIDED_FENCE = /^[ \t]{0,3}(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^`\n]{0,100})$/
const BLANK_LINE = /^[ \t]{0,100}\n/
const REPORT_CHARACTERS = 500

interface ReportReader {
  /** The text to show. */
  push(delta: string): string
  end(): string
  /** The last report that names an outcome; null without one. */
  outcome(): ModelOutcome | null
  /** Numbers of the products that it names. */
  products(): number[]
}

export function makeReportReader(): ReportReader {
  let pending = ''
  let isLineStart = true
  let isReport = false
  let isCode = false
  /** The opening of a code block, until it is certain that more than a report is in it. */
  let heldFence = ''
  let hidesReport = false
  let line = ''
  let outcome: ModelOutcome | null = null
  let products: number[] = []
  let out = ''

  function emit(length: number) {
    if (length === 0) return
    out += heldFence + pending.slice(0, length)
    heldFence = ''
    hidesReport = false
    isLineStart = pending[length - 1] === '\n'
    pending = pending.slice(length)
  }

  function startReport(markEnd: number) {
    pending = pending.slice(markEnd)
    isReport = true
  }

  function readReport() {
    const newline = pending.indexOf('\n')
    line = (line + (newline < 0 ? pending : pending.slice(0, newline))).slice(0, REPORT_CHARACTERS)
    pending = newline < 0 ? '' : pending.slice(newline + 1)
    if (newline >= 0) endReport()
  }

  function endReport() {
    const text = line.replace(AFTER_MARK, '')
    const reportedOutcome = OUTCOMES.find(([pattern]) => pattern.test(text))?.[1]
    line = ''
    isReport = false
    isLineStart = true
    hidesReport = heldFence !== ''
    if (!reportedOutcome) return
    outcome = reportedOutcome
    products = [...new Set([...text.matchAll(/\bP(\d{1,3})\b/gi)].map(([, number]) => Number(number)))]
  }

  function startLine(isEnd: boolean): Progress {
    const mark = LINE_MARK.exec(pending)?.[0]
    if (mark !== undefined) {
      const kind = isCode ? kindOfMark(pending.slice(mark.length), 'line of code', isEnd) : 'report'
      if (kind === 'report') startReport(mark.length)
      if (kind === 'text') emit(mark.length)
      return kind === 'wait' ? 'wait' : 'go_on'
    }
    if (!isEnd && (UNDECIDED_LINE.test(pending) || UNDECIDED_FENCE.test(pending))) return 'wait'
    const fence = FENCE.exec(isEnd ? `${pending}\n` : pending)?.[0]
    if (fence !== undefined) readFence(Math.min(fence.length, pending.length))
    else if (heldFence !== '' && BLANK_LINE.test(pending)) hold(pending.indexOf('\n') + 1)
    else if (isEnd && CUT_LINE_MARK.test(pending)) pending = ''
    else return goOnLine(isEnd)
    return 'go_on'
  }

  /** A code block in which only a report stood goes with it. */
  function readFence(length: number) {
    isCode = !isCode
    if (isCode) hold(length)
    else if (hidesReport) {
      heldFence = ''
      hidesReport = false
      pending = pending.slice(length)
    } else emit(length)
  }

  function hold(length: number) {
    heldFence += pending.slice(0, length)
    pending = pending.slice(length)
  }

  function goOnLine(isEnd: boolean): Progress {
    const newline = pending.indexOf('\n')
    const end = newline < 0 ? pending.length : newline + 1
    const at = pending.slice(0, end).indexOf(REPORT_MARK)
    if (at < 0) {
      const isCut = !isEnd && newline < 0 && pending.endsWith('@')
      emit(isCut ? end - 1 : end)
      return isCut ? 'wait' : 'go_on'
    }
    emit(at)
    const kind = kindOfMark(pending.slice(REPORT_MARK.length), isCode ? 'code' : 'text', isEnd)
    if (kind === 'report') startReport(REPORT_MARK.length)
    if (kind === 'text') emit(REPORT_MARK.length)
    return kind === 'wait' ? 'wait' : 'go_on'
  }

  function advance(isEnd: boolean): string {
    out = ''
    while (pending !== '') {
      if (isReport) readReport()
      else if ((isLineStart ? startLine(isEnd) : goOnLine(isEnd)) === 'wait') break
    }
    if (isEnd && isReport) endReport()
    return isEnd && !hidesReport ? out + heldFence : out
  }

  return {
    push(delta) {
      pending += delta
      return advance(false)
    },
    end: () => advance(true),
    outcome: () => outcome,
    products: () => products,
  }
}

type Progress = 'go_on' | 'wait'

/** Where a mark is not the first of its line, only a known word or nothing makes it a report. */
function kindOfMark(rest: string, place: 'text' | 'code' | 'line of code', isEnd: boolean): 'report' | 'text' | 'wait' {
  const after = rest.replace(AFTER_MARK, '').toLowerCase()
  if (WORDS.some((word) => after.startsWith(word))) return 'report'
  if (after.startsWith('\n')) return place === 'text' ? 'report' : 'text'
  const isCut = WORDS.some((word) => word.startsWith(after))
  if (isCut) return isEnd ? 'report' : 'wait'
  return place === 'line of code' && WORD_AFTER_MARK.test(rest) ? 'report' : 'text'
}
