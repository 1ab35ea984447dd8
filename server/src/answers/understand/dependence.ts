// How much a question depends on what was said before: a small logistic regression over features found in any language,
// such as references, ellipsis, and how much of a topic the question has itself.
import { contentStems } from '../../language/analyse.ts'
import {
  byLanguage,
  type Language,
  languageData,
  languageOrEnglish,
  phrasesOf,
  wordSet,
} from '../../language/languages.ts'
import type { ReferenceData } from '../../language/schema.ts'
import { type WrittenWord, writtenWords } from '../../language/words.ts'

interface DependenceSigns {
  pronoun: number
  demonstrative: number
  continuer: number
  opener: number
  bare: number
  definite: number
  ownTerms0: number
  ownTerms1: number
  ownTerms2: number
  ownTerms3: number
  newName: number
  knownName: number
  repeatsTerms: number
  introduces: number
  long: number
}

// Fitted once to 3,000 rewritten questions (did the rewriter add words of the history or resolve a pronoun?) and
// rounded; no script in lab/ repeats it. Only `opener` is set by hand: the data has too few of them.
const coefficients: DependenceSigns & { bias: number } = {
  bias: -0.05,
  pronoun: 2.3,
  demonstrative: 1.2,
  continuer: 0.6,
  opener: 0.4,
  bare: 0.4,
  definite: 0.6,
  ownTerms0: 0.75,
  ownTerms1: 1.05,
  ownTerms2: 1,
  ownTerms3: 0.55,
  newName: -0.7,
  knownName: -0.15,
  repeatsTerms: 0.2,
  introduces: -0.15,
  long: -0.75,
}

interface QuestionParts {
  text: string
  language: Language
  /** Content terms of the question, as stored in the index. */
  terms: ReadonlySet<string>
  /** Content terms of everything said before. */
  earlierTerms: ReadonlySet<string>
  analyze: (text: string) => string[]
}

interface Dependence {
  /** 0 to 1. */
  dependence: number
  /** It refers back explicitly, or has no topic of its own. */
  refers: boolean
}

export function measureDependence(parts: QuestionParts): Dependence {
  const signs = dependenceSigns(parts)
  let sum = coefficients.bias
  for (const [name, value] of Object.entries(signs) as [keyof DependenceSigns, number][])
    sum += coefficients[name] * value
  const { pronoun, demonstrative, opener, bare, ownTerms0 } = signs
  return { dependence: 1 / (1 + Math.exp(-sum)), refers: pronoun + demonstrative + opener + bare + ownTerms0 > 0 }
}

/** Whether it can be understood alone, as "How heavy may it be?" cannot. */
export function isSelfContained(text: string, language: string, fewestTerms = 1): boolean {
  const analyze = (part: string) => contentStems(part, language)
  const terms = new Set(analyze(text))
  const parts = { text, language: languageOrEnglish(language), terms, earlierTerms: new Set<string>(), analyze }
  return terms.size >= fewestTerms && !measureDependence(parts).refers
}

function dependenceSigns({ text, language, terms, earlierTerms, analyze }: QuestionParts): DependenceSigns {
  const table = referenceWords(language)
  const words = writtenWords(text)
  const plain = words.map(({ word }) => word).join(' ')
  const has = (entries: ReadonlySet<string>) => holds(words, plain, entries, language)
  const repeatedCount = [...terms].filter((term) => earlierTerms.has(term)).length
  const names = words.filter(({ name }) => name).flatMap(({ surface }) => analyze(surface))
  const count = terms.size
  const sign = (value: boolean) => (value ? 1 : 0)
  return {
    pronoun: sign(has(table.pronouns)),
    demonstrative: sign(has(table.demonstratives) || pointsBack(words, table)),
    continuer: sign(has(table.continuers)),
    opener: sign(opensElliptically(plain, table)),
    bare: sign(table.bareQuestions.includes(plain)),
    definite: sign(hasBareDefinite(words, table)),
    ownTerms0: sign(count === 0),
    ownTerms1: sign(count === 1),
    ownTerms2: sign(count === 2),
    ownTerms3: sign(count === 3),
    newName: sign(names.some((term) => !earlierTerms.has(term))),
    knownName: sign(names.some((term) => earlierTerms.has(term))),
    repeatsTerms: count ? repeatedCount / count : 0,
    introduces: sign(introducesTopic(text, analyze)),
    long: sign(words.length > 14),
  }
}

function holds(words: WrittenWord[], plain: string, entries: ReadonlySet<string>, language: Language): boolean {
  if (words.some(({ word }) => entries.has(word) || entries.has(word.replace(/'.*$/, '')))) return true
  // The segmenter does not always split Chinese and Japanese like our word lists.
  if (!languageData[language].isUnspaced) return false
  const unspacedText = plain.replaceAll(' ', '')
  for (const entry of entries) if (entry.length > 1 && unspacedText.includes(entry)) return true
  return false
}

function pointsBack(words: WrittenWord[], table: ReferenceWords): boolean {
  return words.some(({ word }, at) => {
    if (!table.ambiguous.has(word)) return false
    const next = words[at + 1]
    const before = words[at - 1]
    return (
      !next ||
      next.opens ||
      table.auxiliaries.has(next.word) ||
      (before !== undefined && table.auxiliaries.has(before.word))
    )
  })
}

function opensElliptically(plain: string, { openers, enders }: ReferenceWords): boolean {
  return (
    openers.some((opener) => plain === opener || plain.startsWith(`${opener} `)) ||
    enders.some((ender) => plain.endsWith(ender))
  )
}

// "Was the trip a success?" depends on the history, "the history of Rome" does not.
function hasBareDefinite(words: WrittenWord[], table: ReferenceWords): boolean {
  if (!table.articles.size) return false
  return words.some(({ word }, at) => {
    if (!table.articles.has(word)) return false
    const noun = words[at + 1]
    if (!noun || noun.name) return false
    for (const after of [at + 2, at + 3]) {
      const next = words[after]
      if (after >= words.length || (next && (next.opens || table.auxiliaries.has(next.word)))) return true
      if (next?.name) return false
    }
    return false
  })
}

// "Speaking of vaccines, how are they made?" has its own antecedent.
function introducesTopic(text: string, analyze: (text: string) => string[]): boolean {
  const clauses = text.split(/[.,;!?:]\s+/).filter((clause) => clause.trim())
  return clauses.length > 1 && clauses.slice(0, -1).some((clause) => analyze(clause).length >= 2)
}

type Phrases = 'openers' | 'enders' | 'bareQuestions'
type ReferenceWords = Record<Phrases, string[]> &
  Record<Exclude<keyof ReferenceData, Phrases> | 'auxiliaries', ReadonlySet<string>>

const tables = byLanguage(
  ({ reference, questions }): ReferenceWords => ({
    pronouns: wordSet(reference.pronouns),
    demonstratives: wordSet(reference.demonstratives),
    ambiguous: wordSet(reference.ambiguous),
    continuers: wordSet(reference.continuers),
    openers: phrasesOf(reference.openers),
    enders: phrasesOf(reference.enders),
    bareQuestions: phrasesOf(reference.bareQuestions),
    articles: wordSet(reference.articles),
    auxiliaries: wordSet(questions.auxiliaries),
  }),
)

const referenceWords = (language: Language): ReferenceWords => tables(language) as ReferenceWords
