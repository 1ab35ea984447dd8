// Cleans the model's text while it streams: removes and collects citations, removes and notes the no-answer marker, and
// reduces links to URLs that no passage names to their text. Code is left alone. Text that may still become one of
// these is held back until the next delta. All output passes the address guard.

import { NO_ANSWER } from '../prompt.ts'
import { readCitations } from './citation-marks.ts'
import type { FilteredAddress } from './filter-address.ts'
import { createAddressGuard } from './guard-addresses.ts'

// Every repetition is bounded, so that a hostile stream cannot slow these patterns down.
const SPECIAL = new RegExp(`[ \\t\\u00a0]{0,8}(?:!?\\[|【|［)|\`+|${NO_ANSWER}`)
const UNDECIDED_END = /(?:[ \t\u00a0]{1,8}!?|!)$/
const OPEN_BRACKET = /^[ \t\u00a0]{0,8}(?:!?\[[^[\]\n]{0,200}|[【［][^】］\n]{0,100})$/
const OPEN_LINK = /^[ \t\u00a0]{0,8}!?\[[^[\]\n]{0,200}\](?:\(\S{0,500})?$/
const BRACKET = /^([ \t\u00a0]{0,8})!?\[([^[\]\n]{0,200})\](\(((?:[^()\s]|\([^()\s]*\)){0,500})\))?/
const OPENING = /^[ \t\u00a0]{0,8}!?./u
const SPACES = /^[ \t\u00a0]*/
const CLOSES = /[\s.,;:!?…)\]}»"'”’。，、！？]/u

export interface TextCleaner {
  push(delta: string): string
  end(): string
  /** Valid passage numbers in order of first use. */
  used: number[]
  /** The marker appeared before any citation. */
  saysNoAnswer(): boolean
}

export function createTextCleaner(passageCount: number, isKnownUrl: (url: string) => boolean): TextCleaner {
  const used: number[] = []
  const guard = createAddressGuard(isKnownUrl)
  let pending = ''
  let fence = ''
  let lastCharacter = '\n'
  let noAnswer = false

  function advance(isEnd: boolean): string {
    let out = ''
    const emit = (text: string, length = text.length) => {
      out += text
      lastCharacter = text.at(-1) ?? lastCharacter
      pending = pending.slice(length)
    }
    while (pending !== '') {
      if (fence) {
        emit(throughCode(isEnd))
        if (fence) break
        continue
      }
      const special = SPECIAL.exec(pending)
      if (!special) {
        emit(pending.slice(0, pending.length - (isEnd ? 0 : undecidedLength(pending))))
        break
      }
      emit(pending.slice(0, special.index))
      const [mark] = special
      if (mark === NO_ANSWER) {
        noteNoAnswer()
        emit('', mark.length)
      } else if (mark.startsWith('`')) {
        if (!isEnd && mark.length === pending.length) break
        fence = mark
        emit(mark)
      } else {
        const taken = takeBracket(isEnd)
        if (taken === 'wait') break
        emit(taken.text, taken.length)
      }
    }
    return out
  }

  function noteNoAnswer() {
    // After a cited statement, the marker only means that part of the answer is missing.
    if (used.length === 0) noAnswer = true
  }

  function takeBracket(isEnd: boolean): FilteredAddress | 'wait' {
    const [exclamation = ''] = /^[ \t\u00a0]{0,8}!/.exec(pending) ?? []
    const citations = readCitations(pending.slice(exclamation.length), isEnd)
    if (citations === 'wait') return 'wait'
    if (citations) {
      // The next round reads the citation itself.
      if (exclamation) return { text: exclamation, length: exclamation.length }
      for (const number of citations.numbers) {
        if (number >= 1 && number <= passageCount && !used.includes(number)) used.push(number)
      }
      return withoutGap(citations.length)
    }
    const [whole, spaces = '', inner = '', link, url = ''] = BRACKET.exec(pending) ?? []
    if (whole !== undefined && link !== undefined) {
      return { text: spaces + (isKnownUrl(url) ? `[${inner}]${link}` : inner), length: whole.length }
    }
    if (!isEnd && (OPEN_BRACKET.test(pending) || OPEN_LINK.test(pending))) return 'wait'
    if (inner.includes(NO_ANSWER)) {
      noteNoAnswer()
      return { text: '', length: whole?.length ?? 0 }
    }
    // Keep any other bracket.
    const [opening = ''] = OPENING.exec(pending) ?? []
    return { text: opening, length: opening.length }
  }

  /** `days [1].` becomes `days.`, `days [1] later` keeps one space, and a line never starts with a space. */
  function withoutGap(length: number): FilteredAddress {
    const [before = ''] = SPACES.exec(pending) ?? []
    const rest = pending.slice(length)
    const [after = ''] = SPACES.exec(rest) ?? []
    if (lastCharacter === '\n') return { text: '', length: length + after.length }
    const next = rest[0]
    return { text: next === undefined || CLOSES.test(next) ? '' : before, length }
  }

  function throughCode(isEnd: boolean): string {
    // Inline code ends with the line, so that a stray backtick does not hide all later citations.
    const closing = (fence.length >= 3 ? /`{3,}/ : /`+|\n/).exec(pending)
    if (closing && (isEnd || closing[0] === '\n' || closing.index + closing[0].length < pending.length)) {
      fence = ''
      return pending.slice(0, closing.index + closing[0].length)
    }
    return isEnd ? pending : pending.replace(/`+$/, '')
  }

  return {
    used,
    saysNoAnswer: () => noAnswer,
    push(delta) {
      pending += delta
      return guard.push(advance(false))
    },
    end: () => guard.push(advance(true)) + guard.end(),
  }
}

/** Number of trailing characters that may belong to a bracket or marker continued in the next delta. */
function undecidedLength(text: string): number {
  const tail = UNDECIDED_END.exec(text)?.[0].length ?? 0
  for (let length = Math.min(NO_ANSWER.length - 1, text.length); length > tail; length--) {
    if (text.endsWith(NO_ANSWER.slice(0, length))) return length
  }
  return tail
}
