// Splits a passage into the units answers are made of: sentences of prose and whole list items.
import { inAnyLanguage, patternByLanguage } from '../../language/languages.ts'
import { isSpaceless } from '../../language/scripts.ts'
import { sentences } from '../../language/sentences.ts'
import type { Hit, Passage, Question, Term } from '../types.ts'
import { containsType } from './answer-type.ts'
import { containsRange, holdsFigure } from './figure-ranges.ts'
import { coverage, hasTerm, type TextWords, termIn, textWords } from './question-terms.ts'

export interface Unit {
  kind: 'sentence' | 'item' | 'step'
  text: string
  /** Line number in the passage; sentences of one paragraph share it. */
  line: number
  /** Start offset in the passage's text. */
  start: number
}

/** Indexes of the first and the last unit that hold the answer. */
export interface MarkedPart {
  first: number
  last: number
}

/** In place of the lines beyond the longest reply. */
export const MORE = '…'
export const BULLET = /^\s*[-•*]\s+/
/** A table row as written by our parsers, with its name: "- Norway, United Kingdom: Standard 12.90 €". */
export const TABLE_ROW = /^[-•*]\s+((?:[^:.!?]|[.!?](?=\S)){1,90}):\s/
// "am 7. Januar", "162 Mio. Euro": where ordinals end with a full stop, sentences rarely end with a number.
const ORDINAL_LANGUAGES = /^(?:de|da|no|nb|nn|fi|et|cs|sk|hu|hr|sl|sr|bs|is|lv|tr)/
const ORDINAL = /(?:^|\s)\d{1,2}\.$/
const SHORTENED = /(?:^|\s)(?:Mio|Mrd|Tsd|Abs|Nr|Abb|Bd|Std|Sek|Jh|v\. ?Chr|n\. ?Chr)\.$/u
const STEP = /^\s*\d{1,2}[.)]\s+/

/** Whether a table row is the one for a figure of the question, by its name or by a cell whose column the question names. */
export function isRowFor(row: string, question: string): boolean {
  const [, name] = TABLE_ROW.exec(row) ?? []
  return name !== undefined && (holdsFigure(name, question) || containsRange(row, question))
}

// Caches the sentences of passages that are used often.
const spansOfPassage = new WeakMap<Passage, ReturnType<typeof sentences>>()

function spansOf(passage: Passage): ReturnType<typeof sentences> {
  let spans = spansOfPassage.get(passage)
  if (!spans) {
    spans = sentences(passage.text, passage.language)
    spansOfPassage.set(passage, spans)
  }
  return spans
}

export function unitsOf({ passage }: Pick<Hit, 'passage'>): Unit[] {
  const { text, language } = passage
  const lines = linesOf(text)
  const ordinals = ORDINAL_LANGUAGES.test(language)
  const isCutShort = (sentence: string) => SHORTENED.test(sentence) || (ordinals && ORDINAL.test(sentence))
  const units: Unit[] = []
  for (const { start, end } of spansOf(passage)) {
    const line = lines.findLast((candidate) => candidate.start <= start)
    if (!line) continue
    const last = units.at(-1)
    const sameLine = last?.line === line.number ? last : undefined
    if (sameLine && (line.kind !== 'sentence' || isCutShort(sameLine.text))) {
      if (line.kind === 'sentence') sameLine.text = text.slice(sameLine.start, end)
    } else if (line.kind === 'sentence') {
      units.push({ kind: 'sentence', line: line.number, start, text: text.slice(start, end) })
    } else {
      units.push({ kind: line.kind, line: line.number, start: line.start, text: line.text.trim() })
    }
  }
  return units
}

/** In scripts without spaces, two characters count as a word. */
export function countWords(text: string): number {
  if (text === '') return 0
  return isSpaceless(text) ? Math.ceil(text.length / 2) : text.trim().split(/\s+/).length
}

interface Line {
  number: number
  start: number
  text: string
  kind: Unit['kind']
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line, number) => {
    const kind = BULLET.test(line) ? 'item' : STEP.test(line) ? 'step' : 'sentence'
    const parsedLine: Line = { number, start, text: line, kind }
    start += line.length + 1
    return parsedLine
  })
}

interface UnitFeatures {
  /** Share of the question that the unit covers. */
  cover: number
  /** Share that the previous unit covers: answers follow what they refer to. */
  coverBefore: number
  /** Whether the unit has the rarest question term found in the passage. */
  rarest: number
  /** Share of adjacent question terms of which the unit has both. */
  pairs: number
  /** Whether it has the kind of thing the question asks for, -0.5..0.5. */
  typed: number
  length: number
}

export const UNIT_FEATURE_NAMES = [
  'cover',
  'coverBefore',
  'rarest',
  'pairs',
  'typed',
  'length',
] as const satisfies (keyof UnitFeatures)[]

type UnitWeights = Record<keyof UnitFeatures, number>

