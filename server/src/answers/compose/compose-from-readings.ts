// The answer where a reader has looked at the passages: the section that answers, or the two likeliest where it is
// not sure which.
import type { Hit, Question } from '../types.ts'
import { collectSources } from './collect-sources.ts'
import type { ComposedAnswer } from './composed-answer.ts'
import { countWords, excerptSection } from './excerpt-section.ts'

// A reply stays readable in a chat window.
const MOST_WORDS = 120
const SURE_WORDS = 90
const FIRST_WORDS = 75
// The first section is shown alone where the reader is sure of it and of no other.
const SURE = { relevance: 2, lead: 2 }
// Log-odds below the first section's at which the second is not worth showing.
const FAR_BEHIND = 5
const SAID_SURELY = 2

const asksYesOrNo =
  /(?:^|[,.;]\s+|\b(?:and|but|so|or)\s+)(?:can|could|do|does|did|is|are|was|were|will|would|may|must|should|has|have|am)\b(?!.*\b(?:or)\b)/i
const saysYesOrNo = /^(?:yes|no)\b/i

export function composeFromReadings(question: Question, hits: readonly Hit[], siteUrl: string): ComposedAnswer {
  const [first, ...others] = hits
  if (!first?.reading) return { text: '', sources: [], used: [], best: undefined }
  const second = others.find((hit) => hit.passage.text !== first.passage.text)
  const isSure = isSureOf(first, second)
  if (isSure || !second?.reading || first.reading.relevance - second.reading.relevance > FAR_BEHIND) {
    const text = withYesOrNo(excerptSection(first, isSure ? SURE_WORDS : MOST_WORDS), first, question, isSure)
    return { text, sources: collectSources([first], hits, siteUrl), used: [first], best: undefined }
  }
  const lead = `**${headingOf(first)}**\n${excerptSection(first, FIRST_WORDS)}`
  const left = MOST_WORDS - countWords(`${lead} ${headingOf(second)}`)
  const further = `**${headingOf(second)}**\n${excerptSection(second, left)}`
  const text = countWords(lead) + countWords(further) <= MOST_WORDS ? `${lead}\n\n${further}` : lead
  return { text, sources: collectSources([first, second], hits, siteUrl), used: [first, second], best: undefined }
}

function isSureOf({ reading }: Hit, second: Hit | undefined): boolean {
  if (!reading) return false
  return (
    reading.relevance >= SURE.relevance &&
    reading.relevance - (second?.reading?.relevance ?? Number.NEGATIVE_INFINITY) >= SURE.lead
  )
}

function withYesOrNo(text: string, { reading }: Hit, question: Question, isSure: boolean): string {
  if (!isSure || !reading || saysYesOrNo.test(text) || !asksYesOrNo.test(question.text)) return text
  if (Math.abs(reading.polarity) < SAID_SURELY) return text
  return `${reading.polarity > 0 ? 'Yes.' : 'No.'} ${text}`
}

const headingOf = ({ passage }: Hit): string => (passage.headings.at(-1) ?? passage.title).replaceAll('*', '').trim()
