// Which products the conversation is about, and whether a question speaks of them.
import type { Turn } from '../types.ts'
import type { ProductQuestion } from './read-product-question.ts'

export interface Discussion {
  /** As the last answer that named products listed them. */
  ids: string[]
  /** What the visitor had asked for then, and whether a reply may name it. */
  question: string
  isPrivate: boolean
  /** The question at hand speaks of them. */
  refers: boolean
  /** It goes on with what a page answered: "and tents?" after a question about the guarantee. */
  aboutPages: boolean
  /** It speaks of one of them. */
  pointsAtOne: boolean
}

const TURNS_BACK = 6
const one =
  /\b(?:it|its|this one|that one|the one|this|that|sie|es|er|ihn|ihm|ihr|das|dieser|diese|dieses|den|der erste|il|elle|celui-ci|celle-ci|lo|la|este|esta|lei|questo|questa)\b/
const several =
  /\b(?:they|them|these|those|the two|both|their|die beiden|beide|davon|denen|ils|elles|les deux|ellos|ellas|los dos)\b/
const ordinals = [
  /\b(?:first(?! (?:two|2|three))|1st|erste[nrs]?|premiere?|primer[oa]?)\b/,
  /\b(?:second|2nd|zweite[nrs]?|deuxieme|segund[oa])\b/,
  /\b(?:third|3rd|dritte[nrs]?|troisieme|tercer[oa]?)\b/,
]
const goesOn = /^\W*(?:and|what about|how about|or|und|was ist mit|wie ist es mit|et|y|e)\b/

export function underDiscussion(
  question: ProductQuestion,
  history: readonly Turn[],
  namesProduct: boolean,
): Discussion {
  const recent = history.slice(-TURNS_BACK)
  const at = recent.findLastIndex(({ productIds }) => productIds !== undefined && productIds.length > 0)
  const ids = recent[at]?.productIds ?? []
  const last = recent.findLast(({ role }) => role === 'assistant')
  const aboutPages = last !== undefined && (last.productIds ?? []).length === 0 && goesOn.test(question.folded)
  const before = recent.slice(0, at).findLast(({ role }) => role === 'user')
  const asked = { question: before?.text ?? '', isPrivate: before?.isPrivate ?? false }
  if (ids.length === 0 || namesProduct) return { ids, ...asked, refers: false, aboutPages, pointsAtOne: false }
  const { folded, says, terms, facets, minPrice, maxPrice, sort } = question
  const ordinal = ordinals.findIndex((pattern) => pattern.test(folded))
  const chosen = ids[ordinal]
  const pointsAtOne = ids.length === 1 || chosen !== undefined || (one.test(folded) && !several.test(folded))
  const onlyWishes =
    terms.length === 0 &&
    (facets.length > 0 || minPrice !== undefined || maxPrice !== undefined || sort !== 'relevance')
  const asksOfIt =
    terms.length === 0 &&
    (says.asksPrice || says.asksAvailability || says.asksRating || says.asksSizes || says.asksColours)
  const refers =
    chosen !== undefined ||
    one.test(folded) ||
    several.test(folded) ||
    onlyWishes ||
    asksOfIt ||
    says.cheaper ||
    says.among ||
    (goesOn.test(folded) && terms.length <= 1)
  return { ids: chosen ? [chosen] : ids, ...asked, refers, aboutPages, pointsAtOne }
}
