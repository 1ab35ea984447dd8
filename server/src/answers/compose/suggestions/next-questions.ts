// Up to three suggested next questions: headings of the pages the answer came from.
import { analyseQuestion } from '../../../language/analyse.ts'
import type { Hit, Passage, Question } from '../../types.ts'
import { coverage, questionTerms, textWords } from '../question-terms.ts'
import { isSuggestable } from './is-suggestable.ts'

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

// A heading that overlaps this much with the question has been answered.
const sameTopic = 0.75
const nearScore = 0.5
const MOST = 3
const asks = /[?？؟]\s*$/
export function nextQuestions({ question, used, hits, asked }: NextQuestionsInput): NextQuestion[] {
  const lead = used[0]
  if (!lead) return []
  const done = [question.text, ...asked]
  const answered = new Set(used.map(({ passage }) => heading(passage)))
  const chosen: NextQuestion[] = []
  for (const passage of candidates(lead, used, hits)) {
    const label = heading(passage)
    if (chosen.length >= MOST) break
    if (!isSuggestable(label) || answered.has(label) || chosen.some((next) => next.label === label)) continue
    if (done.some((text) => isSame(label, text, question))) continue
    chosen.push({ label, message: asks.test(label) ? label : `${label} (${passage.title})` })
  }
  return chosen
}

/** Good hits, used documents first. */
function candidates(lead: Hit, used: readonly Hit[], hits: readonly Hit[]): Passage[] {
  const usedDocuments = new Set(used.map(({ passage }) => passage.documentId))
  const near = hits.filter((hit) => hit.score >= lead.score * nearScore).map(({ passage }) => passage)
  const ofUsed = near.filter((passage) => usedDocuments.has(passage.documentId))
  return [...ofUsed, ...near].filter((passage) => passage.language === lead.passage.language)
}

const heading = (passage: Passage): string => (passage.headings.at(-1) ?? '').trim()

function isSame(label: string, text: string, question: Question): boolean {
  const terms = questionTerms(analyseQuestion(label, question.language), question.rarity)
  return terms.length === 0 || coverage(terms, textWords(text, question.language)) >= sameTopic
}
