// Criteria from earlier turns: "tents", "under 300", "for two people" combine into one search.
import type { Turn } from '../../../answers/types.ts'
import type { Catalogue } from '../types.ts'
import { MAX_FACETS, type ProductQuestion, parseProductQuestion } from './parse-product-question.ts'

export interface EarlierCriteria {
  question: ProductQuestion
  /** Possibly said by someone else, so a reply must not name it. */
  isPrivate: boolean
}

/** From the last question that names a product kind on; null if none does. */
export function earlierCriteria(
  questions: readonly Turn[],
  language: string,
  catalogue: Catalogue,
): EarlierCriteria | null {
  const parsed = questions.map(({ text }) => parseProductQuestion(text, language, catalogue))
  const from = parsed.findLastIndex(({ terms }) => terms.length > 0)
  if (from < 0) return null
  return {
    question: parsed.slice(from).reduce(mergeCriteria),
    isPrivate: questions.slice(from).some((turn) => turn.isPrivate),
  }
}

/** Combines both criteria; later ones win. */
export function mergeCriteria(before: ProductQuestion, now: ProductQuestion): ProductQuestion {
  const kinds = new Set(now.facets.map(({ kind }) => kind))
  const { minPrice, maxPrice } = now.minPrice === undefined && now.maxPrice === undefined ? before : now
  const { sort, sortedBy } = now.sort === 'relevance' ? before : now
  return {
    ...now,
    terms: before.terms,
    head: before.head,
    facets: [...before.facets.filter(({ kind }) => !kinds.has(kind)), ...now.facets].slice(-MAX_FACETS),
    ...{ minPrice, maxPrice, sort, sortedBy },
    inStock: now.inStock || before.inStock,
  }
}
