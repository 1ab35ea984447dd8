// Splits a passage into the units answers are made of: sentences of prose and whole list items.
import { sentences } from '../../../language/sentences.ts'
import type { Hit, Passage } from '../../types.ts'

export interface Unit {
  kind: 'sentence' | 'item' | 'step'
  text: string
  /** Line number in the passage; sentences of one paragraph share it. */
  line: number
  /** Start offset in the passage's text. */
  start: number
}

/** Indexes of the first and the last unit that hold the answer. */
export interface MarkedPart {
  first: number
  last: number
}

export const bullet = /^\s*[-•*]\s+/
/** A table row as written by our parsers, with its name: "- Norway, United Kingdom: Standard 12.90 €". */
export const tableRow = /^[-•*]\s+((?:[^:.!?]|[.!?](?=\S)){1,90}):\s/
// "am 7. Januar", "162 Mio. Euro": where ordinals end with a full stop, sentences rarely end with a number.
const ordinalLanguages = /^(?:de|da|no|nb|nn|fi|et|cs|sk|hu|hr|sl|sr|bs|is|lv|tr)/
const ordinal = /(?:^|\s)\d{1,2}\.$/
const shortened = /(?:^|\s)(?:Mio|Mrd|Tsd|Abs|Nr|Abb|Bd|Std|Sek|Jh|v\. ?Chr|n\. ?Chr)\.$/u
const step = /^\s*\d{1,2}[.)]\s+/

// Caches the sentences of passages that are used often.
const cut = new WeakMap<Passage, ReturnType<typeof sentences>>()

function spansOf(passage: Passage): ReturnType<typeof sentences> {
  let spans = cut.get(passage)
  if (!spans) {
    spans = sentences(passage.text, passage.language)
    cut.set(passage, spans)
  }
  return spans
}

export function unitsOf({ passage }: Pick<Hit, 'passage'>): Unit[] {
  const { text, language } = passage
  const lines = linesOf(text)
  const ordinals = ordinalLanguages.test(language)
  const isCutShort = (sentence: string) => shortened.test(sentence) || (ordinals && ordinal.test(sentence))
  const units: Unit[] = []
  for (const { start, end } of spansOf(passage)) {
    const line = lines.findLast((candidate) => candidate.start <= start)
    if (!line) continue
    const last = units.at(-1)
    const sameLine = last?.line === line.number ? last : undefined
    if (sameLine && (line.kind !== 'sentence' || isCutShort(sameLine.text))) {
      if (line.kind === 'sentence') sameLine.text = text.slice(sameLine.start, end)
    } else if (line.kind === 'sentence') {
      units.push({ kind: 'sentence', line: line.number, start, text: text.slice(start, end) })
    } else {
      units.push({ kind: line.kind, line: line.number, start: line.start, text: line.text.trim() })
    }
  }
  return units
}

interface Line {
  number: number
  start: number
  text: string
  kind: Unit['kind']
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line, number) => {
    const kind = bullet.test(line) ? 'item' : step.test(line) ? 'step' : 'sentence'
    const found: Line = { number, start, text: line, kind }
    start += line.length + 1
    return found
  })
}
