// How likely an answer from the catalogue is right.
import { probability } from './logistic.ts'
import model from './product-confidence-model.json' with { type: 'json' }

/** All between 0 and 1; 0 if not applicable. */
export interface ProductSignals {
  /** Kind of answer; all 0 for a product list. */
  about: number
  compared: number
  companions: number
  /** Share of the product's name that was mentioned, weighted by rarity; 1 for a product under discussion. */
  name: number
  /** The name follows an article or is written like a name. */
  definite: number
  /** Other products match the same name. */
  rivals: number
  /** How well the fact matches what was asked, by words and by the reader. */
  fit: number
  reading: number
  /** Share of the question's words, weighted by rarity, that the first product has. */
  coverage: number
  /** How surely the first product is the kind of thing asked for. */
  kind: number
  /** Likewise including the words before it: "ski boots" are not just any boots. */
  phrase: number
  /** Criteria that were dropped: on price, size, colour or stock, and all others. */
  missedEasily: number
  missed: number
  /** There is a criterion such as price, size or sort order. */
  criteria: number
  /** The question asks what is sold, or consists only of a name. */
  shopping: number
  bare: number
  /** It mentions policies, asks how something is done, or is about something already owned. */
  policy: number
  howTo: number
  owned: number
}

export const PRODUCT_SIGNAL_NAMES = [
  'about',
  'compared',
  'companions',
  'name',
  'definite',
  'rivals',
  'fit',
  'reading',
  'coverage',
  'kind',
  'phrase',
  'missedEasily',
  'missed',
  'criteria',
  'shopping',
  'bare',
  'policy',
  'howTo',
  'owned',
] as const satisfies (keyof ProductSignals)[]

export function productConfidence(signals: ProductSignals): number {
  return probability(model, { ...signals })
}
