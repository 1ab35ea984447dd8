// How likely the answer is right: about 80 in 100 answers at 0.8 are. Combines two probabilities: that the right
// passage was found, and that the excerpt answers the question.
// The coefficients are in confidence-model.json.

import type { ComposedAnswer } from '../compose/compose-answer.ts'
import { composeFromWords } from '../compose/compose-answer.ts'
import type { Hit, Question, Scope } from '../types.ts'
import { confidenceFeatures } from './confidence-features.ts'
import models from './confidence-model.json' with { type: 'json' }
import { probability } from './logistic.ts'
import { type ReadingFeatures, readingConfidence, readingFeatures } from './reading-confidence.ts'

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

export function wordConfidence(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
  scope: Scope = 'pages',
): number {
  const features = confidenceFeatures(question, hits, answer)
  if (!features || answer.text === '') return 0
  if (features.words === 0 && features.vector === 0 && features.grams < CHANCE_LIKENESS) return 0
  const kind = modelKind(hits, question.language)
  const { found, holds, level } = models[scope][kind]
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
