// Reads the SDK's stream until it ends, fails, is aborted or exceeds the limit.

import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import { type FilteredAddress, makeAddressGuard } from './addresses.ts'
import { type Deadline, makeFailureCause, toFailureCause } from './provider.ts'
import type { FailureCause, ModelToolCall, Usage } from './types.ts'

interface FinishedStream {
  finish: 'stop' | 'length'
  /** `null` if the provider did not report it. */
  usage: Usage | null
  /** The first call of a tool. */
  call: ModelToolCall | null
}

export async function readModelStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  deadline: Deadline,
  onDelta: (delta: string) => 'go_on' | 'too_long',
): Promise<FinishedStream | FailureCause> {
  // Iterates manually: leaving a `for await` early would wait for the provider. The signal ends the call instead, and
  // the SDK obeys it even if the given fetch does not.
  let call: ModelToolCall | null = null
  const parts = stream[Symbol.asyncIterator]()
  while (true) {
    const next = await parts.next().catch((error: unknown) => ({ error }))
    const reason = deadline.reason()
    if (reason !== null) return makeFailureCause(reason)
    if ('error' in next) return toFailureCause(next.error)
    if (next.done) return makeFailureCause('interrupted')
    const part = next.value
    if (part.type === 'error') return toFailureCause(part.error)
    if (part.type === 'finish') return toFinishedStream(part.finishReason, part.totalUsage, call)
    if (FIRST_TOKENS.includes(part.type)) deadline.onFirstToken()
    if (part.type === 'tool-call') call ??= { name: part.toolName, inputs: toInputs(part.input) }
    if (part.type === 'text-delta' && onDelta(part.text) === 'too_long') return makeFailureCause('too_long')
  }
}

const FIRST_TOKENS: string[] = ['text-delta', 'reasoning-delta', 'tool-input-start', 'tool-call']

/** Treats anything but a JSON object as no inputs; the dialogue then asks for them. */
function toInputs(input: unknown): Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {}
}

function toFinishedStream(
  reason: FinishReason,
  usage: LanguageModelUsage,
  call: ModelToolCall | null,
): FinishedStream | FailureCause {
  if (reason === 'content-filter') return makeFailureCause('refused')
  if (reason === 'interrupted') return makeFailureCause('interrupted')
  if (reason === 'error') return makeFailureCause('broken_response')
  return { finish: reason === 'length' ? 'length' : 'stop', usage: toUsage(usage), call }
}

/** Some servers omit usage, others report zeros. */
function toUsage({ inputTokens, outputTokens }: LanguageModelUsage): Usage | null {
  return inputTokens && outputTokens !== undefined ? { inputTokens, outputTokens, estimated: false } : null
}

interface ShownText {
  add(text: string): void
  /** Everything sent to the visitor. */
  text(): string
  /** Shows text that was waiting for a citation. */
  release(): void
}

