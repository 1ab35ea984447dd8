// Which products the conversation is about, and whether a question refers to them.
import type { Turn } from '../../answers/types.ts'
import type { Catalogue } from '../product.ts'
import { MAX_FACETS, type ProductQuestion, parseProductQuestion } from './parse-product-question.ts'

interface Discussion {
  /** From the last answer that named products, in its order. */
  ids: string[]
  /** The visitor's questions up to that answer, oldest first. */
  questions: Turn[]
  /** The current question refers to them. */
  refers: boolean
  /** It continues an answer from a page: "and tents?" after a question about the guarantee. */
  aboutPages: boolean
  /** It refers to one of them. */
  pointsAtOne: boolean
  /** It begins like a further question: "and the cheapest?" */
  goesOn: boolean
}

const TURNS_BACK = 6

export function findDiscussion(question: ProductQuestion, history: readonly Turn[], namesProduct: boolean): Discussion {
  const { one, several, ordinals } = question.vocabulary
  const goesOn = question.vocabulary.goesOn.test(question.folded)
  const recent = history.slice(-TURNS_BACK)
  const at = recent.findLastIndex(({ productIds }) => productIds !== undefined && productIds.length > 0)
  const ids = recent[at]?.productIds ?? []
  const last = recent.findLast(({ role }) => role === 'assistant')
  const aboutPages = last !== undefined && (last.productIds ?? []).length === 0 && goesOn
  const questions = recent.slice(0, Math.max(0, at)).filter(({ role }) => role === 'user')
  if (ids.length === 0 || namesProduct)
    return { ids, questions, refers: false, aboutPages, pointsAtOne: false, goesOn: false }
  const { folded, says, terms, facets, minPrice, maxPrice, sort } = question
  const ordinal = ordinals.findIndex((pattern) => pattern.test(folded))
  const chosenId = ids[ordinal]
  const pointsAtOne = chosenId !== undefined || (one.test(folded) && !several.test(folded))
  const onlyCriteria =
    terms.length === 0 &&
    (facets.length > 0 || minPrice !== undefined || maxPrice !== undefined || sort !== 'relevance')
  // "How much is the 24?" means one of its sizes.
  const asksOfIt =
    terms.every(({ surface }) => /^\d+$/.test(surface)) &&
    (says.asksPrice || says.asksAvailability || says.asksRating || says.asksSizes || says.asksColours)
  const refers =
    chosenId !== undefined ||
    one.test(folded) ||
    several.test(folded) ||
    onlyCriteria ||
    asksOfIt ||
    says.cheaper ||
    says.among ||
    (goesOn && terms.length <= 1)
  return { ids: chosenId ? [chosenId] : ids, questions, refers, aboutPages, pointsAtOne, goesOn }
}

// Criteria from earlier turns: "tents", "under 300", "for two people" combine into one search.
interface EarlierCriteria {
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
  const parsedQuestions = questions.map(({ text }) => parseProductQuestion(text, language, catalogue))
  const from = parsedQuestions.findLastIndex(({ terms }) => terms.length > 0)
  if (from < 0) return null
  return {
    question: parsedQuestions.slice(from).reduce(mergeCriteria),
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
    minPrice,
    maxPrice,
    sort,
    sortedBy,
    inStock: now.inStock || before.inStock,
  }
}
