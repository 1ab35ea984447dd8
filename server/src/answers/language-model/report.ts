// The model ends its reply with a line such as "@@ answered P1 P3": what it did, and which products to show. A last line
// streams, works with every provider and costs a few tokens, unlike a tool call, which small models get wrong. The mark
// is two signs, since models translate words. No such line is ever shown, wherever it stands, malformed or cut off.
import type { ModelOutcome } from './types.ts'

export const REPORT_MARK = '@@'

const outcomes: [RegExp, ModelOutcome][] = [
  [/^answered/i, 'answered'],
  [/^part(?:ly|ially)/i, 'partly'],
  [/^not[ _-]?found/i, 'not_found'],
]
const words = ['answered', 'partly', 'partially', 'not found', 'not_found', 'not-found', 'notfound']
// What models put around the line to set it off.
const ORNAMENT = '[ \\t>*_`#~"\'-]{0,8}'
const UNDECIDED_END = new RegExp(`(?:(?:^|\\n)${ORNAMENT}|)@?$`)
const LINE_OPENING = new RegExp(`(?:^|\\n)(${ORNAMENT})$`)
const AFTER_MARK = /^[ \t*_`"':-]{0,6}/
const FENCE = /^[ \t]{0,3}(?:`{3,}|~{3,})/gm
const REPORT_CHARACTERS = 500

export interface ReportReader {
  /** The text to show. */
  push(delta: string): string
  end(): string
  /** The last report that names an outcome; null without one. */
  outcome(): ModelOutcome | null
  /** Numbers of the products that it names. */
  products(): number[]
}

export function createReportReader(): ReportReader {
  let pending = ''
  let isReport = false
  let isLineStart = true
  let fences = 0
  let line = ''
  let outcome: ModelOutcome | null = null
  let products: number[] = []

  function endReport() {
    const text = line.replace(AFTER_MARK, '')
    const reported = outcomes.find(([pattern]) => pattern.test(text))?.[1]
    line = ''
    isReport = false
    if (!reported) return
    outcome = reported
    products = [...new Set([...text.matchAll(/\bP(\d{1,3})\b/gi)].map(([, number]) => Number(number)))]
  }

  function advance(isEnd: boolean): string {
    let out = ''
    const emit = (length: number) => {
      const text = pending.slice(0, length)
      if (text === '') return
      out += text
      fences += (isLineStart ? text : ` ${text}`).match(FENCE)?.length ?? 0
      isLineStart = text.endsWith('\n')
      pending = pending.slice(length)
    }
    while (pending !== '') {
      if (isReport) {
        const newline = pending.indexOf('\n')
        line = (line + (newline < 0 ? pending : pending.slice(0, newline))).slice(0, REPORT_CHARACTERS)
        pending = newline < 0 ? '' : pending.slice(newline + 1)
        if (newline >= 0) endReport()
        continue
      }
      const at = pending.indexOf(REPORT_MARK)
      if (at < 0) {
        const held = UNDECIDED_END.exec(pending)?.[0].replace('\n', '').length ?? 0
        emit(pending.length - (isEnd ? 0 : held))
        // A mark that was cut off.
        if (isEnd) out = out.replace(/(?:^|\n)[ \t>*_`#~-]*@$/, '')
        break
      }
      const opening = openingBefore(at)
      emit(at - (opening ?? '').length)
      const markEnd = (opening ?? '').length + REPORT_MARK.length
      const kind = kindOfMark(pending.slice(markEnd), opening !== null && fences % 2 === 0, isEnd)
      if (kind === 'wait') break
      if (kind === 'text') emit(markEnd)
      else {
        pending = pending.slice(markEnd)
        isReport = true
      }
    }
    if (isEnd && isReport) endReport()
    return out
  }

  /** Ornaments between the start of the line and the mark; null if there is other text. */
  function openingBefore(at: number): string | null {
    const before = pending.slice(0, at)
    const [whole, ornament = ''] = LINE_OPENING.exec(before) ?? []
    return whole !== undefined && (whole.startsWith('\n') || isLineStart) ? ornament : null
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

/** At the start of a line any word makes a report, elsewhere only a known one: code may have "@@ -1,3" or "@@count". */
function kindOfMark(rest: string, mayBeAny: boolean, isEnd: boolean): 'report' | 'text' | 'wait' {
  const after = rest.replace(AFTER_MARK, '').toLowerCase()
  if (words.some((word) => after.startsWith(word))) return 'report'
  const isCut = words.some((word) => word.startsWith(after))
  if (isCut) return isEnd ? 'report' : 'wait'
  return mayBeAny && /^\p{L}/u.test(after) ? 'report' : 'text'
}
