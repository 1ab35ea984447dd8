import { analyse } from '../../language/analyse.ts'
import { expandChatSpelling } from '../../language/chat-spelling.ts'
import { hash53 } from '../index/segment.ts'

// A multinomial logistic classifier over words and, where available, vectors. It starts from the mean of each
// answer's phrasings and takes a few thousand small steps, so training takes a fraction of a second and stays
// close to the means when phrasings are few.

interface Example {
  answer: number
  sparse: SparseVector
  dense: Float32Array | undefined
}

/** Plain data, so that a thread can post it. */
export interface Classifier {
  answers: number
  dimensions: number
  /** The weight of words against vectors. */
  share: number
  /** Row-major, by feature. */
  sparseWeights: Float32Array
  /** Row-major, by answer. */
  denseWeights: Float32Array
}

const MAX_STEPS = 8000
const PASSES = 4
const RATE = 0.05
const SHARPNESS = 10
const SPARSE_SHARE = 0.7
const NEAR_RIVALS = 15
const RANDOM_RIVALS = 3
// Above this many, features share weights: 10 MB for 150 answers instead of 24.
const MAX_FEATURES = 16_384

export function trainClassifier(examples: Example[], answers: number, featureCount: number): Classifier {
  const rows = Math.max(1, Math.min(MAX_FEATURES, featureCount))
  const dimensions = examples.every(({ dense }) => dense) ? (examples[0]?.dense?.length ?? 0) : 0
  const sparseWeights = new Float32Array(rows * answers)
  const denseWeights = meanOfAnswers(examples, answers, dimensions)
  const rivals = nearestAnswers(denseWeights, examples, answers, dimensions, featureCount)
  // Without vectors only words count.
  const share = dimensions > 0 ? SPARSE_SHARE : 1
  const classifier: Classifier = { answers, dimensions, share, sparseWeights, denseWeights }

  function step({ answer, sparse, dense }: Example, size: number, random: () => number): void {
    const chosenRivals = [...rivals[answer]!]
    for (let r = 0; r < RANDOM_RIVALS; r++) {
      const rival = Math.floor(random() * answers)
      if (!chosenRivals.includes(rival)) chosenRivals.push(rival)
    }
    const shares = softmax(Float32Array.from(chosenRivals, (rival) => logit(classifier, rival, sparse, dense)))
    chosenRivals.forEach((rival, i) => {
      const push = size * SHARPNESS * (shares[i]! - (rival === answer ? 1 : 0))
      if (Math.abs(push) < 1e-4) return
      const { features, weights } = sparse
      for (let f = 0; f < features.length; f++)
        sparseWeights[(features[f]! % rows) * answers + rival]! -= push * share * weights[f]!
      if (!dense || dimensions === 0) return
      const row = rival * dimensions
      for (let d = 0; d < dimensions; d++) denseWeights[row + d]! -= push * dense[d]!
    })
  }

  const steps = Math.min(MAX_STEPS, examples.length * PASSES)
  const random = seededRandom()
  const order = shuffle(examples, random)
  for (let s = 0; s < steps; s++) step(order[s % order.length]!, RATE * (1 - s / steps), random)
  return classifier
}

/** One probability per answer. */
export function classify(classifier: Classifier, sparse: SparseVector, dense: Float32Array | undefined): Float32Array {
  const { answers } = classifier
  return softmax(Float32Array.from({ length: answers }, (_, answer) => logit(classifier, answer, sparse, dense)))
}

function logit(
  { answers, dimensions, share, sparseWeights, denseWeights }: Classifier,
  answer: number,
  { features, weights }: SparseVector,
  dense: Float32Array | undefined,
): number {
  const rows = sparseWeights.length / answers
  let words = 0
  for (let i = 0; i < features.length; i++)
    words += weights[i]! * sparseWeights[(features[i]! % rows) * answers + answer]!
  let meaning = 0
  if (dense && dimensions > 0) {
    const row = answer * dimensions
    for (let d = 0; d < dimensions; d++) meaning += dense[d]! * denseWeights[row + d]!
  }
  return SHARPNESS * (meaning + share * words)
}

function meanOfAnswers(examples: Example[], answers: number, dimensions: number): Float32Array {
  const means = new Float32Array(answers * dimensions)
  if (dimensions === 0) return means
  for (const { answer, dense } of examples)
    for (let d = 0; d < dimensions; d++) means[answer * dimensions + d]! += dense![d]!
  for (let answer = 0; answer < answers; answer++) {
    const mean = means.subarray(answer * dimensions, (answer + 1) * dimensions)
    const length = Math.hypot(...mean) || 1
    for (let d = 0; d < dimensions; d++) mean[d]! /= length
  }
  return means
}

