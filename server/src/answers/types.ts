// What the answer engine is handed and what it gives back. It knows no database, no HTTP and no clock.
import type { Decision } from '@docent/contract'
import type { AnalysedQuestion, Token } from '../language/analyse.ts'
import type { ReaderPassage, ReaderQuestion } from '../models/reader-input.ts'
import type { Reading as ModelReading } from '../models/types.ts'
import type { AnswerType } from './compose/units/answer-type.ts'
import type { ModelAnswer, ModelFailure, ModelQuestion } from './language-model/types.ts'
import type { Catalogue, ProductCard } from './products/types.ts'

export interface Passage {
  id: string
  documentId: string
  title: string
  url: string | null
  headings: string[]
  anchor: string | null
  text: string
  language: string
  /** Phrasings by which it is found, beside its own words; never shown. */
  questions?: string[]
}

/** What retrieval measured of a passage, each 0 to 1; kept apart for the confidence and the playground. */
export interface Signals {
  /** BM25 over stems, title and headings weighted; divided by what a perfect match would score. */
  words: number
  /** BM25 over character grams, likewise. */
  grams: number
  /** BM25 of the best sentence, likewise. */
  sentence: number
  /** Cosine of question and passage, 0 without vectors. */
  vector: number
  /** Share of the question, by weight of its words, that title and headings hold. */
  title: number
  /** Share of the question, by weight of its words, that the passage holds. */
  coverage: number
  /** Share of the question's neighbouring words that are neighbours in the passage. */
  pairs: number
  /** 1 where the question asks for a number or date and the best sentence has one, 0 otherwise. */
  answerType: number
}

/** A passage that was found but not read yet. */
export interface Candidate {
  id: string
  documentId: string
  score: number
  signals: Signals
  /** Whether it can be compared by meaning: it has a vector already. */
  embedded: boolean
}

export interface Hit {
  passage: Passage
  score: number
  signals: Signals
  /** What the reader makes of it; absent where it was not read. */
  reading?: Reading
  /** An earlier answer told all of it. */
  told?: boolean
}

export interface Reading extends ModelReading {
  /** What the relevance is without the earlier questions, where it was read with them. */
  alone?: number
}

export interface CuratedMatch {
  id: string
  /** 0 to 1; low for questions that none of the answers is meant for. */
  score: number
  signals: CuratedSignals
}

export interface CuratedSignals {
  /** Likeness of the wording to the nearest phrasings, 0 to 1. */
  words: number
  /** Mean cosine to the nearest phrasings, 0 without vectors. */
  vector: number
  /** What the bot's own classifier gives this answer against the others, 0 to 1. */
  classifier: number
}

export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  answer: string
  url: string | null
}

/** A word that an earlier turn of the conversation lends to the question. */
export interface ContextWord {
  surface: string
  weight: number
}

export interface Query {
  question: AnalysedQuestion
  context: readonly ContextWord[]
  vector: Float32Array | undefined
}

/** One bot's content, as the engine is allowed to see it. */
export interface Knowledge {
  /** Whether all of the bot's content is searched (the default), or the facts of one product. */
  scope?: 'pages' | 'product'
  /** How rare a stem is in the content: 0 in every passage, 1 in one; undefined in none. */
  rarity(stem: string): number | undefined
  /** The text without typos, where the language's words are known. */
  correctSpelling(text: string, language: string): string
  /** Passages for a question, best first. */
  find(query: Query): Candidate[]
  /** The distinct stems of a found passage, as the numbers that `stemKey` gives. */
  stems(candidate: Candidate): ReadonlySet<number>
  stemKey(stem: string): number
  /** The candidates with their texts; those that are gone by now are left out. */
  read(candidates: readonly Candidate[]): Promise<Hit[]>
  /** A reading per passage, where there is a reader for the language and it answers in time. */
  judge(
    question: ReaderQuestion,
    language: string,
    passages: readonly ReaderPassage[],
  ): Promise<ModelReading[] | undefined>
  /** A text's vector, where there is a model for its language and it answers in time. */
  embed(text: string, language: string): Promise<Float32Array | undefined>
  matchCurated(question: string, language: string, vector: Float32Array | undefined): CuratedMatch[]
  readCurated(id: string): Promise<CuratedAnswer | undefined>
  /** Absent for a bot without products. The first question after a start may wait for a large one. */
  openProducts?: (() => Promise<Catalogue>) | undefined
}

/** Lets the bot's language model answer from the passages. */
export type Speak = (asked: Omit<ModelQuestion, 'settings'>) => Promise<ModelAnswer | ModelFailure>

/** A distinct content word of a question; its weight says how rare it is in the content. */
export interface Term extends Token {
  weight: number
}

/** A question as the answer is composed and judged by. */
export interface Question extends AnalysedQuestion {
  terms: readonly Term[]
  answerType: AnswerType
  /** 0 for a stem that every passage holds, 1 for one that a single passage or none holds. */
  rarity: (stem: string) => number
  /** Whether any passage holds a stem. */
  knows?: (stem: string) => boolean
  /** 0 to 1: how much it leans on earlier turns, and how much its first passage is what they spoke of. */
  leaning?: number
  discussed?: number
}

export interface Turn {
  role: 'user' | 'assistant'
  text: string
  /** Documents that an answer came from, where known. */
  documentIds?: string[]
  /** Products that an answer named. */
  productIds?: string[]
  /** False for a reply that had no answer; unknown for what a person wrote. */
  answered?: boolean | null
  /** It may help to understand a question, but none of its text goes into a reply or to a language model. */
  isPrivate?: boolean
}

export interface BotVoice {
  name: string
  language: string
  tone: 'formal' | 'casual'
  siteUrl: string
  fallbackMessage: string | null
  thresholds: { answer: number; suggest: number }
}

export interface Source {
  title: string
  url: string
}

export interface Button {
  id: string
  type: 'reply' | 'handover' | 'lead_form'
  label: string
  value?: string
}

export interface Answer {
  text: string
  sources: Source[]
  documentIds: string[]
  /** Those the answer names, to be shown as cards. */
  products?: ProductCard[]
  confidence: number
  answered: boolean
  language: string
  buttons: Button[]
  decision: Decision
  /** Set where nothing was asked: small talk, or the wish for a person. */
  asksNothing?: true
}
