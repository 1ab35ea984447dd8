// Finds a bot's curated answers by the words, the meaning and the class of a question.
import type { CuratedMatch, CuratedSignals } from '../../answers/types.ts'
import { dotCodes, quantise, quantiseQuery } from '../vectors/quantise.ts'
import {
  type Classifier,
  classify,
  type FeatureSpace,
  featureKeys,
  learnFeatures,
  type SparseVector,
  trainClassifier,
  vectorOf,
} from './train-classifier.ts'

/** A bot's curated answers, compiled for matching. */
export interface CuratedIndex {
  ids: string[]
  space: FeatureSpace
  classifier: Classifier
  /** Phrasing → answer. */
  phrasingAnswers: Uint32Array
  /** Answer → number of phrasings. */
  phrasingCounts: Uint32Array
  /** Feature → phrasings. */
  postingStart: Uint32Array
  postingPhrasings: Uint32Array
  postingWeights: Float32Array
  dimensions: number
  codes: Int8Array
  scales: Float32Array
}

// The mean of the three nearest is more stable than the nearest alone, and loses little when there are few.
const NEAREST = 3
const COMPARE_ALL_BELOW = 2000
const LISTED_BY_CLASSIFIER = 16
const LISTED_BY_WORDS = 8
const curatedWeights = { vector: 1, words: 0.5, classifier: 0.3 }
const curatedLexicalWeights = { vector: 0, words: 1, classifier: 0.6 }

export function buildCuratedIndex(answers: CuratedAnswer[]): CuratedIndex {
  const phrasings = answers.flatMap(({ question, alternatives, language, vectors }, answer) =>
    [question, ...alternatives].map((text, place) => ({
      answer,
      counts: featureKeys(text, language),
      dense: vectors?.[place],
    })),
  )
  const space = learnFeatures(phrasings.map(({ counts }) => counts))
  const features = space.frequencies.length
  const examples = phrasings.map(({ answer, counts, dense }) => ({
    answer,
    sparse: vectorOf(space, counts),
    dense,
  }))
  const phrasingCounts = new Uint32Array(answers.length)
  for (const { answer } of phrasings) phrasingCounts[answer]!++
  return {
    ids: answers.map(({ id }) => id),
    space,
    classifier: trainClassifier(examples, answers.length, features),
    phrasingAnswers: Uint32Array.from(phrasings, ({ answer }) => answer),
    phrasingCounts,
    ...invert(
      examples.map(({ sparse }) => sparse),
      features,
    ),
    ...encode(phrasings.map(({ dense }) => dense)),
  }
}

/** The curated answers most similar to a question, best first. */
export function matchCurated(
  index: CuratedIndex,
  question: string,
  options: { language: string; vector?: Float32Array | undefined; limit?: number },
): CuratedMatch[] {
  if (index.ids.length === 0) return []
  const vector = options.vector && index.dimensions === options.vector.length ? options.vector : undefined
  const sparse = vectorOf(index.space, featureKeys(question, options.language))
  const byWords = nearestByWords(index, sparse)
  const shares = classify(index.classifier, sparse, vector)
  const byVector = vector && nearestByVector(index, vector, shortlist(index, shares, byWords))
  const weights = vector ? curatedWeights : curatedLexicalWeights
  // With few answers the classifier has little to choose from, so it counts less.
  const rivalry = 1 - 1 / index.ids.length
  const hits = index.ids.map((id, answer): CuratedMatch => {
    const count = index.phrasingCounts[answer]!
    const signals = {
      words: byWords.mean(answer, count),
      vector: Math.max(0, byVector?.mean(answer, count) ?? 0),
      classifier: shares[answer]! * rivalry,
    }
    return { id, score: curatedScore(signals, weights), signals }
  })
  return hits.sort((a, b) => b.score - a.score).slice(0, options.limit ?? 5)
}

export function curatedIndexBytes({ classifier, space, codes, postingPhrasings }: CuratedIndex): number {
  const weights = classifier.sparseWeights.byteLength + classifier.denseWeights.byteLength
  return weights + codes.byteLength + postingPhrasings.byteLength * 2 + space.frequencies.length * 60
}

function curatedScore(signals: CuratedSignals, weights: typeof curatedWeights): number {
  const sum = weights.vector * signals.vector + weights.words * signals.words + weights.classifier * signals.classifier
  return sum / (weights.vector + weights.words + weights.classifier)
}

