// Input and output of the answer engine, which is independent of database, HTTP and clock.
import type { ActionFailure, Decision } from '@docent/contract'
import type { ReaderPassage, ReaderQuestion } from '../inference/reader-input.ts'
import type { Reading as ModelReading } from '../inference/types.ts'
import type { AnalysedQuestion, Token } from '../language/analyse.ts'
import type { AnswerType } from './compose/answer-type.ts'
import type { ProductSignals } from './confidence/product-confidence.ts'
import type { QuestionToRestate } from './language-model/restate-question.ts'
import type { ModelAnswer, ModelFailure, ModelProduct, ModelQuestion } from './language-model/types.ts'

export interface Passage {
  id: string
  documentId: string
  title: string
  url: string | null
  headings: string[]
  anchor: string | null
  text: string
  language: string
  /** Additional phrasings to find it by; never shown. */
  questions?: string[]
  /** When its page was last changed, in milliseconds. */
  updatedAt?: number
}

/** Retrieval scores of a passage, each 0 to 1; kept separate for the confidence and the playground. */
export interface Signals {
  /** BM25 over stems with weighted title and headings, divided by the score of a perfect match. */
  words: number
  /** BM25 over character n-grams, likewise. */
  grams: number
  /** BM25 of the best sentence, likewise. */
  sentence: number
  /** Cosine of question and passage, 0 without vectors. */
  vector: number
  /** Share of the question, by word weight, in title and headings. */
  title: number
  /** Share of the question, by word weight, in the passage. */
  coverage: number
  /** Share of the question's adjacent words that are adjacent in the passage. */
  pairs: number
  /** 1 if the question asks for a number or date and the best sentence has one, otherwise 0. */
  answerType: number
}

/** A passage that was found but not loaded yet. */
export interface Candidate {
  id: string
  documentId: string
  score: number
  signals: Signals
  /** Whether it already has a vector to compare by meaning. */
  embedded: boolean
}

export interface Hit {
  passage: Passage
  score: number
  signals: Signals
  /** The reader's output; absent if not read. */
  reading?: Reading
  /** An earlier answer already gave all of it. */
  alreadyQuoted?: boolean
  /** 0 to 1: its page was quoted before, and the question depends on that. */
  discussed?: number
}

export interface Reading extends ModelReading {
  /** Relevance without the earlier questions, if it was read with them. */
  alone?: number
}

export interface CuratedMatch {
  id: string
  /** 0 to 1; low if none of the answers is meant for the question. */
  score: number
  signals: CuratedSignals
}

export interface CuratedSignals {
  /** Similarity to the nearest phrasings by words, 0 to 1. */
  words: number
  /** Mean cosine to the nearest phrasings, 0 without vectors. */
  vector: number
  /** Score of this answer in the bot's own classifier, 0 to 1. */
  classifier: number
}

export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  answer: string
  url: string | null
}

/** A word added to the question from an earlier turn. */
export interface ContextWord {
  surface: string
  weight: number
}

export interface Query {
  question: AnalysedQuestion
  context: readonly ContextWord[]
  vector: Float32Array | undefined
}

/** The engine's view of one bot's content. */
export interface Knowledge {
  /** Whether all of the bot's content is searched (the default), or one product's facts. */
  scope?: 'pages' | 'product'
  /** Rarity of a stem in the content: 0 if in every passage, 1 if in one; undefined if in none. */
  rarity(stem: string): number | undefined
  /** Corrects typing errors, if the language's words are known. */
  correctSpelling(text: string, language: string): string
  /** Passages for a question, best first. */
  find(query: Query): Candidate[]
  /** Distinct stems of a found passage, as numbers from `stemKey`. */
  stems(candidate: Candidate): ReadonlySet<number>
  stemKey(stem: string): number
  /** The candidates with their texts, without those deleted meanwhile. */
  read(candidates: readonly Candidate[]): Promise<Hit[]>
  /** The passages before and after it on its page, in order. */
  readAround(passage: Passage): Promise<Passage[]>
  /** One reading per passage, if there is a reader and it responds in time. */
  judge(question: ReaderQuestion, passages: readonly ReaderPassage[]): Promise<ModelReading[] | undefined>
  /** A text's vector, if there is a model and it responds in time. */
  embed(text: string): Promise<Float32Array | undefined>
  matchCurated(question: string, language: string, vector: Float32Array | undefined): CuratedMatch[]
  /** Actions of the bot by their examples, likewise; absent where there are none. */
  matchAction?(question: string, language: string, vector: Float32Array | undefined): CuratedMatch[]
  readCurated(id: string): Promise<CuratedAnswer | undefined>
  /** Absent for bots without products. The first question after a start may wait for a large catalogue. */
  openProducts?: (() => Promise<ProductAnswers>) | undefined
}

/** Answers questions about a shop's products. */
export interface ProductAnswers {
  /** Null for a question that is not about products. */
  answer(
    question: string,
    language: string,
    history: readonly Turn[],
    bot: BotVoice,
    reader: Pick<Knowledge, 'judge'>,
  ): Promise<ProductAnswer | null>
  /** Products for a language model to choose from, best first; none if nothing fits. */
  select(
    question: string,
    language: string,
    history: readonly Turn[],
    answered: ProductAnswer | null,
  ): Promise<SelectedProduct[]>
  /** Products that a description fits ("a red tent under 300 euros"), best first. */
  search(text: string, language: string, limit: number): Promise<{ products: FoundProduct[]; meetsAll: boolean }>
}

