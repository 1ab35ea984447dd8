// How likely the answer is right: about 80 in 100 answers at 0.8 are. Combines two probabilities: that the right
// passage was found, and that the excerpt answers the question.
// The coefficients are in confidence-model.json, and in reading-confidence-model.json for passages with readings.

import { inAnyLanguage } from '../../language/languages.ts'
import { containsType, lacksFigure } from '../compose/answer-type.ts'
import { type ComposedAnswer, composeFromWords } from '../compose/compose-answer.ts'
import { topicTerms } from '../compose/question-shape.ts'
import { coverage, isNamedTerm, termIn, textWords } from '../compose/question-terms.ts'
import { denies, saysOpposite } from '../compose/units.ts'
import { policy, type Thresholds } from '../policy.ts'
import type { Hit, Question, Scope, Signals, Term } from '../types.ts'
import wordModels from './confidence-model.json' with { type: 'json' }
import { LEAST, probability, roundConfidence } from './logistic.ts'
import readingModel from './reading-confidence-model.json' with { type: 'json' }

export function confidenceOf(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
  scope: Scope = 'pages',
): number {
  if (!hits[0]?.reading) return wordConfidence(question, hits, answer, scope)
  const features = collectReadingFeatures(question, hits, scope)
  return features && answer.text !== '' ? readingConfidence(features) : 0
}

/** What a reply reports: the estimate, adjusted by two things that it cannot see. */
export function replyConfidence(
  estimate: number,
  question: Question,
  answer: ComposedAnswer,
  thresholds: Thresholds,
): number {
  const least = isTopicPage(answer, question) ? policy.topicConfidence : 0
  // "We check it now and then." says nothing to "How often?": at most a hedged answer.
  const most = lacksFigure(question, answer.text) ? (thresholds.suggest + thresholds.answer) / 2 : 1
  return roundConfidence(Math.min(Math.max(estimate, least), most))
}

/** "Return policy" names a topic, and the answer begins with the page of that title. */
function isTopicPage({ text, used }: ComposedAnswer, question: Question): boolean {
  const topic = topicTerms(question)
  const title = textWords(used[0]?.passage.title ?? '', question.language)
  return text !== '' && topic.length > 0 && coverage(topic, title) >= policy.topicTitle
}

/** The word-based confidence of the first passage is one of the reading features. */
export function collectReadingFeatures(
  question: Question,
  hits: readonly Hit[],
  scope: Scope = 'pages',
): ReadingFeatures | undefined {
  const fromWords = composeFromWords(question, hits, '')
  const byWords = wordConfidence(question, hits, fromWords, scope)
  return readingFeatures(question, hits, byWords, confidenceFeatures(question, hits, fromWords))
}

function wordConfidence(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
  scope: Scope = 'pages',
): number {
  const features = confidenceFeatures(question, hits, answer)
  if (!features || answer.text === '') return 0
  if (features.words === 0 && features.vector === 0 && features.grams < CHANCE_LIKENESS) return 0
  const kind = modelKind(hits, question.language)
  const { found, holds, level } = wordModels[scope][kind]
  const values: Record<string, number> = { ...features }
  const both = probability(found, values) * probability(holds, values)
  // The two tend to fail together, so their product is too low; `level` corrects it.
  const confidence = probability(level, { product: Math.log(both / (1 - both)) })
  const strange = features.unknown > MAX_UNKNOWN || features.rareMissing === 1
  return kind !== 'vectors' && strange ? Math.min(confidence, STRANGE_CONFIDENCE) : confidence
}

// A bot with two pages has no rival passages to cast doubt. If most words of a question are nowhere in the content, or
// none in the passage, word-based answers were almost never right, for any bot.
const MAX_UNKNOWN = 0.5
const STRANGE_CONFIDENCE = 0.05

// Long questions share a few n-grams with any passage, which means nothing without a common word or a vector.
const CHANCE_LIKENESS = 0.02

export type ModelKind = 'vectors' | 'words' | 'englishWords'

/** English has its own word-based model: only there is data on questions that merely look answerable. */
export function modelKind(hits: readonly Hit[], language: string): ModelKind {
  if (hits.some(({ signals }) => signals.vector > 0)) return 'vectors'
  return language.startsWith('en') ? 'englishWords' : 'words'
}

// How likely an answer is right, for passages with readings.

