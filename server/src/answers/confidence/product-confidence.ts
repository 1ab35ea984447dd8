// How likely an answer from the catalogue is what was asked for.
import { probability } from './logistic.ts'
import model from './product-confidence-model.json' with { type: 'json' }

/** All between 0 and 1; what does not apply is 0. */
export interface ProductSignals {
  /** What kind of answer it is; a list of products is none of these. */
  about: number
  compared: number
  companions: number
  /** Of the product's name, the share that was said, by how rare its words are; 1 for one under discussion. */
  name: number
  /** The name stands behind an article or is written like one. */
  definite: number
  /** Other products answer to the same name. */
  rivals: number
  /** How well what is told fits what was asked of the product, by words and by the reader. */
  fit: number
  reading: number
  /** Share of the question's words, by how rare they are, that the first product holds. */
  coverage: number
  /** How surely the first product is the kind of thing that was asked for. */
  kind: number
  /** The same with the words before it: "ski boots" are not any boots. */
  phrase: number
  /** Criteria that had to be left aside: on price, size, colour or stock, and all others. */
  missedEasily: number
  missed: number
  /** There is a criterion on price, size, order and the like. */
  criteria: number
  /** The question asks what is sold, or is nothing but a name. */
  shopping: number
  bare: number
  /** It has words of policies, asks how something is done, or is about what somebody has already. */
  policy: number
  howTo: number
  owned: number
}

export const productSignalNames = [
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
