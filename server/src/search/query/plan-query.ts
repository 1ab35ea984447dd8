// A question as numbers that a segment can be searched by: its stems, similar stems and n-grams, with their weights.
import type { ContextWord } from '../../answers/types.ts'
import { type AnalysedQuestion, analyse, type Token } from '../../language/analyse.ts'
import { asksForFigure } from '../../language/question-words.ts'
import { isPairwise } from '../../language/scripts.ts'
import { stem } from '../../language/stem.ts'
import { grams } from '../../language/words.ts'
import { documentsHolding, inverseFrequency } from '../index/scoring.ts'
import { findKey, hash53, NO_STEM, type Segment } from '../index/segment.ts'

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
const MAX_TERMS = 64

/** Compiles a question: the terms to look up in each segment, and their weights. */
export function planQuery(
  { text, language, tokens }: AnalysedQuestion,
  segments: Segment[],
  context: readonly ContextWord[] = [],
): QueryPlan {
  const documents = segments.reduce((sum, segment) => sum + segment.ids.length, 0)
  const ownWeights = weigh(tokens, 1)
  const contextWeights = context.flatMap(({ surface, weight }) => weigh(analyse(surface, language), weight))
  const queryTerms = new Map<string, WeighedToken>()
  for (const { stem, ...rest } of [...ownWeights, ...contextWeights]) {
    if (stem !== '' && !queryTerms.has(stem) && queryTerms.size < MAX_TERMS) queryTerms.set(stem, { stem, ...rest })
  }
  const ownStems = new Set(ownWeights.map(({ stem }) => stem))
  const terms: QueryPlan['terms'] = []
  const variants: Variant[][] = segments.map(() => [])
  for (const { stem, word, share } of queryTerms.values()) {
    const term = terms.length
    const key = hash53(stem)
    const holdingCount = documentsHolding(segments, key)
    terms.push({ weight: inverseFrequency(documents, holdingCount) * share })
    segments.forEach((segment, s) => {
      const number = findKey(segment.stemTable, segment.stemKeys, key)
      if (number >= 0) variants[s]!.push({ term, stem: number, weight: 1 })
      // Only words unknown to the bot are treated as misspellings.
      else if (holdingCount === 0)
        for (const like of similarStems(segment, word, language)) variants[s]!.push({ term, ...like })
    })
  }
  const grams = planGrams([...ownWeights, ...contextWeights], segments, documents)
  return {
    terms,
    ownTerms: [...queryTerms.keys()].filter((stem) => ownStems.has(stem)).length,
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
    for (const gram of grams) if (!shares.has(gram) && shares.size < MAX_TERMS * 6) shares.set(gram, share)
  }
  return [...shares].map(([gram, share]) => {
    const key = hash53(gram)
    const holdingCount = segments.reduce((sum, segment) => {
      const number = findKey(segment.gramTable, segment.gramKeys, key)
      return sum + (number < 0 ? 0 : segment.gramDocs[number]!)
    }, 0)
    return { key, weight: inverseFrequency(documents, holdingCount) * share }
  })
}

// A word unknown to the bot is either misspelt ("cadr") or another form ("Lieferungskosten"): single typos are found by
// trying all of them, other forms by shared n-grams.

const MAX_SIMILAR = 6
const MIN_SHARED = 0.5
const SLIP_WEIGHT = 0.8
const LONGEST_SLIPPED = 12
const LATIN = [...'abcdefghijklmnopqrstuvwxyz']

interface SimilarStem {
  stem: number
  weight: number
}

/** Stems of a segment that an unknown folded word may mean. */
function similarStems(segment: Segment, word: string, language: string): SimilarStem[] {
  const weightsByStem = new Map<number, number>()
  if (/^[a-z]+$/.test(word) && word.length > 3 && word.length <= LONGEST_SLIPPED) {
    for (const number of stemsOneSlipAway(segment, word, language)) weightsByStem.set(number, SLIP_WEIGHT)
  }
  for (const { stem: number, weight } of byGrams(segment, word)) {
    if (weight > (weightsByStem.get(number) ?? 0)) weightsByStem.set(number, weight)
  }
  return [...weightsByStem]
    .map(([number, weight]) => ({ stem: number, weight }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_SIMILAR)
}

/** Whether the segment's texts contain this exact folded word. */
export function hasWord(segment: Segment, word: string): boolean {
  return byGrams(segment, word).some(({ weight }) => weight === 1)
}

/** No generators: hundreds of spellings are tried for every unknown word. */
function stemsOneSlipAway(segment: Segment, word: string, language: string): number[] {
  const stems: number[] = []
  const addStem = (candidate: string) => {
    const number = findKey(segment.stemTable, segment.stemKeys, hash53(candidate))
    if (number >= 0) stems.push(number)
  }
  // Deletions and swaps are few, so each result is stemmed; replacements and insertions number in the hundreds, so only
  // the stem is varied.
  for (let i = 0; i < word.length; i++) {
    addStem(stem(word.slice(0, i) + word.slice(i + 1), language))
    if (i + 1 < word.length) addStem(stem(word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2), language))
  }
  const whole = stem(word, language)
  for (let i = 0; i <= whole.length; i++) {
    const before = whole.slice(0, i)
    const from = whole.slice(i)
    const after = whole.slice(i + 1)
    for (const letter of LATIN) {
      if (i < whole.length) addStem(before + letter + after)
      addStem(before + letter + from)
    }
  }
  return stems
}

function byGrams(segment: Segment, word: string): SimilarStem[] {
  // One shared bigram is not enough.
  if (word.length < 4 || isPairwise(word)) return []
  const wordGrams = grams(word)
  const sharedGrams = new Map<number, number>()
  for (const gram of wordGrams) {
    const number = findKey(segment.gramTable, segment.gramKeys, hash53(gram))
    if (number < 0) continue
    for (let at = segment.gramStart[number]!; at < segment.gramStart[number + 1]!; at++) {
      const surface = segment.gramSurfaces[at]!
      sharedGrams.set(surface, (sharedGrams.get(surface) ?? 0) + 1)
    }
  }
  const similar: SimilarStem[] = []
  for (const [surface, count] of sharedGrams) {
    const number = segment.surfaceStems[surface]!
    const weight = (2 * count) / (wordGrams.length + segment.surfaceGrams[surface]!)
    if (number !== NO_STEM && weight >= MIN_SHARED) similar.push({ stem: number, weight })
  }
  return similar
}
