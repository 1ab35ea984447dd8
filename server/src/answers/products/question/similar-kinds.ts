// A thing that the shop calls by another word ("couch", where it sells sofas), found by what the words mean.

import type { Catalogue, ProductHit } from '../types.ts'
import { nounPhrase, type ProductQuestion } from './parse-product-question.ts'

// Synonyms and misspelt words that are less sure than this are held against the meaning, too.
const SURE = 0.8

/** The question with the kinds of things that come near in meaning, where no product found is what was asked for. */
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
