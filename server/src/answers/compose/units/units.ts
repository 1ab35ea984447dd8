// A passage as the pieces an answer is made of: sentences of prose, and whole items of lists.
import { sentences } from '../../../language/sentences.ts'
import type { Hit, Passage } from '../../types.ts'

export interface Unit {
  kind: 'sentence' | 'item' | 'step'
  text: string
  /** Which line of the passage; sentences of one paragraph share it. */
  line: number
  /** Where it begins in the passage's text. */
  start: number
}

const item = /^\s*[-•*]\s+/
// "am 7. Januar", "162 Mio. Euro": languages that write ordinals with a stop end sentences by them too rarely to matter.
const ordinalLanguages = /^(?:de|da|no|nb|nn|fi|et|cs|sk|hu|hr|sl|sr|bs|is|lv|tr)/
const ordinal = /(?:^|\s)\d{1,2}\.$/
const shortened = /(?:^|\s)(?:Mio|Mrd|Tsd|Abs|Nr|Abb|Bd|Std|Sek|Jh|v\. ?Chr|n\. ?Chr)\.$/u
const step = /^\s*\d{1,2}[.)]\s+/

// Passages that answer often are cut into sentences once.
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
    const kind = item.test(line) ? 'item' : step.test(line) ? 'step' : 'sentence'
    const found: Line = { number, start, text: line, kind }
    start += line.length + 1
    return found
  })
}
