// How likely the answer is right: of answers at 0.8, about 80 in 100 are. Two things must hold, and each has a
// probability of its own: the right passage was found, and what was taken from it answers the question.
// The coefficients stand, readable, in confidence-model.json.
import { composeFromWords } from '../compose/compose-answer.ts'
import type { ComposedAnswer } from '../compose/composed-answer.ts'
import type { Hit, Question } from '../types.ts'
import { confidenceFeatures } from './confidence-features.ts'
import models from './confidence-model.json' with { type: 'json' }
import { probability } from './logistic.ts'
import { type ReadingFeatures, readingConfidence, readingFeatures } from './reading-confidence.ts'

/** Whether all of the bot's content was searched, or the facts of one product. */
export type Scope = 'pages' | 'product'

export function confidenceOf(
  question: Question,
  hits: readonly Hit[],
  answer: ComposedAnswer,
  scope: Scope = 'pages',
): number {
  if (!hits[0]?.reading) return wordConfidence(question, hits, answer, scope)
  const features = featuresOfReading(question, hits, scope)
  return features && answer.text !== '' ? readingConfidence(features) : 0
}

/** What words say of the first passage is one of the things the reader's confidence is made of. */
export function featuresOfReading(
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
  if (features.words === 0 && features.vector === 0 && features.grams < chanceLikeness) return 0
  const kind = modelKind(hits, question.language)
  const { found, holds, level } = models[scope][kind]
  const values: Record<string, number> = { ...features }
  const both = probability(found, values) * probability(holds, values)
  // The two go wrong together more often than apart, so their product is too low; `level` sets it right.
  const confidence = probability(level, { product: Math.log(both / (1 - both)) })
  const strange = features.unknown > mostUnknown || features.rareMissing === 1
  return kind !== 'vectors' && strange ? Math.min(confidence, strangeConfidence) : confidence
}

// A bot of two pages has no rivals that could cast doubt. Where most words of a question stand nowhere in the content,
// or none in the passage, hardly any answer by words was right, in whatever bot.
const mostUnknown = 0.5
const strangeConfidence = 0.05

// Every long question shares a few letters with every passage; without a word or a vector that says nothing.
const chanceLikeness = 0.02

export type ModelKind = 'vectors' | 'words' | 'englishWords'

/** English has a model of its own for words alone: only there is it known how often questions merely look answerable. */
export function modelKind(hits: readonly Hit[], language: string): ModelKind {
  if (hits.some(({ signals }) => signals.vector > 0)) return 'vectors'
  return language.startsWith('en') ? 'englishWords' : 'words'
}
