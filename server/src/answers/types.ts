// What the answer engine is handed and what it gives back. It knows no database, no HTTP and no clock.
import type { Decision } from '@docent/contract'
import type { AnalysedQuestion, Token } from '../language/analyse.ts'
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

/** What retrieval measured of a passage, each 0 to 1. */
export interface Signals {
  words: number
  grams: number
  sentence: number
  vector: number
  title: number
  coverage: number
  pairs: number
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

/** What the reader makes of a passage and a question. */
export interface Reading {
  /** Log-odds that the passage answers the question. */
  relevance: number
  /** Log-odds that the answer is a yes, where the question can be answered with yes or no. */
  polarity: number
  /** Where in the passage's text the answer lies, and by how much that beats "nowhere". */
  span: { start: number; end: number; lead: number } | null
  /** What the relevance is without the earlier questions, where it was read with them. */
  alone?: number
}

export interface CuratedMatch {
  id: string
  score: number
  signals: { words: number; vector: number; classifier: number }
}

export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  answer: string
  url: string | null
}

export interface Query {
  question: AnalysedQuestion
  /** Words that earlier turns lend to the question. */
  context: readonly { surface: string; weight: number }[]
  vector: Float32Array | undefined
}

/** One bot's content, as the engine is allowed to see it. */
export interface Knowledge {
  /** Whether all of the bot's content is searched (the default), or the facts of one product. */
  scope?: 'pages' | 'product'
  /** How rare a stem is in the content: 0 in every passage, 1 in one; undefined in none. */
  rarity(stem: string): number | undefined
  /** Passages for a question, best first. */
  find(query: Query): Candidate[]
  /** The distinct stems of a found passage, as the numbers that `stemKey` gives. */
  stems(candidate: Candidate): ReadonlySet<number>
  stemKey(stem: string): number
  /** The candidates with their texts; those that are gone by now are left out. */
  read(candidates: readonly Candidate[]): Promise<Hit[]>
  /** A reading per passage, where there is a reader for the language and it answers in time. */
  judge(
    question: { text: string; earlier: readonly string[] },
    language: string,
    passages: readonly Passage[],
  ): Promise<Reading[] | undefined>
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
