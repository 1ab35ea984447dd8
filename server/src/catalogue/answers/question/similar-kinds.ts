// Finds products that the shop calls by another word ("couch" for sofas), by meaning.

import type { Catalogue, ProductHit } from '../types.ts'
import { nounPhrase, type ProductQuestion } from './parse-product-question.ts'

// Less certain synonyms and misspellings are also checked by meaning.
const SURE = 0.8

/** Adds product kinds with a similar meaning, if no product found is what was asked for. */
export async function withSimilarKinds(
  question: ProductQuestion,
  hits: readonly ProductHit[],
  catalogue: Catalogue,
): Promise<ProductQuestion> {
  const { terms, head, says } = question
  const asked = terms[head]
  if (!asked || says.policy || says.howTo || says.owned) return question
  const isSold = (asked.anyOf[0]?.weight ?? 0) >= SURE && hits.some(({ metStrong }) => (metStrong & (1 << head)) !== 0)
  const kinds = isSold ? [] : await catalogue.similarKinds(nounPhrase(question).text)
  if (kinds.length === 0) return question
  return { ...question, terms: terms.map((term) => (term === asked ? { ...term, anyOf: kinds } : term)) }
}
