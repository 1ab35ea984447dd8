// The extractive answer: the sentences or list items that answer the question, verbatim, with the context they need and
// their pages.

import { analyseQuestion } from '../../language/analyse.ts'
import type { Hit, Question } from '../types.ts'
import { collectSources } from './collect-sources.ts'
import { composeFromReadings } from './compose-from-readings.ts'
import type { ComposedAnswer } from './composed-answer.ts'
import { type Excerpt, excerptOf } from './excerpts/excerpt.ts'
import { questionParts } from './question-parts.ts'
import { coverage, createQuestion, textWords } from './question-terms.ts'
import { refersToPage } from './units/refers-to-page.ts'
import { scoreUnits } from './units/score-units.ts'
import { unitsOf } from './units/units.ts'

const maxSentences = 3
// A second passage must cover this much of its part of the question, and clearly more than the first.
const partCover = 0.6
const partLead = 0.25
const hitsForParts = 3
const sameDocumentScore = 0.6

export function composeAnswer(question: Question, hits: readonly Hit[], siteUrl: string): ComposedAnswer {
  return hits[0]?.reading ? composeFromReadings(question, hits, siteUrl) : composeFromWords(question, hits, siteUrl)
}

/** The best sentences by words, for passages without readings. */
export function composeFromWords(question: Question, hits: readonly Hit[], siteUrl: string): ComposedAnswer {
  const lead = leadOf(hits, question)
  if (!lead) return { text: '', sources: [], used: [], best: undefined }
  const parts = questionParts(question.text, question.language).map((text) => partOf(text, question))
  const excerpts =
    parts.length === 1
      ? [read(lead, question, maxSentences)]
      : readParts(
          parts,
          question,
          lead,
          hits.filter((hit) => hit !== lead),
        )
  const used = [...new Set(excerpts.map(({ hit }) => hit))]
  return {
    text: excerpts.map(({ text }) => text).join('\n\n'),
    sources: collectSources(used, hits, siteUrl),
    used,
    best: excerpts[0]?.best,
  }
}

/** The first hit, or the next from its document if the first only describes the page. */
function leadOf(hits: readonly Hit[], question: Question): Hit | undefined {
  const first = hits[0]
  if (!first) return undefined
  const best = read(first, question, 1).best
  if (!best || !refersToPage(best.text, question.language)) return first
  const near = (hit: Hit) =>
    hit !== first && hit.passage.documentId === first.passage.documentId && hit.score >= first.score * sameDocumentScore
  return hits.find(near) ?? first
}

const partOf = (text: string, question: Question): Question =>
  text === question.text ? question : createQuestion(analyseQuestion(text, question.language), question)

function read(hit: Hit, question: Question, most: number): Excerpt {
  const { title, headings } = hit.passage
  // A page's title applies to all its sentences alike, unless it is a question itself.
  const heading = headings.at(-1) ?? (/[?？؟]\s*$/.test(title) ? title : '')
  return excerptOf(hit, scoreUnits(unitsOf(hit), question, heading), most)
}

/** The first passage answers the whole question; parts it leaves open are looked up in the next ones. */
function readParts(parts: Question[], question: Question, lead: Hit, others: Hit[]): Excerpt[] {
  const excerpts = [read(lead, question, maxSentences)]
  for (const part of parts) {
    if (part.terms.length === 0) continue
    const covered = Math.max(...excerpts.map((excerpt) => partCoverage(part, excerpt)))
    if (covered >= partCover) continue
    const better = others
      .slice(0, hitsForParts)
      .map((hit) => read(hit, part, 1))
      .filter((excerpt) => partCoverage(part, excerpt) >= Math.max(partCover, covered + partLead))
    if (better[0] && excerpts.length < 2) excerpts.push(better[0])
  }
  if (excerpts.length > 1) excerpts[0] = read(lead, question, maxSentences - 1)
  return excerpts
}

function partCoverage({ terms, language }: Question, { hit, text }: Excerpt): number {
  const { title, headings } = hit.passage
  return coverage(terms, textWords([title, ...headings, text].join('\n'), language))
}