// Fitted by lab/fitting/units.ts on questions with known answers, rounded.
const weights: UnitWeights = {
  cover: 6,
  coverBefore: 0.7,
  rarest: 0.3,
  pairs: 0.5,
  typed: 1.8,
  length: 0,
}
// Not in any data set; chosen by reading answers. A question in the content is not an answer, but what follows it is;
// a page's description of itself is not; under a heading that matches the question, the first sentence is;
// "Chest 94–99" is the row for a chest of 97.
const NO_ANSWER_PENALTY = 2.5
const QUESTION_PENALTY = 6
const AFTER_QUESTION_BONUS = 3
const HEADING_BONUS = 1.5
const RANGE_BONUS = 3

export interface ScoredUnit extends Unit {
  index: number
  /** Probability that this unit of the passage answers; they add up to 1. */
  share: number
  /** Share of the question that the unit covers. */
  cover: number
}

export function scoreUnits(units: Unit[], question: Question, heading: string): ScoredUnit[] {
  const features = unitFeatures(units, question)
  const underHeading = coverage(question.terms, textWords(heading, question.language))
  const scores = features.map((row, index) => {
    const learnt = UNIT_FEATURE_NAMES.reduce((sum, name) => sum + weights[name] * row[name], 0)
    const before = features[index - 1]
    const text = row.unit.text
    let score = learnt
    if (ENDS_AS_QUESTION.test(text)) score -= QUESTION_PENALTY
    else if (before && ENDS_AS_QUESTION.test(before.unit.text)) score += AFTER_QUESTION_BONUS * before.cover
    if (refersToPage(text, question.language)) score -= NO_ANSWER_PENALTY
    if (containsRange(text, question.text)) score += RANGE_BONUS
    if (index === 0) score += HEADING_BONUS * underHeading
    return { ...row.unit, index, cover: row.cover, score }
  })
  return withShares(scores)
}

const ENDS_AS_QUESTION = /[?？؟]["'”’)\]]*$/

export function unitFeatures(units: Unit[], question: Question): (UnitFeatures & { unit: Unit })[] {
  const { language, terms } = question
  const scoredUnits = units.map((unit) => {
    const words = textWords(unit.text, language)
    return { unit, words, cover: coverage(terms, words) }
  })
  const rarest = rarestHeld(
    terms,
    scoredUnits.map(({ words }) => words),
  )
  return scoredUnits.map(({ unit, words, cover }, i) => ({
    unit,
    cover,
    coverBefore: scoredUnits[i - 1]?.cover ?? 0,
    rarest: rarest && hasTerm(rarest, words) ? 1 : 0,
    pairs: pairShare(terms, words),
    typed: containsType(question.answerType, unit.text, question.text, language) - 0.5,
    length: Math.log(1 + words.count) / 4,
  }))
}

function rarestHeld(terms: readonly Term[], texts: TextWords[]): Term | undefined {
  let best: Term | undefined
  for (const term of terms) {
    if ((!best || term.weight > best.weight) && texts.some((text) => hasTerm(term, text))) best = term
  }
  return best
}

function pairShare(terms: readonly Term[], text: TextWords): number {
  let all = 0
  let coveredWeight = 0
  let before: Term | undefined
  for (const term of terms) {
    if (before) {
      const weight = before.weight + term.weight
      all += weight
      if (termIn(before, text) > 0 && termIn(term, text) > 0) coveredWeight += weight
    }
    before = term
  }
  return all === 0 ? 0 : coveredWeight / all
}

function withShares(units: (Omit<ScoredUnit, 'share'> & { score: number })[]): ScoredUnit[] {
  const highest = Math.max(...units.map(({ score }) => score))
  const powers = units.map(({ score, ...unit }) => ({ ...unit, share: Math.exp(score - highest) }))
  const sum = powers.reduce((total, { share }) => total + share, 0)
  return powers.map((unit) => ({ ...unit, share: unit.share / sum }))
}

const patterns = patternByLanguage(({ sentences }) => sentences.aboutPage)

/** Whether a sentence describes its page: "This page explains how to …" promises an answer but is not one. */
export const refersToPage = (sentence: string, language: string): boolean => patterns(language)?.test(sentence) ?? false

// what the other says.

const DENIAL = new RegExp(
  inAnyLanguage(({ sentences }) => sentences.denial),
  'iu',
)

export const denies = (text: string): boolean => DENIAL.test(text)

const opposites = new Map<string, string[]>()
for (const pair of inAnyLanguage(({ sentences }) => sentences.opposites).split(/[ |]/)) {
  const [one = '', other = ''] = pair.split('/')
  opposites.set(one, [...(opposites.get(one) ?? []), other])
  opposites.set(other, [...(opposites.get(other) ?? []), one])
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}+/gu))

/** Whether the sentence has the opposite of a word in the question, but not the word itself. */
export function saysOpposite(question: string, sentence: string): boolean {
  const sentenceWords = wordsOf(sentence)
  for (const word of wordsOf(question)) {
    if (!sentenceWords.has(word) && opposites.get(word)?.some((other) => sentenceWords.has(other))) return true
  }
  return false
}