export interface ReadingFeatures {
  /** Log-odds that the first passage answers, divided by ten. */
  relevance: number
  /** Its lead over the next one, and over the mean of the others; divided by ten. */
  lead: number
  ahead: number
  /** The highest of all, divided by ten. */
  best: number
  /** The first and the highest without the earlier questions, divided by ten. */
  alone: number
  bestAlone: number
  /** By how much the marked answer outscores "no answer", divided by ten. */
  span: number
  /** How much of the question the first passage covers, and how close it is in meaning. */
  coverage: number
  words: number
  vector: number
  /** 1 for a follow-up question. */
  follows: number
  /** Log-odds by words and vectors alone, divided by ten. */
  byWords: number
  /** Shares of the question that no passage has, and that the first lacks; likewise for its names. */
  unknown: number
  rareMissing: number
  namesMissing: number
}

/** Typical relevance of a passage that does not answer. */
export const UNREAD = -8
// Used if no passage has a vector yet, which is no evidence against the answer.
const TYPICAL_VECTOR = 0.5

export const READING_FEATURE_NAMES = [
  'relevance',
  'lead',
  'ahead',
  'best',
  'span',
  'coverage',
  'words',
  'vector',
  'follows',
  'byWords',
  'alone',
  'bestAlone',
  'unknown',
  'rareMissing',
  'namesMissing',
] as const satisfies (keyof ReadingFeatures)[]

function readingFeatures(
  question: Question,
  hits: readonly Hit[],
  /** How likely the answer is right by words and vectors alone, and why. */
  byWords: number,
  { unknown = 0, rareMissing = 0, namesMissing = 0 }: Partial<ConfidenceFeatures> = {},
): ReadingFeatures | undefined {
  const [first, ...others] = hits
  if (!first?.reading) return undefined
  const readings = others.flatMap(({ reading }) => reading ?? [])
  const relevances = readings.map(({ relevance }) => relevance)
  const mean = relevances.reduce((sum, one) => sum + one, 0) / Math.max(1, relevances.length)
  const { relevance, span } = first.reading
  const alone = [first.reading, ...readings].map((reading) => reading.alone ?? reading.relevance)
  return {
    relevance: relevance / 10,
    lead: (relevance - Math.max(UNREAD, ...relevances)) / 10,
    ahead: (relevance - (relevances.length > 0 ? mean : UNREAD)) / 10,
    best: Math.max(relevance, ...relevances) / 10,
    alone: (alone[0] ?? UNREAD) / 10,
    bestAlone: Math.max(...alone) / 10,
    span: (span?.lead ?? -10) / 10,
    coverage: first.signals.coverage,
    words: first.signals.words,
    vector: hits.some(({ signals }) => signals.vector > 0) ? first.signals.vector : TYPICAL_VECTOR,
    byWords: Math.log(Math.max(LEAST, byWords) / Math.max(LEAST, 1 - byWords)) / 10,
    follows: question.leaning === undefined ? 0 : Number(question.leaning > 0),
    unknown,
    rareMissing,
    namesMissing,
  }
}

function readingConfidence(features: ReadingFeatures): number {
  return probability(readingModel, { ...features })
}

// Evidence for and against the answer being right, each scaled to about 0 to 1.

export interface ConfidenceFeatures {
  /** Retrieval signals of the first hit. */
  words: number
  grams: number
  sentence: number
  coverage: number
  pairs: number
  vector: number
  /** Lead of the first hit over the best other passage. */
  margin: number
  wordsMargin: number
  gramsMargin: number
  vectorMargin: number
  /** Share of the signals that rank this hit first. */
  agreement: number
  /** Other hits that score nearly as high. */
  rivals: number
  /** Share of the question that the answering sentence covers. */
  sentenceCover: number
  /** Probability of that sentence within its passage. */
  sentenceShare: number
  /** Whether the answer has the kind of thing the question asks for, or lacks it. */
  typeHeld: number
  typeMissing: number
  /** Weight of the heaviest term missing from the passage, and share of all missing terms. */
  heaviestMissing: number
  rareMissing: number
  /** Share of the question's names and numbers missing from the passage, and from the answering sentence. */
  namesMissing: number
  namesMissingInSentence: number
  /** Share of terms in none of the bot's passages, with nothing similar in this one. */
  unknown: number
  /** The question is negated and the sentence is not. */
  denialAsked: number
  /** The sentence has the opposite of a word in the question: "before" for "after". */
  opposite: number
  /** Weight of the heaviest term missing from the answering sentence. */
  heaviestMissingInSentence: number
  /** Share of the question that the answering sentence and its neighbours cover. */
  answerCover: number
  /** Length of the passage, on a logarithmic scale. */
  lengthy: number
  /** The question asks how or why; it is addressed from one person to another. */
  manner: number
  personal: number
  foreign: number
  /** How much the question depends on earlier turns, and how much the passage matches them. */
  leaning: number
  discussed: number
  short: number
  long: number
}

