// Training sets for the confidence model, and the allowed sign of each feature.

import type { ConfidenceFeatures, ModelKind } from '../../server/src/answers/confidence/page-confidence.ts'
import type { Sign } from './logistic.ts'

export const fitted = {
  english: [
    'squad2_8articles',
    'perlfaq',
    'debian_faq',
    'mtrag_human_subset',
    'trec_cast_2021_canonical',
    'canard_section',
  ],
  others: ['xquad_de', 'xquad_es', 'xquad_ar', 'xquad_zh'],
  products: ['amazon_semipqa_dev', 'amazon_hetpqa_dev'],
}
/** Held out: their figures stand for unseen content. */
export const CHECKED = ['canard_span', 'cranfield', 'cisi', 'demo']

export type Signs = Partial<Record<keyof ConfidenceFeatures, Sign>>

/** The right passage was found. */
const foundSigns: Signs = {
  words: 1,
  grams: 1,
  sentence: 1,
  coverage: 1,
  pairs: 1,
  vector: 1,
  margin: 1,
  wordsMargin: 1,
  gramsMargin: 1,
  vectorMargin: 1,
  agreement: 1,
  rivals: -1,
  rareMissing: -1,
  heaviestMissing: -1,
  namesMissing: -1,
  unknown: -1,
  foreign: -1,
  lengthy: 0,
  short: -1,
  long: 0,
  leaning: 0,
  discussed: 1,
}

/** Its sentences contain the answer. */
const holds: Signs = {
  sentence: 1,
  words: 1,
  vector: 1,
  sentenceCover: 1,
  sentenceShare: 1,
  answerCover: 1,
  coverage: 1,
  rareMissing: -1,
  heaviestMissingInSentence: -1,
  namesMissingInSentence: -1,
  typeHeld: 1,
  typeMissing: -1,
  denialAsked: -1,
  opposite: -1,
  manner: 0,
  personal: 0,
  lengthy: 0,
  long: 0,
  leaning: 0,
  discussed: 1,
}

const OF_VECTORS = ['vector', 'vectorMargin']

export function signsFor(kind: ModelKind): { found: Signs; holds: Signs } {
  const usable = (signs: Signs): Signs =>
    kind === 'vectors'
      ? signs
      : Object.fromEntries(Object.entries(signs).filter(([name]) => !OF_VECTORS.includes(name)))
  return { found: usable(foundSigns), holds: usable(holds) }
}
