// The answer for passages with readings: the section that answers, or the two likeliest if that is unclear.
import { patternByLanguage } from '../../language/languages.ts'
import type { Hit, Question } from '../types.ts'
import { collectSources } from './collect-sources.ts'
import type { ComposedAnswer } from './composed-answer.ts'
import { excerptItem } from './excerpts/excerpt-item.ts'
import { countWords, excerptSection, type RowChoice } from './excerpts/excerpt-section.ts'
import { questionParts } from './question-parts.ts'
import { unitsOf } from './units/units.ts'

// Keeps replies readable in a chat window.
export const MAX_WORDS = 120
const SURE_WORDS = 90
const FIRST_WORDS = 75
// A shorter second section would say nothing.
const FEWEST_WORDS = 12
// The first section is shown alone if the reader is sure of it and of no other.
const SURE = { relevance: 2, lead: 2 }
// Log-odds behind the first section at which the second is not worth showing.
const FAR_BEHIND = 5
const SAID_SURELY = 2

const asksYesOrNo = patternByLanguage(({ questions }) => questions.expects?.yesNoQuestion)
const asksForOne = patternByLanguage(({ questions }) => questions.expects?.oneThing)
const asksForSeveral = patternByLanguage(({ questions }) => questions.expects?.severalThings)
const asksForTwo = patternByLanguage(({ questions }) => questions.expects?.twoThings)
const limits = patternByLanguage(({ questions }) => questions.expects?.limits)
const saysYesOrNo = /^(?:yes|no)\b/i

export function composeFromReadings(
  question: Question,
  hits: readonly Hit[],
  siteUrl: string,
  maxWords = MAX_WORDS,
): ComposedAnswer {
  const [first, ...others] = hits
  if (!first?.reading) return { text: '', sources: [], used: [], best: undefined }
  const second = others.find((hit) => hit.passage.text !== first.passage.text)
  const isSure = isSureOf(first, second)
  const rows = rowChoice(question)
  const isFar = first.reading.relevance - (second?.reading?.relevance ?? Number.NEGATIVE_INFINITY) > FAR_BEHIND
  const both = isSure || isFar || !second ? null : twoSections(first, second, rows)
  const words = Math.min(maxWords, isSure ? SURE_WORDS : MAX_WORDS)
  const fact = isSure ? oneFact(first, question) : null
  const alone = () => fact ?? withYesOrNo(excerptSection(first, rows, words), first, question, isSure)
  const used = both && second ? [first, second] : [first]
  return { text: both ?? alone(), sources: collectSources(used, hits, siteUrl), used, best: undefined }
}

/** A table row or list item, if the question asks for one thing. */
function oneFact(hit: Hit, { text, language }: Question): string | null {
  if (asksForSeveral(language)?.test(text)) return null
  const { fact, isRow } = excerptItem(unitsOf(hit), hit) ?? {}
  return fact && (isRow || asksForOne(language)?.test(text)) ? fact : null
}

/** A question about several things gets whole tables; so does one about two things of which only one is a row. */
function rowChoice({ text, language, terms }: Question): RowChoice {
  if (asksForSeveral(language)?.test(text)) return { terms: [], fewest: 1 }
  return { terms, fewest: asksForTwo(language)?.test(text) ? 2 : 1 }
}

/** Each under its heading; null if the second does not fit. */
function twoSections(first: Hit, second: Hit, rows: RowChoice): string | null {
  const lead = `**${headingOf(first)}**\n${excerptSection(first, rows, FIRST_WORDS)}`
  const heading = `**${headingOf(second)}**`
  const left = MAX_WORDS - countWords(lead) - countWords(heading)
  return left < FEWEST_WORDS ? null : `${lead}\n\n${heading}\n${excerptSection(second, rows, left)}`
}

function isSureOf({ reading }: Hit, second: Hit | undefined): boolean {
  if (!reading) return false
  return (
    reading.relevance >= SURE.relevance &&
    reading.relevance - (second?.reading?.relevance ?? Number.NEGATIVE_INFINITY) >= SURE.lead
  )
}

/** Adds "Yes" or "No" only if the words agree with the reader: "No" needs a sentence that denies or limits. */
function withYesOrNo(text: string, { passage, reading }: Hit, question: Question, isSure: boolean): string {
  if (!isSure || !reading?.span || saysYesOrNo.test(text) || !asksOneThing(question)) return text
  if (Math.abs(reading.polarity) < SAID_SURELY) return text
  const isLimited = limits(question.language)?.test(sentenceAt(passage.text, reading.span)) ?? false
  if (isLimited === reading.polarity > 0) return text
  return `${reading.polarity > 0 ? 'Yes.' : 'No.'}${/^(?:[-•*]|\d+[.)])\s/.test(text) ? '\n' : ' '}${text}`
}

const asksOneThing = ({ text, language }: Question): boolean =>
  asksYesOrNo(language)?.test(text) === true && questionParts(text, language).length === 1

function sentenceAt(text: string, { start, end }: { start: number; end: number }): string {
  const from = Math.max(...['. ', '\n', '? ', '! '].map((mark) => text.lastIndexOf(mark, start - 1))) + 1
  const to = text.slice(end).search(/[.!?](?:\s|$)|\n/)
  return text.slice(from, to < 0 ? undefined : end + to)
}

const headingOf = ({ passage }: Hit): string => (passage.headings.at(-1) ?? passage.title).replaceAll('*', '').trim()
