import type { ContextWord } from '../../answers/types.ts'
import { type AnalysedQuestion, analyse, type Token } from '../../language/analyse.ts'
import { asksForFigure } from '../../language/question/question-type.ts'
import { hash53 } from '../index/hash.ts'
import { findKey } from '../index/key-table.ts'
import type { Segment } from '../index/segment.ts'
import { documentsHolding, inverseFrequency } from './scoring.ts'
import { similarStems } from './similar-stems.ts'

/** A stem of the question, or a similar one, as found in a segment. */
export interface Variant {
  term: number
  stem: number
  weight: number
}

export interface QueryPlan {
  /** Weight of each stem: the question's own in order, then those of its context. */
  terms: { weight: number }[]
  /** How many terms are the question's own: only these can be neighbours. */
  ownTerms: number
  /** Per segment. */
  variants: Variant[][]
  grams: { key: number; weight: number }[]
  termWeightSum: number
  gramWeightSum: number
  asksForFigure: boolean
}

// Caps long input: a pasted page is not a question, and its first words say what it is about.
const maxTerms = 64

/** Compiles a question: the terms to look up in each segment, and their weights. */
export function planQuery(
  { text, language, tokens }: AnalysedQuestion,
  segments: Segment[],
  context: readonly ContextWord[] = [],
): QueryPlan {
  const documents = segments.reduce((sum, segment) => sum + segment.ids.length, 0)
  const own = weigh(tokens, 1)
  const lent = context.flatMap(({ surface, weight }) => weigh(analyse(surface, language), weight))
  const wanted = new Map<string, WeighedToken>()
  for (const { stem, ...rest } of [...own, ...lent]) {
    if (stem !== '' && !wanted.has(stem) && wanted.size < maxTerms) wanted.set(stem, { stem, ...rest })
  }
  const ownStems = new Set(own.map(({ stem }) => stem))
  const terms: QueryPlan['terms'] = []
  const variants: Variant[][] = segments.map(() => [])
  for (const { stem, word, share } of wanted.values()) {
    const term = terms.length
    const key = hash53(stem)
    const holding = documentsHolding(segments, key)
    terms.push({ weight: inverseFrequency(documents, holding) * share })
    segments.forEach((segment, s) => {
      const number = findKey(segment.stemTable, segment.stemKeys, key)
      if (number >= 0) variants[s]!.push({ term, stem: number, weight: 1 })
      // Only words unknown to the bot are treated as misspellings.
      else if (holding === 0)
        for (const like of similarStems(segment, word, language)) variants[s]!.push({ term, ...like })
    })
  }
  const grams = planGrams([...own, ...lent], segments, documents)
  return {
    terms,
    ownTerms: [...wanted.keys()].filter((stem) => ownStems.has(stem)).length,
    variants,
    grams,
    termWeightSum: terms.reduce((sum, term) => sum + term.weight, 0),
    gramWeightSum: grams.reduce((sum, gram) => sum + gram.weight, 0),
    asksForFigure: asksForFigure(text, language),
  }
}

interface WeighedToken extends Token {
  share: number
}

function weigh(tokens: readonly Token[], share: number): WeighedToken[] {
  return tokens.map((token) => ({ ...token, share }))
}

function planGrams(tokens: WeighedToken[], segments: Segment[], documents: number): QueryPlan['grams'] {
  const shares = new Map<string, number>()
  for (const { grams, share } of tokens) {
    for (const gram of grams) if (!shares.has(gram) && shares.size < maxTerms * 6) shares.set(gram, share)
  }
  return [...shares].map(([gram, share]) => {
    const key = hash53(gram)
    const holding = segments.reduce((sum, segment) => {
      const number = findKey(segment.gramTable, segment.gramKeys, key)
      return sum + (number < 0 ? 0 : segment.gramDocs[number]!)
    }, 0)
    return { key, weight: inverseFrequency(documents, holding) * share }
  })
}
