// Which sentence of a passage answers the question: a weighted sum of signals, read as log-odds.

import type { Question, Term } from '../../types.ts'
import { coverage, type TextWords, termIn, textWords } from '../question-terms.ts'
import { containsType } from './answer-type.ts'
import { containsRange } from './figure-ranges.ts'
import { refersToPage } from './refers-to-page.ts'
import type { Unit } from './units.ts'

export interface UnitFeatures {
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

export const unitFeatureNames = [
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
const noAnswerPenalty = 2.5
const questionPenalty = 6
const afterQuestionBonus = 3
const headingBonus = 1.5
const rangeBonus = 3

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
  const scored = features.map((row, index) => {
    const learnt = unitFeatureNames.reduce((sum, name) => sum + weights[name] * row[name], 0)
    const before = features[index - 1]
    const text = row.unit.text
    let score = learnt
    if (endsAsQuestion.test(text)) score -= questionPenalty
    else if (before && endsAsQuestion.test(before.unit.text)) score += afterQuestionBonus * before.cover
    if (refersToPage(text, question.language)) score -= noAnswerPenalty
    if (containsRange(text, question.text)) score += rangeBonus
    if (index === 0) score += headingBonus * underHeading
    return { ...row.unit, index, cover: row.cover, score }
  })
  return withShares(scored)
}

const endsAsQuestion = /[?？؟]["'”’)\]]*$/

export function unitFeatures(units: Unit[], question: Question): (UnitFeatures & { unit: Unit })[] {
  const { language, terms } = question
  const read = units.map((unit) => {
    const words = textWords(unit.text, language)
    return { unit, words, cover: coverage(terms, words) }
  })
  const rarest = rarestHeld(
    terms,
    read.map(({ words }) => words),
  )
  return read.map(({ unit, words, cover }, i) => ({
    unit,
    cover,
    coverBefore: read[i - 1]?.cover ?? 0,
    rarest: rarest && termIn(rarest, words) >= 0.9 ? 1 : 0,
    pairs: pairShare(terms, words),
    typed: containsType(question.answerType, unit.text, question.text, language) - 0.5,
    length: Math.log(1 + words.count) / 4,
  }))
}

function rarestHeld(terms: readonly Term[], texts: TextWords[]): Term | undefined {
  let best: Term | undefined
  for (const term of terms) {
    if ((!best || term.weight > best.weight) && texts.some((text) => termIn(term, text) >= 0.9)) best = term
  }
  return best
}

function pairShare(terms: readonly Term[], text: TextWords): number {
  let all = 0
  let held = 0
  let before: Term | undefined
  for (const term of terms) {
    if (before) {
      const weight = before.weight + term.weight
      all += weight
      if (termIn(before, text) > 0 && termIn(term, text) > 0) held += weight
    }
    before = term
  }
  return all === 0 ? 0 : held / all
}

function withShares(units: (Omit<ScoredUnit, 'share'> & { score: number })[]): ScoredUnit[] {
  const highest = Math.max(...units.map(({ score }) => score))
  const powers = units.map(({ score, ...unit }) => ({ ...unit, share: Math.exp(score - highest) }))
  const sum = powers.reduce((total, { share }) => total + share, 0)
  return powers.map((unit) => ({ ...unit, share: unit.share / sum }))
}
