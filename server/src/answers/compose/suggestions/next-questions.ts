// Up to three questions a visitor may tap next: headings of the pages that the answer came from.

import type { Hit, Passage, Question } from '../../types.ts'
import { coverage, questionTerms, textWords } from '../question-terms.ts'
import { isSuggestable } from './is-suggestable.ts'

export interface NextQuestion {
  label: string
  /** What is sent when the button is tapped: the heading, with its page's title where it would not be found alone. */
  message: string
}

export interface NextQuestionsInput {
  question: Question
  used: readonly Hit[]
  hits: readonly Hit[]
  /** Passages of the used documents, in the order of the page; without them only the hits are looked at. */
  siblings?: readonly Passage[]
  /** Earlier messages of the visitor and labels already tapped. */
  asked?: readonly string[]
  limit?: number
}

// A heading that holds this much of what was asked, or is held by it, has been answered.
const sameTopic = 0.75
const nearScore = 0.5
const asks = /[?？؟]\s*$/
export function nextQuestions({
  question,
  used,
  hits,
  siblings = [],
  asked = [],
  limit = 3,
}: NextQuestionsInput): NextQuestion[] {
  const lead = used[0]
  if (!lead) return []
  const done = [question.text, ...asked]
  const answered = new Set(used.map(({ passage }) => heading(passage)))
  const chosen: NextQuestion[] = []
  for (const passage of candidates(lead, used, hits, siblings)) {
    const label = heading(passage)
    if (chosen.length >= limit) break
    if (!isSuggestable(label) || answered.has(label) || chosen.some((next) => next.label === label)) continue
    if (done.some((text) => isSame(label, text, question))) continue
    chosen.push({ label, message: asks.test(label) ? label : `${label} (${passage.title})` })
  }
  return chosen
}

/** Nearest first: what follows the used passage on its page, what stands before it, then other good hits. */
function candidates(lead: Hit, used: readonly Hit[], hits: readonly Hit[], siblings: readonly Passage[]): Passage[] {
  const usedDocuments = new Set(used.map(({ passage }) => passage.documentId))
  const { language, documentId, id } = lead.passage
  const page = siblings.filter((passage) => passage.documentId === documentId)
  const at = page.findIndex((passage) => passage.id === id)
  const around = at < 0 ? page : [...page.slice(at + 1), ...page.slice(0, at).reverse()]
  const near = hits.filter((hit) => hit.score >= lead.score * nearScore).map(({ passage }) => passage)
  const ofUsed = near.filter((passage) => usedDocuments.has(passage.documentId))
  const questions = around.filter((passage) => asks.test(heading(passage)))
  return [...questions, ...ofUsed, ...around, ...near].filter((passage) => passage.language === language)
}

const heading = (passage: Passage): string => (passage.headings.at(-1) ?? '').trim()

function isSame(label: string, text: string, question: Question): boolean {
  const plain = (one: string): Question => ({ text: one, language: question.language, rarity: question.rarity })
  const terms = questionTerms(plain(label))
  return terms.length === 0 || coverage(terms, textWords(text, question.language)) >= sameTopic
}