/** Each answer with the ones most similar to it: distinguishing only these saves most of the work. */
function nearestAnswers(
  means: Float32Array,
  examples: Example[],
  answers: number,
  dimensions: number,
  featureCount: number,
): number[][] {
  const alike =
    dimensions > 0 ? denseLikeness(means, answers, dimensions) : sparseLikeness(examples, answers, featureCount)
  return Array.from({ length: answers }, (_, answer) => {
    const others = Array.from({ length: answers }, (_, other) => other).filter((other) => other !== answer)
    others.sort((a, b) => alike(answer, b) - alike(answer, a))
    return [answer, ...others.slice(0, NEAR_RIVALS)]
  })
}

function denseLikeness(means: Float32Array, answers: number, dimensions: number): (a: number, b: number) => number {
  const table = new Float32Array(answers * answers)
  for (let a = 0; a < answers; a++) {
    for (let b = 0; b < a; b++) {
      let dot = 0
      for (let d = 0; d < dimensions; d++) dot += means[a * dimensions + d]! * means[b * dimensions + d]!
      table[a * answers + b] = dot
      table[b * answers + a] = dot
    }
  }
  return (a, b) => table[a * answers + b]!
}

function sparseLikeness(examples: Example[], answers: number, featureCount: number): (a: number, b: number) => number {
  const sums = new Float32Array(featureCount * answers)
  for (const { answer, sparse } of examples) {
    for (let i = 0; i < sparse.features.length; i++) sums[sparse.features[i]! * answers + answer]! += sparse.weights[i]!
  }
  const table = new Float32Array(answers * answers)
  for (let feature = 0; feature < featureCount; feature++) {
    const row = sums.subarray(feature * answers, (feature + 1) * answers)
    const presentAnswers: number[] = []
    row.forEach((sum, answer) => {
      if (sum > 0) presentAnswers.push(answer)
    })
    for (const a of presentAnswers) for (const b of presentAnswers) table[a * answers + b]! += row[a]! * row[b]!
  }
  return (a, b) => table[a * answers + b]! / Math.sqrt(table[b * answers + b]! || 1)
}

function softmax(values: Float32Array): Float32Array {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) largest = Math.max(largest, value)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] = Math.exp(values[i]! - largest)
  for (let i = 0; i < values.length; i++) values[i]! /= sum
  return values
}

function shuffle<Item>(items: Item[], random: () => number): Item[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}

// Deterministic: the same phrasings must give the same result on every node.
function seededRandom(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
}

/** A text as weighted features, of length 1 or less. */
export interface SparseVector {
  features: Uint32Array
  weights: Float32Array
}

/** Stems, pairs of stems and character n-grams. Function words too: they tell "can I" from "why can't I". */
export function featureKeys(text: string, language: string): Map<number, number> {
  const counts = new Map<number, number>()
  const count = (feature: string) => {
    const key = hash53(feature)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  let before = ''
  for (const token of analyse(expandChatSpelling(text, language), language, { keepStopWords: true })) {
    for (const gram of token.grams) count(`#${gram}`)
    if (token.stem === '') continue
    count(token.stem)
    if (before !== '') count(`${before} ${token.stem}`)
    before = token.stem
  }
  return counts
}

/** The features of a bot's phrasings and their frequencies. Plain data, so that a thread can post it. */
export interface FeatureSpace {
  numbers: Map<number, number>
  frequencies: number[]
  phrasings: number
}

export function learnFeatures(phrasings: readonly Map<number, number>[]): FeatureSpace {
  const numbers = new Map<number, number>()
  const frequencies: number[] = []
  for (const counts of phrasings) {
    for (const key of counts.keys()) {
      const number = numbers.get(key)
      if (number !== undefined) frequencies[number]!++
      else numbers.set(key, frequencies.push(1) - 1)
    }
  }
  return { numbers, frequencies, phrasings: phrasings.length }
}

/** Unknown features count towards the length, so that a question of unknown words resembles nothing. */
export function vectorOf({ numbers, frequencies, phrasings }: FeatureSpace, counts: Map<number, number>): SparseVector {
  const features = new Uint32Array(counts.size)
  const weights = new Float32Array(counts.size)
  let knownCount = 0
  let squares = 0
  for (const [key, count] of counts) {
    const number = numbers.get(key)
    const weight = (1 + Math.log(count)) * Math.log(1 + phrasings / (number === undefined ? 1 : frequencies[number]!))
    squares += weight * weight
    if (number === undefined) continue
    features[knownCount] = number
    weights[knownCount++] = weight
  }
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < knownCount; i++) weights[i]! /= length
  return { features: features.subarray(0, knownCount), weights: weights.subarray(0, knownCount) }
}