export function makeShownText(held: boolean, onText: ((delta: string) => void) | undefined): ShownText {
  let shownText = ''
  let waiting = ''
  let isHeld = held

  function flush() {
    const ready = (shownText === '' ? waiting.trimStart() : waiting).trimEnd()
    if (isHeld || ready === '') return
    waiting = waiting.slice(waiting.trimEnd().length)
    shownText += ready
    onText?.(ready)
  }

  return {
    text: () => shownText,
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
const NUMBER = '[Pp]?\\d{1,3}'
const NUMBERS = `${NUMBER}(?:${GAP}(?:[,;&–-]|and|und|et|en|y|e)${GAP}\\^?${NUMBER})*`
const INNER = `${GAP}\\^?(?:(?:${WORDS})${GAP})?#?${NUMBERS}${GAP}`
const LINK = '(?:\\((?:https?:|www\\.|#|/)[^()\\s]{0,300}\\))?'
const MARK = `(?:\\[${INNER}\\]|［${INNER}］|【${INNER}(?:†[^】\\n]{0,80})?】)${LINK}`

const RUN = new RegExp(`^${SPACE}{0,8}${MARK}(?:[,;]?${SPACE}{0,8}${MARK}){0,8}`, 'iu')
const MAY_GO_ON = new RegExp(`^(?:\\([^()\\s]{0,300}|[,;]?${SPACE}{0,8}(?:[[【［][^\\]】］\\n]{0,100})?)$`, 'u')

interface CitationRun {
  length: number
  /** Of passages. */
  numbers: number[]
  /** Of products, written as P1. */
  products: number[]
}

/** The citations at the start of the text, with preceding spaces; `wait` if the next delta may extend them. */
function readCitations(text: string, isEnd: boolean): CitationRun | 'wait' | null {
  const run = RUN.exec(text)?.[0]
  if (run === undefined) return null
  if (!isEnd && MAY_GO_ON.test(text.slice(run.length))) return 'wait'
  return { length: run.length, ...numbersOf(run) }
}

function numbersOf(run: string): Pick<CitationRun, 'numbers' | 'products'> {
  const numbers: number[] = []
  const products: number[] = []
  for (const [, inner = ''] of run.replaceAll(/\([^()]*\)/g, '').matchAll(/[[【［]([^\]】］†]*)/gu)) {
    for (const [, sign, from, to] of inner.matchAll(/(?<!\p{L})(P?)(\d+)(?:\s*[–-]\s*P?(\d+))?/giu)) {
      const last = Math.min(Number(to ?? from), Number(from) + 20)
      const citations = sign ? products : numbers
      for (let number = Number(from); number <= last; number++) citations.push(number)
    }
  }
  return { numbers, products }
}

// reduces links to URLs that no passage names to their text. Code is left alone. Text that may still become one of
// these is held back until the next delta. All output passes the address guard.

// Every repetition is bounded, so that a hostile stream cannot slow these patterns down.
const SPECIAL = /[ \t\u00a0]{0,8}(?:!?\[|【|［)|`+/
const UNDECIDED_END = /(?:[ \t\u00a0]{1,8}!?|!)$/
const OPEN_BRACKET = /^[ \t\u00a0]{0,8}(?:!?\[[^[\]\n]{0,200}|[【［][^】］\n]{0,100})$/
const OPEN_LINK = /^[ \t\u00a0]{0,8}!?\[[^[\]\n]{0,200}\](?:\(\S{0,500})?$/
const BRACKET = /^([ \t\u00a0]{0,8})!?\[([^[\]\n]{0,200})\](\(((?:[^()\s]|\([^()\s]*\)){0,500})\))?/
const OPENING = /^[ \t\u00a0]{0,8}!?./u
const SPACES = /^[ \t\u00a0]*/
const CLOSES = /[\s.,;:!?…)\]}»"'”’。，、！？]/u

interface TextCleaner {
  push(delta: string): string
  end(): string
  /** Valid passage numbers in order of first use. */
  used: number[]
  /** Valid product numbers, likewise. */
  usedProducts: number[]
}

export function makeTextCleaner(
  counts: { passages: number; products: number },
  isKnownUrl: (url: string) => boolean,
): TextCleaner {
  const usedPassages: number[] = []
  const usedProducts: number[] = []
  const guard = makeAddressGuard(isKnownUrl)
  let pending = ''
  let fence = ''
  let lastCharacter = '\n'

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
        const undecidedLength = UNDECIDED_END.exec(pending)?.[0].length ?? 0
        emit(pending.slice(0, pending.length - (isEnd ? 0 : undecidedLength)))
        break
      }
      emit(pending.slice(0, special.index))
      const [mark] = special
      if (mark.startsWith('`')) {
        if (!isEnd && mark.length === pending.length) break
        fence = mark
        emit(mark)
      } else {
        const bracket = takeBracket(isEnd)
        if (bracket === 'wait') break
        emit(bracket.text, bracket.length)
      }
    }
    return out
  }

  function takeBracket(isEnd: boolean): FilteredAddress | 'wait' {
    const [exclamation = ''] = /^[ \t\u00a0]{0,8}!/.exec(pending) ?? []
    const citations = readCitations(pending.slice(exclamation.length), isEnd)
    if (citations === 'wait') return 'wait'
    if (citations) {
      // The next round reads the citation itself.
      if (exclamation) return { text: exclamation, length: exclamation.length }
      addValid(usedPassages, citations.numbers, counts.passages)
      addValid(usedProducts, citations.products, counts.products)
      return withoutGap(citations.length)
    }
    const [whole, spaces = '', inner = '', link, url = ''] = BRACKET.exec(pending) ?? []
    if (whole !== undefined && link !== undefined) {
      return { text: spaces + (isKnownUrl(url) ? `[${inner}]${link}` : inner), length: whole.length }
    }
    if (!isEnd && (OPEN_BRACKET.test(pending) || OPEN_LINK.test(pending))) return 'wait'
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
    used: usedPassages,
    usedProducts,
    push(delta) {
      pending += delta
      return guard.push(advance(false))
    },
    end: () => guard.push(advance(true)) + guard.end(),
  }
}

/** Adds the numbers that were given to the model, each once. */
export function addValid(target: number[], numbers: readonly number[], count: number) {
  for (const number of numbers) if (number >= 1 && number <= count && !target.includes(number)) target.push(number)
}
