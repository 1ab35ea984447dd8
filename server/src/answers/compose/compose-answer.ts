// The extractive answer: what the passages say, word for word, with the context it needs and its pages. The reader has
// marked the answer in each passage; without a reader, the sentence that matches the question best counts as marked.
import { analyseQuestion } from '../../language/analyse.ts'
import { languageData, languageOrEnglish, patternByLanguage } from '../../language/languages.ts'
import { punctuationOf } from '../../language/punctuation.ts'
import { policy } from '../policy.ts'
import type { Answer, Hit, Question, Source, Term } from '../types.ts'
import { containsType } from './answer-type.ts'
import { excerptOf, holdsSteps, markedPart, markedText } from './excerpt.ts'
import {
  comparedTerms,
  mayCompare,
  type QuestionShape,
  questionParts,
  questionShape,
  topicTerms,
} from './question-shape.ts'
import { coverage, hasTerm, makeQuestion, textWords } from './question-terms.ts'
import { isRowFor, type MarkedPart, MORE, refersToPage, type ScoredUnit, scoreUnits, unitsOf } from './units.ts'

export interface ComposedAnswer {
  text: string
  sources: Source[]
  /** Hits quoted in the text, in order of use. */
  used: Hit[]
  /** The best-scoring unit of the first hit, for the confidence; undefined if a reader marked the answer. */
  best: ScoredUnit | undefined
  /** What the text begins with before it quotes: "Yes." */
  opening?: string
  /** Quotes both sides of a comparison, each from the section named after it. */
  isComparison?: boolean
}

interface Candidate {
  hit: Hit
  marked: MarkedPart
  relevance: number
}

const nothing: ComposedAnswer = { text: '', sources: [], used: [], best: undefined }

const limits = patternByLanguage(({ questions }) => questions.expects?.limits)
const denial = patternByLanguage(({ sentences }) => sentences.denial)
const ASKS = /[?？؟]\s*$/
const STARTS_LIST = /^(?:[-•*|]|\d+[.)])\s/

export function composeAnswer(
  question: Question,
  hits: readonly Hit[],
  siteUrl: string,
  /** Shows a second passage, if it is nearly as likely, and says neither yes nor no. */
  isUnsure = false,
): ComposedAnswer {
  if (!hits[0]?.reading) return composeFromWords(question, hits, siteUrl)
  const shape = questionShape(question)
  const excerpt = ({ hit, marked }: Candidate, words: number) => excerptOf(hit, marked, question, shape, words)
  const shortExcerpt = (one: Candidate) => excerpt(one, policy.sharedWords)
  const [first, second] = chooseCandidates(question, hits, isUnsure, shortExcerpt)
  if (!first) return nothing
  const other = otherSide(question, first, excerpt(first, policy.answerWords), candidatesOf(hits))
  if (other)
    return { ...sideBySide([first, other], siteUrl, (one) => excerpt(one, policy.comparedWords)), isComparison: true }
  if (!second) {
    const quote = withSubject(excerpt(first, policy.answerWords), first.hit, question)
    // "I'm not sure, but this may help: No." contradicts itself.
    const opening = isUnsure ? null : yesOrNo(quote, first, question, shape)
    const space = STARTS_LIST.test(quote) ? '\n\n' : punctuationOf(question.language).space
    return {
      text: withLinkToRest(opening ? `${opening}${space}${quote}` : quote, first.hit, siteUrl),
      ...(opening ? { opening } : {}),
      sources: collectSources([first.hit], siteUrl),
      used: [first.hit],
      best: undefined,
    }
  }
  return sideBySide([first, second], siteUrl, shortExcerpt)
}

/** Two quotes, each under the name of its page; those of one name under that name together. */
function sideBySide<One extends { hit: Hit }>(
  quotes: One[],
  siteUrl: string,
  excerpt: (one: One) => string,
): ComposedAnswer {
  const usedHits = quotes.map(({ hit }) => hit)
  const names = quoteNames(usedHits)
  const texts = quotes.map((one, at) => {
    const text = withLinkToRest(excerpt(one), one.hit, siteUrl)
    return names.indexOf(names[at] ?? '') === at ? `**${names[at]}**\n${text}` : text
  })
  return { text: texts.join('\n\n'), sources: collectSources(usedHits, siteUrl), used: usedHits, best: undefined }
}

/** "What is the difference between express and standard?": the section named after the side that the first quote lacks. */
function otherSide<One extends { hit: Hit }>(
  question: Question,
  first: One,
  quote: string,
  others: readonly One[],
): One | undefined {
  if (!mayCompare(question)) return undefined
  const { language } = question
  const terms = comparedTerms(question)
  const has = (text: string) => (term: Term) => hasTerm(term, textWords(text, language))
  const missingTerms = terms.filter((term) => !has(`${sectionName(first.hit)}\n${quote}`)(term))
  if (!terms.some(has(sectionName(first.hit)))) return undefined
  return others.find(
    ({ hit }) =>
      isInLanguageOf(first.hit, hit) &&
      sectionName(hit) !== sectionName(first.hit) &&
      missingTerms.some(has(sectionName(hit))),
  )
}

