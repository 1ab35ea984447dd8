// Lookup tables of words that make a question depend on what was said before.

import { byLanguage, type Language, phrasesOf, wordSet } from '../../language/languages.ts'
import type { ReferenceData } from '../../language/schema/language-data.ts'

type Phrases = 'openers' | 'enders' | 'bareQuestions'
export type ReferenceWords = Record<Phrases, string[]> &
  Record<Exclude<keyof ReferenceData, Phrases> | 'questionWords' | 'auxiliaries', ReadonlySet<string>>

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
    questionWords: wordSet(questions.words),
    auxiliaries: wordSet(questions.auxiliaries),
  }),
)

export const referenceWords = (language: Language): ReferenceWords => tables(language) as ReferenceWords
