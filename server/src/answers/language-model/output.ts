// Reads the SDK's stream until it ends, fails, is aborted or exceeds the limit.

import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import { createAddressGuard, type FilteredAddress } from './addresses.ts'
import { NO_ANSWER } from './prompt.ts'
import { createFailureCause, type Deadline, toFailureCause } from './provider.ts'
import type { FailureCause, Usage } from './types.ts'

export interface FinishedStream {
  finish: 'stop' | 'length'
  /** `null` if the provider did not report it. */
  usage: Usage | null
}

export async function readModelStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  deadline: Deadline,
  onDelta: (delta: string) => 'go_on' | 'too_long',
): Promise<FinishedStream | FailureCause> {
  // Iterates manually: leaving a `for await` early would wait for the provider. The signal ends the call instead, and
  // the SDK obeys it even if the given fetch does not.
  const parts = stream[Symbol.asyncIterator]()
  while (true) {
    const next = await parts.next().catch((error: unknown) => ({ error }))
    const reason = deadline.reason()
    if (reason !== null) return createFailureCause(reason)
    if ('error' in next) return toFailureCause(next.error)
    if (next.done) return createFailureCause('interrupted')
    const part = next.value
    if (part.type === 'error') return toFailureCause(part.error)
    if (part.type === 'finish') return toFinishedStream(part.finishReason, part.totalUsage)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') deadline.onFirstToken()
    if (part.type === 'text-delta' && onDelta(part.text) === 'too_long') return createFailureCause('too_long')
  }
}

function toFinishedStream(reason: FinishReason, usage: LanguageModelUsage): FinishedStream | FailureCause {
  if (reason === 'content-filter') return createFailureCause('refused')
  if (reason === 'interrupted') return createFailureCause('interrupted')
  if (reason === 'error') return createFailureCause('broken_response')
  return { finish: reason === 'length' ? 'length' : 'stop', usage: toUsage(usage) }
}

/** Some servers omit usage, others report zeros. */
function toUsage({ inputTokens, outputTokens }: LanguageModelUsage): Usage | null {
  return inputTokens && outputTokens !== undefined ? { inputTokens, outputTokens, estimated: false } : null
}

export interface ShownText {
  add(text: string): void
  /** Everything sent to the visitor. */
  text(): string
  /** Shows text that was waiting for a citation. */
  release(): void
}

export function createShownText(held: boolean, onText: ((delta: string) => void) | undefined): ShownText {
  let shown = ''
  let waiting = ''
  let isHeld = held

  function flush() {
    const ready = (shown === '' ? waiting.trimStart() : waiting).trimEnd()
    if (isHeld || ready === '') return
    waiting = waiting.slice(waiting.trimEnd().length)
    shown += ready
    onText?.(ready)
  }

  return {
    text: () => shown,
    add(text) {
      waiting += text
      flush()
    },
    release() {
      isHeld = false
      flush()
    },
  }
}

const WORDS = 'passages?|sources?|refs?|quellen?|passagen?|fuentes?|fontes?|fonti|bron(?:nen)?|références?'
const SPACE = '[ \\t\\u00a0]'
const GAP = '[^\\S\\n]{0,8}'
const NUMBERS = `\\d{1,3}(?:${GAP}(?:[,;&–-]|and|und|et|en|y|e)${GAP}\\^?\\d{1,3})*`
const INNER = `${GAP}\\^?(?:(?:${WORDS})${GAP})?#?${NUMBERS}${GAP}`
const LINK = '(?:\\((?:https?:|www\\.|#|/)[^()\\s]{0,300}\\))?'
const MARK = `(?:\\[${INNER}\\]|［${INNER}］|【${INNER}(?:†[^】\\n]{0,80})?】)${LINK}`

const RUN = new RegExp(`^${SPACE}{0,8}${MARK}(?:[,;]?${SPACE}{0,8}${MARK}){0,8}`, 'iu')
const MAY_GO_ON = new RegExp(`^(?:\\([^()\\s]{0,300}|[,;]?${SPACE}{0,8}(?:[[【［][^\\]】］\\n]{0,100})?)$`, 'u')

export interface CitationRun {
  length: number
  numbers: number[]
}

/** The citations at the start of the text, with preceding spaces; `wait` if the next delta may extend them. */
export function readCitations(text: string, isEnd: boolean): CitationRun | 'wait' | null {
  const run = RUN.exec(text)?.[0]
  if (run === undefined) return null
  if (!isEnd && MAY_GO_ON.test(text.slice(run.length))) return 'wait'
  return { length: run.length, numbers: numbersOf(run) }
}

function numbersOf(run: string): number[] {
  const numbers: number[] = []
  for (const [, inner = ''] of run.replaceAll(/\([^()]*\)/g, '').matchAll(/[[【［]([^\]】］†]*)/gu)) {
    for (const [, from, to] of inner.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)) {
      const last = Math.min(Number(to ?? from), Number(from) + 20)
      for (let number = Number(from); number <= last; number++) numbers.push(number)
    }
  }
  return numbers
}

// reduces links to URLs that no passage names to their text. Code is left alone. Text that may still become one of
// these is held back until the next delta. All output passes the address guard.

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