function nearestByWords(index: CuratedIndex, { features, weights }: SparseVector): TopPerAnswer {
  const likeness = new Float32Array(index.phrasingAnswers.length)
  for (let f = 0; f < features.length; f++) {
    const weight = weights[f]!
    const end = index.postingStart[features[f]! + 1]!
    for (let at = index.postingStart[features[f]!]!; at < end; at++)
      likeness[index.postingPhrasings[at]!]! += weight * index.postingWeights[at]!
  }
  const top = new TopPerAnswer(index.ids.length, NEAREST)
  for (let p = 0; p < likeness.length; p++) if (likeness[p]! > 0) top.add(index.phrasingAnswers[p]!, likeness[p]!)
  return top
}

/** The answers to compare phrasing by phrasing; all of them while that is cheap. */
function shortlist(index: CuratedIndex, shares: Float32Array, byWords: TopPerAnswer): Uint8Array {
  const answers = index.ids.length
  if (index.scales.length <= COMPARE_ALL_BELOW) return new Uint8Array(answers).fill(1)
  const isListed = new Uint8Array(answers)
  const order = Array.from({ length: answers }, (_, answer) => answer)
  order.sort((a, b) => shares[b]! - shares[a]!)
  for (const answer of order.slice(0, LISTED_BY_CLASSIFIER)) isListed[answer] = 1
  const likeness = order.map((_, answer) => byWords.mean(answer, index.phrasingCounts[answer]!))
  order.sort((a, b) => likeness[b]! - likeness[a]!)
  for (const answer of order.slice(0, LISTED_BY_WORDS)) isListed[answer] = 1
  return isListed
}

function nearestByVector(index: CuratedIndex, vector: Float32Array, isListed: Uint8Array): TopPerAnswer {
  const query = quantiseQuery(vector)
  const top = new TopPerAnswer(index.ids.length, NEAREST)
  for (let p = 0; p < index.scales.length; p++) {
    const scale = index.scales[p]!
    if (scale > 0 && isListed[index.phrasingAnswers[p]!] === 1)
      top.add(index.phrasingAnswers[p]!, dotCodes(query.codes, index.codes, p * index.dimensions) * scale * query.scale)
  }
  return top
}

function invert(
  vectors: SparseVector[],
  features: number,
): Pick<CuratedIndex, 'postingStart' | 'postingPhrasings' | 'postingWeights'> {
  const postingStart = new Uint32Array(features + 1)
  for (const vector of vectors) for (const feature of vector.features) postingStart[feature + 1]!++
  for (let feature = 0; feature < features; feature++) postingStart[feature + 1]! += postingStart[feature]!
  const next = postingStart.slice()
  const postingPhrasings = new Uint32Array(postingStart[features]!)
  const postingWeights = new Float32Array(postingPhrasings.length)
  vectors.forEach((vector, phrasing) => {
    vector.features.forEach((feature, i) => {
      const at = next[feature]!++
      postingPhrasings[at] = phrasing
      postingWeights[at] = vector.weights[i]!
    })
  })
  return { postingStart, postingPhrasings, postingWeights }
}

function encode(vectors: (Float32Array | undefined)[]): Pick<CuratedIndex, 'dimensions' | 'codes' | 'scales'> {
  const dimensions = vectors.find((vector) => vector)?.length ?? 0
  const codes = new Int8Array(vectors.length * dimensions)
  const scales = Float32Array.from(vectors, (vector, p) => (vector ? quantise(vector, codes, p * dimensions) : 0))
  return { dimensions, codes, scales }
}

/** The similarity of each answer's few nearest phrasings. */
class TopPerAnswer {
  readonly #depth: number
  readonly #values: Float32Array

  constructor(answers: number, depth: number) {
    this.#depth = depth
    this.#values = new Float32Array(answers * depth).fill(Number.NEGATIVE_INFINITY)
  }

  add(answer: number, value: number): void {
    const first = answer * this.#depth
    let at = first + this.#depth - 1
    if (value <= this.#values[at]!) return
    for (; at > first && this.#values[at - 1]! < value; at--) this.#values[at] = this.#values[at - 1]!
    this.#values[at] = value
  }

  /** The mean of the nearest; answers with fewer phrasings are not penalised. */
  mean(answer: number, phrasings: number): number {
    const count = Math.min(this.#depth, phrasings)
    const first = answer * this.#depth
    let sum = 0
    for (const value of this.#values.subarray(first, first + count))
      if (value !== Number.NEGATIVE_INFINITY) sum += value
    return count === 0 ? 0 : sum / count
  }
}

/** An answer written by a person, with the ways visitors ask for it. */
export interface CuratedAnswer {
  id: string
  question: string
  alternatives: string[]
  language: string
  /** Unit vectors of the question and its alternatives, in that order; undefined where missing. */
  vectors?: (Float32Array | undefined)[]
}