export interface FoundProduct {
  id: string
  title: string
  description: string
  url: string | null
  imageUrl: string | null
  /** The special price, if there is one. */
  price: number | null
  /** Before the special price. */
  regularPrice: number | null
  currency: string | null
  availability: Availability | null
  brand: string | null
  categories: string[]
  attributes: Record<string, string | string[]>
}

export interface SelectedProduct extends ModelProduct {
  card: ProductCard
}

export interface ProductAnswer {
  answer: Answer
  /** Inputs of the confidence; absent if the answer says that nothing is known. */
  signals?: ProductSignals
  /** The part of the message for pages to answer: "… and can I return it?" */
  rest?: string
}

export type Availability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder'

/** What visitors see of a product. */
export interface ProductCard {
  id: string
  title: string
  price: number | null
  currency: string | null
  imageUrl: string | null
  url: string | null
  availability: Availability | null
}

/** A bot's language model. */
export interface AnswerModel {
  generateAnswer(asked: Omit<ModelQuestion, 'settings'>): Promise<ModelAnswer | ModelFailure>
  /** Null if it failed or took too long. */
  restateQuestion(asked: QuestionToRestate): Promise<string | null>
}

/** A distinct content word of a question, weighted by its rarity in the content. */
export interface Term extends Token {
  weight: number
}

/** A question in the form used to compose and score answers. */
export interface Question extends AnalysedQuestion {
  terms: readonly Term[]
  /** What the visitor has just written, if words of earlier turns were added. */
  own?: { text: string; terms: readonly Term[] }
  answerType: AnswerType
  /** 0 for a stem in every passage, 1 for one in a single passage or none. */
  rarity: (stem: string) => number
  /** Whether any passage has a stem. */
  knows?: (stem: string) => boolean
  /** 0 to 1: how much it depends on earlier turns, and how much its first passage matches them. */
  leaning?: number
  discussed?: number
}

export interface Turn {
  role: 'user' | 'assistant'
  text: string
  /** Documents the answer came from, if known. */
  documentIds?: string[]
  /** Products named in the answer. */
  productIds?: string[]
  /** False for a reply without an answer; unknown for messages written by a person. */
  answered?: boolean | null
  /** For a reply of the bot: what an action had collected by then. */
  action?: string | null | undefined
  /** May help to understand a question, but its text must never reach a reply or a language model. */
  isPrivate?: boolean
}

export interface BotVoice {
  name: string
  language: string
  tone: 'formal' | 'casual'
  siteUrl: string
  fallbackMessage: string | null
  thresholds: { answer: number; suggest: number }
  /** Whether people stand by to take over; the default. */
  hasPeople?: boolean
  /** Whether visitors can leave their contact details. */
  hasContactForm?: boolean
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
  /** Named in the answer, to be shown as cards. */
  products?: ProductCard[]
  confidence: number
  answered: boolean
  language: string
  buttons: Button[]
  decision: Decision
  /** How to get in touch, if the reply says so: an address, a number or a link. */
  contact?: string
  /** A language model's words, which say themselves what is missing. */
  isGenerated?: true
  /** Set if nothing was asked: small talk, or a request for a person. */
  asksNothing?: true
  /** The action that the reply belongs to. */
  action?: ActionProgress
}

/** Does things for a visitor in other systems. */
export interface Actions {
  /** What to do with a message while an action waits for one; null: nothing waits. */
  proceed(message: ActionMessage): Promise<ActionStep | null>
  /** Null: the message asks for no action. */
  start(message: ActionMessage): Promise<Answer | null>
}

export interface ActionMessage {
  /** As typed. */
  text: string
  language: string
  isForPerson: boolean
  bot: BotVoice
  knowledge: Knowledge
}

export interface ActionStep {
  /** False: the visitor may have asked something else, which is then answered. */
  isCertain: boolean
  /** Goes on with the action. */
  reply: () => Promise<Answer>
  /** Goes with the answer to something else, so that the action can go on after it. */
  held: ActionProgress
}

export interface ActionProgress {
  id: string
  status: 'asking' | 'confirming' | 'done' | 'failed'
  /** What was collected, as JSON, while the action waits for more. */
  state?: string
  /** Set when it ran. */
  run?: ActionRunReport
  /** What to save as a lead. */
  lead?: ActionLead
  /** It did not work out: for the people who take over. */
  note?: string
}

export interface ActionRunReport {
  id: string
  actionName: string
  /** Masked. */
  inputs: Record<string, string>
  failure: ActionFailure | null
  status: number | null
  durationMs: number
}

export interface ActionLead {
  name: string | null
  email: string | null
  phone: string | null
  message: string | null
  fields: Record<string, string>
}

/** Where an action is wanted. */
export interface ActionSession {
  channel: 'widget' | 'api' | 'playground'
  conversationId: string | null
  /** What the last reply had collected. */
  pending: string | null
  /** Whether the site has proven who the visitor is. */
  isVerified: boolean
  /** Sends nothing, and answers from saved samples. */
  usesSamples: boolean
}
