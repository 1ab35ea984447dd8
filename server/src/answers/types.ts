// Input and output of the answer engine, which is independent of database, HTTP and clock.
import type { ActionFailure, Decision } from '@docent/contract'
import type { ReaderPassage, ReaderQuestion } from '../inference/reader-input.ts'
import type { Reading as ModelReading } from '../inference/types.ts'
import type { AnalysedQuestion, Token } from '../language/analyse.ts'
import type { AnswerType } from './compose/answer-type.ts'
import type { ProductSignals } from './confidence/product-confidence.ts'
import type { QuestionToRestate } from './language-model/restate-question.ts'
import type {
  ModelAnswer,
  ModelFailure,
  ModelProduct,
  ModelQuestion,
  ModelTool,
  ModelToolCall,
} from './language-model/types.ts'
import type { ResultToWord } from './language-model/word-result.ts'
import type { Thresholds } from './policy.ts'

export interface Passage {
  /** In the index: the document and the place in it. */
  id: string
  /** In the database: stays when its page changes. */
  passageId?: string
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

/** Whether all of the bot's content is searched, or one product's facts. */
export type Scope = 'pages' | 'product'

/** The engine's view of one bot's content. */
export interface Knowledge {
  /** The default: the pages. */
  scope?: Scope
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
  load(candidates: readonly Candidate[]): Promise<Hit[]>
  /** The passages before and after it on its page, in order. */
  loadAround(passage: Passage): Promise<Passage[]>
  /** One reading per passage, if there is a reader and it responds in time. */
  read(question: ReaderQuestion, passages: readonly ReaderPassage[]): Promise<ModelReading[] | undefined>
  /** A text's vector, if there is a model and it responds in time. */
  embed(text: string): Promise<Float32Array | undefined>
  matchCurated(question: string, language: string, vector: Float32Array | undefined): CuratedMatch[]
  /** Actions of the bot by their examples, likewise; absent where there are none. */
  matchAction?(question: string, language: string, vector: Float32Array | undefined): CuratedMatch[]
  loadCurated(id: string): Promise<CuratedAnswer | undefined>
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
    reader: Pick<Knowledge, 'read'>,
  ): Promise<ProductAnswer | null>
  /** Products for a language model to choose from, best first; none if nothing fits. */
  select(
    question: string,
    language: string,
    history: readonly Turn[],
    productAnswer: ProductAnswer | null,
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
  generateAnswer(
    question: Omit<ModelQuestion, 'settings'>,
    options?: ModelTextOptions,
  ): Promise<ModelAnswer | ModelFailure>
  /** Null if it failed or took too long. */
  restateQuestion(question: QuestionToRestate): Promise<string | null>
  wordResult: WordResult
}

interface ModelTextOptions {
  /** Nothing is streamed, since something else may be said instead. */
  isHeld?: boolean
}

/** Says in a language model's words what another system responded; whatever was streamed before it failed stays. */
type WordResult = (result: ResultToWord, options?: ModelTextOptions) => Promise<{ text: string; isComplete: boolean }>

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
  /** A reply that may repeat what another system responded. */
  isUntrusted?: boolean
}

/** What is known of a visit beside its messages. */
export interface Visit {
  actions?: ActionDialogue | undefined
  /** What the visitor's widget is shown in. */
  locale?: string | null | undefined
  /** The language that the bot last spoke in a stored conversation. */
  spoken?: string | null | undefined
}

export interface BotVoice {
  name: string
  language: string
  tone: 'formal' | 'casual'
  siteUrl: string
  /** The company's own text for visitors of a language; null: the built-in one. */
  fallbackMessage: (language: string) => string | null
  thresholds: Thresholds
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
  type: 'reply' | 'handover' | 'lead_form' | 'url'
  label: string
  value?: string
  url?: string
}

/** A passage that an answer came from. */
interface Citation {
  documentId: string
  passageId: string
}

export interface Answer {
  text: string
  sources: Source[]
  documentIds: string[]
  citations?: Citation[]
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
  /** What small talk says about the reply before it. */
  opinion?: 'pleased' | 'displeased'
  /** The action that the reply belongs to. */
  action?: ActionProgress
}

/** Does things for a visitor in other systems. */
export interface ActionDialogue {
  /** What to do with a message while an action waits for one; null: nothing waits. */
  proceed(message: ActionMessage): Promise<ActionStep | null>
  /** Null: the message asks for no action. */
  start(message: ActionMessage): Promise<Answer | null>
  /** What a language model may choose from. */
  offer(): Promise<ModelTool[]>
  /** Starts what a language model chose; null if it is gone. */
  startChosen(call: ModelToolCall, message: ActionMessage): Promise<Answer | null>
  /** The history as a language model may know it: without what other systems responded, and without secrets. */
  forModel(history: readonly Turn[]): Turn[]
}

export interface ActionMessage {
  /** As typed. */
  text: string
  language: string
  isForPerson: boolean
  history: readonly Turn[]
  bot: BotVoice
  knowledge: Knowledge
  /** Absent without a language model. */
  wordResult?: WordResult | undefined
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
  /** For the people who take over: what an action that did not work out had collected, or the answers given before. */
  note?: string
  /** The visitor's message as those people are told it: without secrets. */
  message?: string
  /** The questions before a handover are answered or skipped. */
  handover?: AskedHandover
}

/** Why a person is wanted. */
export interface HandoverAsking {
  reason: 'visitor_request' | 'low_confidence' | 'rule'
  message: string | null
}

export interface AskedHandover extends HandoverAsking {
  answers: { label: string; value: string }[]
}

interface ActionRunReport {
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

/** A visitor as their site has proven them to be, never as they claim. */
export interface VerifiedUser {
  userId: string
  email: string | null
  name: string | null
}

/** Where an action is wanted. */
export interface ActionSession {
  channel: 'widget' | 'api' | 'playground'
  conversationId: string | null
  /** What the last reply had collected. */
  pending: string | null
  /** The same for copies of one message, and no other; null where the caller keeps the history. */
  turnKey: string | null
  /** Who the visitor is, as the site has proven it with this message; null: it has not. */
  user: VerifiedUser | null
  /** Sends nothing, and answers from saved samples. */
  usesSamples: boolean
}
