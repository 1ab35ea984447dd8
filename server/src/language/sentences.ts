// Splits sentences with Intl.Segmenter and rejoins those split after abbreviations ("Dr. Smith", "approx. 5 kg").
import { inAnyLanguage } from './languages.ts'

export interface Span {
  start: number
  end: number
}

const segmenters = new Map<string, Intl.Segmenter>()
const abbreviation = new RegExp(
  String.raw`(?:^|[\s(„“"'])(?:\p{Lu}|${inAnyLanguage(({ sentences }) => sentences.abbreviations)})\.\s*$`,
  'u',
)
const startsLower = /^\p{Ll}/u
const endsParagraph = /\n\s*$/
const longestChars = 600

/** Sentence spans of a text, trimmed. */
export function sentences(text: string, language = 'und'): Span[] {
  const spans: Span[] = []
  let open: Span | undefined
  for (const { segment, index } of segmenterFor(language).segment(text)) {
    const end = index + segment.length
    if (open && continues(text.slice(open.start, open.end), segment)) open.end = end
    else {
      if (open) spans.push(open)
      open = { start: index, end }
    }
  }
  if (open) spans.push(open)
  return spans.map((span) => trim(text, span)).filter((span) => span.end > span.start)
}

function continues(before: string, next: string): boolean {
  if (before.length > longestChars || endsParagraph.test(before)) return false
  return abbreviation.test(before) || startsLower.test(next)
}

function trim(text: string, { start, end }: Span): Span {
  while (start < end && text.charCodeAt(start) <= 32) start++
  while (end > start && text.charCodeAt(end - 1) <= 32) end--
  return { start, end }
}

function segmenterFor(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language)
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
    segmenters.set(language, segmenter)
  }
  return segmenter
}