/** A site in several languages says the same in each. */
const isInLanguageOf = (first: Hit, other: Hit): boolean =>
  first.passage.language.slice(0, 2) === other.passage.language.slice(0, 2)

const sectionName = ({ passage }: Hit): string => passage.headings.at(-1) ?? passage.title

function candidatesOf(hits: readonly Hit[]): Candidate[] {
  return hits.flatMap((hit): Candidate[] => {
    const part = markedPart(hit)
    return hit.reading && part ? [{ hit, marked: part, relevance: hit.reading.relevance }] : []
  })
}

/** The passage that answers; in doubt also the next, if it is nearly as likely and says something else. */
function chooseCandidates(
  question: Question,
  hits: readonly Hit[],
  isUnsure: boolean,
  excerpt: (one: Candidate) => string,
): Candidate[] {
  const candidates = candidatesOf(hits)
  const first = suitable(leadOfCandidates(question, candidates), candidates, question)
  if (!first) return []
  // A topic gets its general rule and nothing else.
  if (!isUnsure || topicTerms(question).length > 0) return [first]
  const lacksType = !hasType(first, question)
  const withinOf = (one: Candidate) => (lacksType && hasType(one, question) ? policy.typeWithin : policy.secondWithin)
  const second = candidates.find(
    (one) =>
      one.hit.passage.text !== first.hit.passage.text &&
      isInLanguageOf(first.hit, one.hit) &&
      one.relevance >= policy.secondRelevance &&
      !isBesidePoint(one, question) &&
      one.relevance >= first.relevance - withinOf(one) &&
      addsTo(excerpt(first), excerpt(one), one.hit.passage.language),
  )
  return second ? [first, second] : [first]
}

/** Whether a second quote says more than the first: another figure, or other words. */
function addsTo(first: string, second: string, language: string): boolean {
  const { stems } = textWords(second, language)
  const newStems = stems.difference(textWords(first, language).stems)
  return newStems.size >= stems.size * policy.newWords || [...newStems].some((stem) => /\p{N}/u.test(stem))
}

/** The likeliest passage; for a topic ("return policy") the beginning of its page, which has the general rule. */
function leadOfCandidates(question: Question, candidates: Candidate[]): Candidate | undefined {
  const [likeliest] = candidates
  const topic = topicTerms(question)
  const isNamed = ({ hit }: Candidate) =>
    coverage(topic, textWords(hit.passage.title, question.language)) >= policy.topicTitle
  const first = topic.length > 0 && candidates.find(isNamed)
  if (!likeliest || !first || first.relevance < likeliest.relevance - policy.topicWithin) return likeliest
  const isOfPage = ({ hit }: Candidate) => hit.passage.documentId === first.hit.passage.documentId
  const near = candidates.filter((one) => isOfPage(one) && one.relevance >= first.relevance - policy.topicWithin)
  const [opening] = near.toSorted((a, b) => ordinalOf(a.hit) - ordinalOf(b.hit))
  return opening && { ...opening, marked: { first: 0, last: 0 } }
}

/** The next candidate where the first lacks what was asked for, steps or an amount, and is hardly more likely. */
function suitable(first: Candidate | undefined, candidates: Candidate[], question: Question): Candidate | undefined {
  if (!first) return undefined
  const row = rowInRange(first, candidates, question)
  if (row) return row
  const isWanted = wantedOf(question)
  const others = candidates.filter((one) => one.relevance >= first.relevance - policy.wantedWithin && isWanted(one))
  if (!isWanted(first)) return others[0] ?? first
  return ruleBehind(first, others, question) ?? first
}

/** "A discount for 30 jackets": the row "20–49 pieces" of a table on the same page, in the section that was named. */
function rowInRange({ hit, relevance }: Candidate, candidates: Candidate[], question: Question): Candidate | undefined {
  const neighbours = candidates.flatMap((one): Candidate[] => {
    const isOfPage = one.hit.passage.documentId === hit.passage.documentId
    if (!isOfPage || one.relevance < relevance - policy.rowWithin) return []
    const row = unitsOf(one.hit).findIndex(({ text }) => isRowFor(text, question.text))
    return row < 0 ? [] : [{ ...one, marked: { first: row, last: row } }]
  })
  const nameCoverage = (one: Candidate) =>
    coverage(question.terms, textWords(sectionName(one.hit), one.hit.passage.language))
  return neighbours.toSorted((a, b) => nameCoverage(b) - nameCoverage(a))[0]
}

