// A thing that the shop calls by another word ("couch", where it sells sofas), found by what the words mean.
import { nounPhrase, type ProductQuestion, type TermWish } from './read-product-question.ts'
import type { Catalogue } from './types.ts'

// Synonyms and misspelt words that are less sure than this are held against the meaning, too.
const SURE = 0.8

/** The question with the kinds of things that come near in meaning, where no product is called what was asked for. */
export async function withSimilarKinds(question: ProductQuestion, catalogue: Catalogue): Promise<ProductQuestion> {
  const { terms, head, says } = question
  const asked = terms[head]
  if (!asked || says.policy || says.howTo || says.owned || isSold(asked, catalogue)) return question
  const kinds = await catalogue.similarKinds(nounPhrase(question).text)
  if (kinds.length === 0) return question
  return { ...question, terms: terms.map((term) => (term === asked ? { ...term, anyOf: kinds } : term)) }
}

/** Some product is said to be that: then no other word is needed. */
function isSold({ anyOf }: TermWish, catalogue: Catalogue): boolean {
  if ((anyOf[0]?.weight ?? 0) < SURE) return false
  return catalogue.search({ wishes: [{ anyOf }], sort: 'relevance', limit: 1 }).some(({ metStrong }) => metStrong !== 0)
}
