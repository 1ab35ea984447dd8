import { analyse } from '../../language/analyse.ts'
import { expandChatSpelling } from '../../language/chat-spelling.ts'
import { hash53 } from '../index/hash.ts'

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
  let known = 0
  let squares = 0
  for (const [key, count] of counts) {
    const number = numbers.get(key)
    const weight = (1 + Math.log(count)) * Math.log(1 + phrasings / (number === undefined ? 1 : frequencies[number]!))
    squares += weight * weight
    if (number === undefined) continue
    features[known] = number
    weights[known++] = weight
  }
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < known; i++) weights[i]! /= length
  return { features: features.subarray(0, known), weights: weights.subarray(0, known) }
}