function wantedOf(question: Question): (candidate: Candidate) => boolean {
  if (questionShape(question) === 'howTo') return ({ hit, marked }) => holdsSteps(hit, marked)
  return (candidate) => !wantsFigureOrTime(question) || hasType(candidate, question)
}

/** Not a name: capitals are too weak a sign of one to give up the likeliest passage. */
const wantsFigureOrTime = ({ answerType }: Question): boolean => answerType === 'figure' || answerType === 'time'

/** "Hand it in within 7 days" is a step of returning something; how long one may do so is elsewhere on the page. */
function ruleBehind(steps: Candidate, others: Candidate[], question: Question): Candidate | undefined {
  if (!isBesidePoint(steps, question)) return undefined
  const { documentId } = steps.hit.passage
  return others.find((one) => one.hit.passage.documentId === documentId && !isBesidePoint(one, question))
}

/** Steps that happen to have a figure. */
function isBesidePoint({ hit, marked }: Candidate, question: Question): boolean {
  return wantsFigureOrTime(question) && questionShape(question) !== 'howTo' && holdsSteps(hit, marked)
}

const ordinalOf = ({ passage }: Hit): number => Number(/\d+$/.exec(passage.id)?.[0] ?? 0)

/** "We deliver with duties paid." under "Norway and Switzerland" is unclear without its heading. */
function withSubject(text: string, { passage }: Hit, { terms, language }: Question): string {
  const heading = (passage.headings.at(-1) ?? passage.title).replaceAll('*', '').trim()
  const [opening = ''] = heading.toLowerCase().split(/\s/)
  const isClear =
    coverage(terms, textWords(text, language)) > 0 || terms.length === 0 || text.toLowerCase().startsWith(opening)
  if (isClear || ASKS.test(heading) || coverage(terms, textWords(heading, language)) === 0) return text
  const { colon } = punctuationOf(passage.language)
  return `${heading.replace(/[:：]$/, '')}${STARTS_LIST.test(text) ? `${colon.trim()}\n\n` : colon}${text}`
}

/** After the first of many steps or items: the section that has the others. */
function withLinkToRest(text: string, { passage: { title, url, anchor } }: Hit, siteUrl: string): string {
  if (url === null || !text.endsWith(`\n${MORE}`)) return text
  return `${text} [${title.replace(/[[\]]/g, '')}](${sourceUrl(url, anchor, siteUrl)})`
}

function hasType({ hit, marked }: Candidate, { answerType, text, language }: Question): boolean {
  return containsType(answerType, markedText(hit, marked), text, language) > 0
}

/**
 * "Yes." or "No.", only if the sentence is about what was asked and its words agree with the reader: "No" needs one that
 * denies, "Yes" one that does not even limit.
 */
function yesOrNo(text: string, { hit, marked }: Candidate, question: Question, shape: QuestionShape): string | null {
  const polarity = hit.reading?.polarity ?? 0
  if (shape !== 'yesNo' || Math.abs(polarity) < policy.surePolarity) return null
  const { yes, no } = languageData[languageOrEnglish(question.language)].sentences
  const opening = /^[\p{L}\p{M}]+/u.exec(text)?.[0].toLowerCase()
  // "Note that …" does not say no.
  if ([yes, no].some((word) => word.slice(0, -1).toLowerCase() === opening)) return null
  const { language } = hit.passage
  const quote = markedText(hit, marked)
  const isAbout = coverage(question.terms, textWords(quote, language)) >= policy.yesNoCoverage
  const agrees = polarity > 0 ? !limits(language)?.test(quote) : (denial(language)?.test(quote) ?? false)
  if (!isAbout || !agrees) return null
  return polarity > 0 ? yes : no
}

/** The page of each, and its section too where two pages are called the same, or are one: "Rooms › Tower room". */
function quoteNames(hits: readonly Hit[]): string[] {
  const isOneTitle = new Set(hits.map(({ passage }) => passage.title)).size < hits.length
  return hits.map(({ passage: { title, headings } }) => {
    const section = headings.at(-1)
    const path = isOneTitle && section && section !== title ? [title, section] : [title]
    return path.join(' › ').replaceAll('*', '').trim()
  })
}

