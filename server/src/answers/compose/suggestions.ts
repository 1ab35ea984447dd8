// Up to three suggested next questions: headings of the pages the answer came from and of other good hits.
import { analyseQuestion } from '../../language/analyse.ts'
import { inAnyLanguage } from '../../language/languages.ts'
import { policy } from '../policy.ts'
import type { Hit, Passage, Question } from '../types.ts'
import { coverage, questionTerms, textWords } from './question-terms.ts'

interface NextQuestionsInput {
  question: Question
  used: readonly Hit[]
  hits: readonly Hit[]
  /** The visitor's earlier messages and labels already tapped. */
  asked: readonly string[]
}

const MOST = 3
const ASKS = /[?？؟]\s*$/

/** What a visitor reads on a button and sends by tapping it. */
export function nextQuestions({ question, used, hits, asked }: NextQuestionsInput): string[] {
  const lead = used[0]
  if (!lead) return []
  const askedTexts = [question.text, ...asked]
  const usedHeadings = new Set(used.map(({ passage }) => headingOf(passage)))
  const passages = candidates(lead, used, hits).filter((passage) => {
    const heading = headingOf(passage)
    return (
      isSuggestable(heading) &&
      !usedHeadings.has(heading) &&
      !askedTexts.some((text) => isSame(heading, text, question))
    )
  })
  return firstOf(passages, used)
}

/** Headings that ask come first; one of a page that was not quoted is named with its page. */
function firstOf(passages: readonly Passage[], usedHits: readonly Hit[]): string[] {
  const usedDocuments = new Set(usedHits.map(({ passage }) => passage.documentId))
  const labels = passages.map((passage) => {
    const heading = headingOf(passage)
    const isClear = ASKS.test(heading) || usedDocuments.has(passage.documentId) || heading === passage.title
    return isClear ? heading : `${heading} (${passage.title})`
  })
  const fitting = [...new Set(labels)].filter((label) => label.length <= LONGEST)
  return fitting.toSorted((a, b) => Number(ASKS.test(b)) - Number(ASKS.test(a))).slice(0, MOST)
}

/** Good hits, used documents first. */
function candidates(lead: Hit, usedHits: readonly Hit[], hits: readonly Hit[]): Passage[] {
  const usedDocuments = new Set(usedHits.map(({ passage }) => passage.documentId))
  const near = hits.filter((hit) => hit.score >= lead.score * policy.nextScore).map(({ passage }) => passage)
  const ofUsed = near.filter((passage) => usedDocuments.has(passage.documentId))
  return [...ofUsed, ...near].filter((passage) => passage.language === lead.passage.language)
}

const headingOf = ({ headings, title }: Passage): string => asLabel(headings.at(-1) ?? title)

function isSame(label: string, text: string, question: Question): boolean {
  const terms = questionTerms(analyseQuestion(label, question.language), question.rarity)
  return terms.length === 0 || coverage(terms, textWords(text, question.language)) >= policy.askedTopic
}

export function didYouMean(usedHits: readonly Hit[], hits: readonly Hit[]): string[] {
  const lead = usedHits[0]
  if (!lead) return []
  const usedHeadings = new Set(usedHits.map(({ passage }) => headingOf(passage)))
  const near = hits.filter(
    ({ passage, score }) =>
      score >= lead.score * policy.didYouMeanScore &&
      passage.language === lead.passage.language &&
      isSuggestable(headingOf(passage)) &&
      !usedHeadings.has(headingOf(passage)),
  )
  return firstOf(
    near.map(({ passage }) => passage),
    usedHits,
  )
}

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
