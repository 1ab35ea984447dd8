// Splits sentences with Intl.Segmenter and rejoins those split after abbreviations ("Dr. Smith", "approx. 5 kg").
import { inAnyLanguage } from './languages.ts'

interface Span {
  start: number
  end: number
}

const segmenters = new Map<string, Intl.Segmenter>()
const ABBREVIATION = new RegExp(
  String.raw`(?:^|[\s(„“"'])(?:\p{Lu}|${inAnyLanguage(({ sentences }) => sentences.abbreviations)})\.\s*$`,
  'u',
)
const STARTS_LOWER = /^\p{Ll}/u
// Without spaces between sentences, the segmenter leaves a quote's opening mark with the sentence before it.
const OPENING_MARK = /(?<=[。！？])[「『（“‘《【〈]+$/u
// "「はい。」とお答えします。" is one sentence.
const ENDS_QUOTE = /[」』]\s*$/
const AFTER_QUOTE = /^(?:と|って)/
// "Ab dem 3. Januar"; other languages with ordinals write months in lower case.
const ORDINAL = /(?:^|\s)\d{1,2}\.\s*$/
const GERMAN_MONTH = new RegExp(`^(?:${['de', 'de-AT'].flatMap(monthNames).join('|')})`)
const ENDS_PARAGRAPH = /\n\s*$/
const LONGEST_CHARS = 600

/** Sentence spans of a text, trimmed. */
export function sentences(text: string, language = 'und'): Span[] {
  const spans: Span[] = []
  let open: Span | undefined
  for (const { segment, index } of segmenterFor(language).segment(text)) {
    const start = open?.end ?? index
    const end = index + segment.length - (OPENING_MARK.exec(segment)?.[0].length ?? 0)
    if (open && continues(text.slice(open.start, open.end), text.slice(start, end))) open.end = end
    else {
      if (open) spans.push(open)
      open = { start, end }
    }
  }
  if (open) spans.push(open)
  return spans.map((span) => trim(text, span)).filter((span) => span.end > span.start)
}

function continues(before: string, next: string): boolean {
  if (before.length > LONGEST_CHARS || ENDS_PARAGRAPH.test(before)) return false
  return (
    ABBREVIATION.test(before) ||
    STARTS_LOWER.test(next) ||
    (ORDINAL.test(before) && GERMAN_MONTH.test(next)) ||
    (ENDS_QUOTE.test(before) && AFTER_QUOTE.test(next))
  )
}

function monthNames(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month, 15)))
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
