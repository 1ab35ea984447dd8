// A question's content words, weighted by their rarity in the bot's content.
import type { AnalysedQuestion } from '../../language/analyse.ts'
import { fold, normalise } from '../../language/fold.ts'
import { stopWords } from '../../language/languages.ts'
import { stem } from '../../language/stem.ts'
import { grams, words } from '../../language/words.ts'
import type { Question, Term } from '../types.ts'
import { answerType, namesByCapital } from './answer-type.ts'

// Common words keep some weight, or "opening hours" would mean nothing in a shop that mentions them everywhere.
const MIN_WEIGHT = 0.1

export function makeQuestion(
  question: AnalysedQuestion,
  rest: Pick<Question, 'rarity' | 'knows' | 'leaning' | 'discussed'>,
): Question {
  return {
    ...rest,
    ...question,
    terms: questionTerms(question, rest.rarity),
    answerType: answerType(question.text, question.language),
  }
}

export function questionTerms({ tokens }: AnalysedQuestion, rarity: Question['rarity']): Term[] {
  const termsByStem = new Map<string, Term>()
  for (const token of tokens) {
    if (token.stem === '' || termsByStem.has(token.stem)) continue
    termsByStem.set(token.stem, { ...token, weight: MIN_WEIGHT + (1 - MIN_WEIGHT) * rarity(token.stem) })
  }
  return [...termsByStem.values()]
}

/** A text tokenized for comparison with question terms. */
export interface TextWords {
  stems: ReadonlySet<string>
  grams: ReadonlySet<string>
  count: number
}

// The same passages answer repeatedly, so cache their tokens.
const cache = new Map<string, TextWords>()
const MAX_CHARACTERS = 600_000
let takenCharacters = 0

export function textWords(text: string, language: string): TextWords {
  const key = `${language} ${text}`
  let cachedTerms = cache.get(key)
  if (!cachedTerms) {
    cachedTerms = tokenize(text, language)
    takenCharacters += key.length
    if (takenCharacters > MAX_CHARACTERS) {
      cache.clear()
      takenCharacters = key.length
    }
    cache.set(key, cachedTerms)
  }
  return cachedTerms
}

function tokenize(text: string, language: string): TextWords {
  const all = words(text, language)
  const stop = stopWords(language)
  const stems = new Set<string>()
  const allGrams = new Set<string>()
  for (const word of all) {
    if (stop.has(word)) continue
    stems.add(stem(word, language))
    for (const gram of grams(fold(word))) allGrams.add(gram)
  }
  return { stems, grams: allGrams, count: all.length }
}

// A smaller share of common n-grams is chance.
const MIN_SIMILARITY = 0.6

/** 1 if the text has the term, less for a similar word (a compound, a misspelling), otherwise 0. */
export function termIn(term: Term, text: TextWords): number {
  if (text.stems.has(term.stem)) return 1
  if (term.grams.length < 2) return 0
  let sharedGrams = 0
  for (const gram of term.grams) if (text.grams.has(gram)) sharedGrams++
  const share = sharedGrams / term.grams.length
  return share < MIN_SIMILARITY ? 0 : share * 0.9
}

// What `termIn` gives for a word that has all n-grams of the term, as "parcels" in "letterparcels".
const SAME_WORD = 0.9

/** Whether a text has the term, alone or within a longer word. */
export function hasTerm(term: Term, text: TextWords): boolean {
  return termIn(term, text) >= SAME_WORD
}

/** Share of the question, by term weight, that the text covers. */
export function coverage(terms: readonly Term[], text: TextWords): number {
  let all = 0
  let coveredWeight = 0
  for (const term of terms) {
    all += term.weight
    coveredWeight += term.weight * termIn(term, text)
  }
  return all === 0 ? 0 : coveredWeight / all
}

const INSIDE = /(?<=[\p{L}\p{N},;:)]\s+["“„'(]?)\p{Lu}[\p{L}\p{M}\p{N}'’-]*/gu

/** Whether a term is a number or, judging by its capital within the question, a name. */
export function isNamedTerm(term: Term, question: string, language: string): boolean {
  if (/\p{N}/u.test(term.word)) return true
  if (!namesByCapital(language)) return false
  return (question.match(INSIDE) ?? []).some((name) => fold(normalise(name)).split(/['’-]/).includes(term.word))
}
