// Up to three suggested next questions: headings of the pages the answer came from.
import { analyseQuestion } from '../../language/analyse.ts'
import { inAnyLanguage } from '../../language/languages.ts'
import { policy } from '../policy.ts'
import type { Hit, Passage, Question } from '../types.ts'
import { coverage, questionTerms, textWords } from './question-terms.ts'

export interface NextQuestion {
  label: string
  /** Sent when the button is tapped: the heading, with the page title if it would not be found alone. */
  message: string
}

export interface NextQuestionsInput {
  question: Question
  used: readonly Hit[]
  hits: readonly Hit[]
  /** The visitor's earlier messages and labels already tapped. */
  asked: readonly string[]
}

const MOST = 3
const ASKS = /[?？؟]\s*$/
export function nextQuestions({ question, used, hits, asked }: NextQuestionsInput): NextQuestion[] {
  const lead = used[0]
  if (!lead) return []
  const askedTexts = [question.text, ...asked]
  const usedHeadings = new Set(used.map(({ passage }) => heading(passage)))
  const suggestions: NextQuestion[] = []
  for (const passage of candidates(lead, used, hits)) {
    const label = heading(passage)
    if (suggestions.length >= MOST) break
    if (!isSuggestable(label) || usedHeadings.has(label) || suggestions.some((next) => next.label === label)) continue
    if (askedTexts.some((text) => isSame(label, text, question))) continue
    suggestions.push({ label, message: ASKS.test(label) ? label : `${label} (${passage.title})` })
  }
  return suggestions
}

/** Good hits, used documents first. */
function candidates(lead: Hit, usedHits: readonly Hit[], hits: readonly Hit[]): Passage[] {
  const usedDocuments = new Set(usedHits.map(({ passage }) => passage.documentId))
  const near = hits.filter((hit) => hit.score >= lead.score * policy.nextScore).map(({ passage }) => passage)
  const ofUsed = near.filter((passage) => usedDocuments.has(passage.documentId))
  return [...ofUsed, ...near].filter((passage) => passage.language === lead.passage.language)
}

const heading = (passage: Passage): string => asLabel(passage.headings.at(-1) ?? '')

function isSame(label: string, text: string, question: Question): boolean {
  const terms = questionTerms(analyseQuestion(label, question.language), question.rarity)
  return terms.length === 0 || coverage(terms, textWords(text, question.language)) >= policy.askedTopic
}

export function didYouMean(usedHits: readonly Hit[], hits: readonly Hit[], limit = 3): NextQuestion[] {
  const lead = usedHits[0]
  if (!lead) return []
  const topics = new Map<string, NextQuestion>()
  const usedLabels = new Set(usedHits.map(labelOf))
  for (const hit of hits) {
    const label = labelOf(hit)
    const fits = isSuggestable(label) && !usedLabels.has(label) && hit.score >= lead.score * policy.didYouMeanScore
    if (!fits || topics.has(label) || hit.passage.language !== lead.passage.language) continue
    const { title } = hit.passage
    topics.set(label, { label, message: label === title || /[?？؟]\s*$/.test(label) ? label : `${label} (${title})` })
    if (topics.size === limit) break
  }
  return [...topics.values()]
}

const labelOf = ({ passage }: Hit): string => asLabel(passage.headings.at(-1) ?? passage.title)

/** A heading as people would tap it: without its number and the colon that announced a text. */
function asLabel(text: string): string {
  return text.replace(/^\s*(?:\d{1,2}[.)]\s+)+/, '').replace(/[\s:：;,…–—-]+$/u, '')
}

const LONGEST = 60
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u
const DATE = /\b(?:19|20)\d{2}\b|\d{1,2}[./-]\d{1,2}|^\W*v?\d+(?:\.\d+)+/i
// Headings without a topic of their own, and navigation labels.
const EMPTY_HEADING = new RegExp(
  String.raw`^(?:${inAnyLanguage(({ sentences }) => sentences.emptyHeading)})[^\p{L}\p{N}]*$`,
  'iu',
)

export function isSuggestable(heading: string): boolean {
  if (heading.length > LONGEST || EMPTY_HEADING.test(heading) || DATE.test(heading)) return false
  const words = heading.match(/\p{L}{2,}/gu)?.length ?? 0
  return words >= 2 || (words === 1 && ASKS.test(heading)) || UNSPACED.test(heading)
}
