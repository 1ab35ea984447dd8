// Which headings can be offered as a question: those that name something people might ask about.
import { inAnyLanguage } from '../../../language/languages.ts'

const LONGEST = 60
const asks = /[?？؟]\s*$/
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u
const date = /\b(?:19|20)\d{2}\b|\d{1,2}[./-]\d{1,2}|^\W*v?\d+(?:\.\d+)+/i
// Headings without a topic of their own, and navigation labels.
const empty = new RegExp(
  String.raw`^(?:${inAnyLanguage(({ sentences }) => sentences.emptyHeading)})[^\p{L}\p{N}]*$`,
  'iu',
)

export function isSuggestable(heading: string): boolean {
  if (heading.length > LONGEST || empty.test(heading) || date.test(heading)) return false
  const words = heading.match(/\p{L}{2,}/gu)?.length ?? 0
  return words >= 2 || (words === 1 && asks.test(heading)) || unspaced.test(heading)
}