const SIGNALS_COMPARED = ['words', 'grams', 'sentence', 'coverage', 'vector'] as const satisfies (keyof Signals)[]

const PERSONAL = new RegExp(String.raw`\b(?:${inAnyLanguage(({ questions }) => questions.personal)})\b`, 'i')

export function confidenceFeatures(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
): ConfidenceFeatures | undefined {
  const lead = answer.used[0]
  if (!lead || !answer.best) return undefined
  const { signals, passage } = lead
  const { terms, answerType: type } = question
  const others = hits.filter((hit) => hit !== lead)
  const phrasings = [passage.title, ...passage.headings, ...(passage.questions ?? [])]
  const whole = textWords([...phrasings, passage.text].join('\n'), question.language)
  const sentence = textWords([...phrasings, answer.best.text].join('\n'), question.language)
  const missingTerms = terms.filter((term) => termIn(term, whole) === 0)
  // "My code does not work" is answered by sentences with fewer negations, or opposite ones.
  const isPersonal = PERSONAL.test(question.text)
  const names = terms.filter((term) => isNamedTerm(term, question.text, question.language))
  const typeMatch = containsType(type, answer.text, question.text, question.language)
  return {
    words: signals.words,
    grams: signals.grams,
    sentence: signals.sentence,
    coverage: signals.coverage,
    pairs: signals.pairs,
    vector: signals.vector,
    margin: lead.score - Math.max(0, ...others.map((hit) => hit.score)),
    wordsMargin: signals.words - Math.max(0, ...others.map((hit) => hit.signals.words)),
    gramsMargin: signals.grams - Math.max(0, ...others.map((hit) => hit.signals.grams)),
    vectorMargin: signals.vector - Math.max(0, ...others.map((hit) => hit.signals.vector)),
    agreement: agreement(lead, others),
    rivals: others.filter((hit) => hit.score > lead.score * 0.8).length / 7,
    sentenceCover: coverage(terms, sentence),
    sentenceShare: answer.best.share,
    typeHeld: typeMatch === 1 ? 1 : 0,
    typeMissing: typeMatch === 0 ? 1 : 0,
    heaviestMissing: Math.max(0, ...missingTerms.map((term) => term.weight)),
    rareMissing: shareOfWeight(missingTerms, terms),
    namesMissing: names.length === 0 ? 0 : names.filter((term) => termIn(term, whole) === 0).length / names.length,
    namesMissingInSentence:
      names.length === 0 ? 0 : names.filter((term) => termIn(term, sentence) === 0).length / names.length,
    unknown: missingTerms.filter((term) => question.knows?.(term.stem) === false).length / Math.max(1, terms.length),
    denialAsked: !isPersonal && denies(question.text) && !denies(answer.best.text) ? 1 : 0,
    opposite: !isPersonal && saysOpposite(question.text, answer.best.text) ? 1 : 0,
    heaviestMissingInSentence: Math.max(
      0,
      ...terms.filter((term) => termIn(term, sentence) === 0).map((term) => term.weight),
    ),
    answerCover: coverage(terms, textWords(answer.text, question.language)),
    lengthy: Math.min(1, Math.log(1 + whole.count) / 6),
    manner: type === 'manner' || type === 'reason' ? 1 : 0,
    personal: isPersonal ? 1 : 0,
    foreign: passage.language.slice(0, 2) === question.language.slice(0, 2) ? 0 : 1,
    leaning: question.leaning ?? 0,
    discussed: question.discussed ?? 0,
    short: Math.max(0, 3 - terms.length) / 3,
    long: Math.min(1, Math.max(0, terms.length - 5) / 8),
  }
}

function agreement(lead: Hit, others: Hit[]): number {
  const present = SIGNALS_COMPARED.filter(
    (name) => lead.signals[name] > 0 || others.some((hit) => hit.signals[name] > 0),
  )
  const agreeingSignals = present.filter((name) => others.every((hit) => hit.signals[name] <= lead.signals[name]))
  return present.length === 0 ? 0 : agreeingSignals.length / present.length
}

function shareOfWeight(some: readonly Term[], all: readonly Term[]): number {
  const sum = (terms: readonly Term[]) => terms.reduce((total, term) => total + term.weight ** 2, 0)
  return all.length === 0 ? 0 : sum(some) / sum(all)
}