/** The answer by words alone. */
export function composeFromWords(question: Question, hits: readonly Hit[], siteUrl: string): ComposedAnswer {
  const lead = leadOf(hits, question)
  if (!lead) return nothing
  const first = excerptByWords(lead, question)
  const parts = questionParts(question.text, question.language).map((text) => partOf(text, question))
  const others = hits.filter((hit) => hit !== lead && isInLanguageOf(lead, hit)).slice(0, policy.partHits)
  const comparison = otherSide(
    question,
    first,
    first.text,
    hits.map((hit) => excerptByWords(hit, question)),
  )
  if (comparison)
    return { ...sideBySide([first, comparison], siteUrl, ({ text }) => text), best: first.best, isComparison: true }
  const second = parts.length > 1 ? otherPart(parts, first, others) : undefined
  const excerpts = second ? [first, second] : [first]
  const usedHits = [...new Set(excerpts.map(({ hit }) => hit))]
  const text = excerpts.map((excerpt) => excerpt.text).join('\n\n')
  return { text, sources: collectSources(usedHits, siteUrl), used: usedHits, best: first.best }
}

interface WordExcerpt {
  hit: Hit
  text: string
  best: ScoredUnit | undefined
}

/** The first hit, or the next from its document if the first only describes the page. */
function leadOf(hits: readonly Hit[], question: Question): Hit | undefined {
  const first = hits[0]
  if (!first) return undefined
  const { best } = excerptByWords(first, question)
  if (!best || !refersToPage(best.text, question.language)) return first
  const near = (hit: Hit) =>
    hit !== first &&
    hit.passage.documentId === first.passage.documentId &&
    hit.score >= first.score * policy.samePageScore
  return hits.find(near) ?? first
}

function partOf(text: string, question: Question): Question {
  return text === question.text ? question : makeQuestion(analyseQuestion(text, question.language), question)
}

function excerptByWords(hit: Hit, question: Question): WordExcerpt {
  const { title, headings } = hit.passage
  // A page's title applies to all its sentences alike, unless it is a question itself.
  const heading = headings.at(-1) ?? (ASKS.test(title) ? title : '')
  const units = scoreUnits(unitsOf(hit), question, heading)
  const best = units.reduce<ScoredUnit | undefined>(
    (top, unit) => (!top || unit.share > top.share ? unit : top),
    undefined,
  )
  if (!best) return { hit, text: '', best }
  const part = withLikelyNeighbours(units, best)
  return { hit, text: excerptOf(hit, part, question, questionShape(question), policy.answerWords), best }
}

/** Words cannot tell sentences apart as well as the reader, so neighbours that may hold the answer count as marked too. */
function withLikelyNeighbours(units: ScoredUnit[], { index, share, kind }: ScoredUnit): MarkedPart {
  const isLikely = (unit: ScoredUnit | undefined) =>
    kind === 'sentence' && unit?.kind === 'sentence' && unit.share >= share * policy.neighbourShare
  const first = isLikely(units[index - 1]) ? index - 1 : index
  return { first, last: isLikely(units[index + 1]) ? index + 1 : index }
}

/** A part of the question that the first passage leaves open and another answers. */
function otherPart(parts: Question[], first: WordExcerpt, others: Hit[]): WordExcerpt | undefined {
  for (const part of parts) {
    const firstCoverage = partCoverage(part, first)
    if (part.terms.length === 0 || firstCoverage >= policy.partCover) continue
    const enough = Math.max(policy.partCover, firstCoverage + policy.partLead)
    const better = others
      .map((hit) => excerptByWords(hit, part))
      .find((excerpt) => partCoverage(part, excerpt) >= enough)
    if (better) return better
  }
  return undefined
}

function partCoverage({ terms, language }: Question, { hit, text }: WordExcerpt): number {
  const { title, headings } = hit.passage
  return coverage(terms, textWords([title, ...headings, text].join('\n'), language))
}

export const MAX_SOURCES = 5

/** The pages an answer was taken from, one entry per document. */
export function collectSources(usedHits: readonly Hit[], siteUrl: string): Source[] {
  const documents = new Map<string, Source>()
  for (const { passage } of usedHits) {
    if (documents.size < MAX_SOURCES && !documents.has(passage.documentId)) {
      documents.set(passage.documentId, { title: passage.title, url: sourceUrl(passage.url, passage.anchor, siteUrl) })
    }
  }
  return [...documents.values()]
}

/** What an answer records of the passages that it came from. */
export function citedPassages(usedHits: readonly Hit[]): Required<Pick<Answer, 'documentIds' | 'citations'>> {
  const citations = usedHits.flatMap(({ passage: { documentId, passageId } }) =>
    passageId === undefined ? [] : [{ documentId, passageId }],
  )
  return {
    documentIds: [...new Set(usedHits.map(({ passage }) => passage.documentId))],
    citations: [...new Map(citations.map((one) => [`${one.documentId} ${one.passageId}`, one])).values()],
  }
}

function sourceUrl(url: string | null, anchor: string | null, siteUrl: string): string {
  if (url === null) return siteUrl
  return anchor && !url.includes('#') ? `${url}#${anchor}` : url
}
