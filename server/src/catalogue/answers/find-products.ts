// Products that meet a question's criteria, or the closest ones with the criteria they miss.

import { stopWords } from '../../language/languages.ts'
import { stem } from '../../language/stem.ts'
import { words } from '../../language/words.ts'
import type { Catalogue, Criterion, ProductHit, ProductQuery, ShopProduct } from '../product.ts'
import { type FacetCriterion, nounPhrase, type ProductQuestion } from '../question/parse-product-question.ts'

export interface FoundProducts {
  hits: ProductHit[]
  /** Criteria that were dropped; empty string for one that a reply must not name. */
  missed: ('price' | 'inStock' | FacetCriterion | string)[]
  /** 0 to 1: share of the question's words, weighted by rarity, that the first product has. */
  coverage: number
  /** 0 to 1: how surely the first product is the kind of thing asked for, alone and with its modifiers. */
  kind: number
  phrase: number
}

const MAX_FOUND = 5
const LOOKED_AT = 20
// A mention in the description counts less than an attribute.
const MENTION = 0.75
const BEHIND = 0.5
const IS_IT = 0.3
const TOLD = 0.2
// How much a word says about the kind of a product: as its name, a property or a mention.
const UNNAMED = 0.5
export const MENTIONED = 0.2
const kindShares = { head: 1, strong: 0.6, mention: MENTIONED }

type Scope = Pick<ProductQuery, 'only' | 'except'>

/** Searches by the question's words only, ignoring other criteria. */
export function searchWords({ terms }: ProductQuestion, catalogue: Catalogue, scope: Scope = {}): ProductHit[] {
  return terms.length === 0 ? [] : catalogue.search({ ...scope, criteria: terms, sort: 'relevance', limit: LOOKED_AT })
}

export function findProducts(
  question: ProductQuestion,
  catalogue: Catalogue,
  scope: Scope = {},
  byWords?: ProductHit[],
  limit = MAX_FOUND,
): FoundProducts | null {
  const { terms, facets, head, minPrice, maxPrice, inStock, sort, sortedBy } = question
  const criteria = [...terms, ...facets]
  const bitOf = (facet: FacetCriterion) => 1 << (terms.length + facets.indexOf(facet))
  // The best match by words decides which terms are required; the other criteria apply afterwards.
  const free = byWords ?? searchWords(question, catalogue, scope)
  const best = bestOf(free, question)
  if (terms.length > 0 && !best) return null
  const headMet = head >= 0 && best ? best.hit.met & (1 << head) : 0
  const requiredHead = free.some((hit) => (hit.metHead & headMet) !== 0 && covers(hit, best?.hit)) ? headMet : 0
  const requiredTerms = best?.hit.met ?? 0
  const search = (droppedCriteria: FoundProducts['missed'], strict: boolean) => {
    const remainingFacets = facets.filter((facet) => !droppedCriteria.includes(facet))
    const requiredBits = remainingFacets.reduce((bits, facet) => bits | bitOf(facet), requiredTerms)
    const price = droppedCriteria.includes('price')
    return catalogue.search({
      ...scope,
      criteria,
      minPrice: price ? undefined : minPrice,
      maxPrice: price ? undefined : maxPrice,
      inStock: droppedCriteria.includes('inStock') ? false : inStock,
      sort: price && maxPrice !== undefined && sort === 'relevance' ? 'price_up' : sort,
      sortedBy,
      required: requiredBits,
      requiredStrong: (best?.hit.metStrong ?? 0) & (strict ? -1 : headMet),
      requiredHead,
      limit,
    })
  }
  const unmet = terms.filter((_, number) => (requiredTerms & (1 << number)) === 0).map(({ surface }) => surface)
  for (const droppedCriteria of relaxations(question)) {
    // Prefer products with the property over those that only mention it.
    const exact = search(droppedCriteria, true)
    const hits = exact.length > 0 ? exact : search(droppedCriteria, false)
    const [first] = hits
    if (!first) continue
    return { hits, missed: [...unmet, ...droppedCriteria], coverage: best?.coverage ?? 1, ...kindOf(first, question) }
  }
  return null
}

/** No relaxation first, then one criterion at a time, least important first, then all. */
function relaxations({ facets, minPrice, maxPrice, inStock }: ProductQuestion): FoundProducts['missed'][] {
  const isEasy = ({ kind }: FacetCriterion) => kind === 'size' || kind === 'colour'
  const single: FoundProducts['missed'] = [
    ...(inStock ? (['inStock'] as const) : []),
    ...facets.filter(isEasy).sort((a, b) => b.kind.localeCompare(a.kind)),
    ...(minPrice !== undefined || maxPrice !== undefined ? (['price'] as const) : []),
    ...facets.filter((facet) => !isEasy(facet)),
  ]
  return [[], ...single.map((one) => [one]), ...(single.length > 1 ? [single] : [])]
}

/** Covers most of the question, and is the thing rather than mentions it: a bottle pocket is not a bottle. */
function bestOf(hits: ProductHit[], question: ProductQuestion) {
  const head = question.head < 0 ? 0 : 1 << question.head
  let best: { hit: ProductHit; coverage: number; score: number } | undefined
  for (const hit of hits) {
    const coverage = coverageOf(hit, question)
    const score = coverage + (hit.metHead & head ? IS_IT : 0)
    if (!best || score > best.score + 1e-6) best = { hit, coverage, score }
  }
  return best
}

/** Guessed words (misspelt, synonyms) count less. */
export function coverageOf({ met, metStrong }: ProductHit, { terms, head }: ProductQuestion): number {
  let all = 0
  let coveredWeight = 0
  for (const [number, { rarity, anyOf, isAsked }] of terms.entries()) {
    // Words after the product kind ("for the living room") say less about it.
    const weight = (0.1 + rarity) * (number > head && head >= 0 ? BEHIND : 1) * (isAsked ? 1 : TOLD)
    all += weight
    const place = metStrong & (1 << number) ? 1 : met & (1 << number) ? MENTION : 0
    coveredWeight += weight * place * (anyOf[0]?.weight ?? 0)
  }
  return all === 0 ? 1 : coveredWeight / all
}

function kindOf({ met, metStrong, metHead }: ProductHit, question: ProductQuestion) {
  const { terms, head } = question
  const headTerm = terms[head]
  if (!headTerm) return terms.length === 0 ? { kind: 1, phrase: 1 } : { kind: UNNAMED, phrase: UNNAMED }
  const bit = 1 << head
  const place = metHead & bit ? 'head' : metStrong & bit ? 'strong' : met & bit ? 'mention' : null
  const sure = headTerm.anyOf[0]?.weight ?? 0
  // A guess ("mower" for "power") must at least match the name of something.
  const kind = place && (sure === 1 || place === 'head') ? kindShares[place] * sure : 0
  const { from } = nounPhrase(question)
  const metTerms = terms.slice(from, head).filter((_, at) => (met & (1 << (from + at))) !== 0)
  return { kind, phrase: (kind * (1 + metTerms.length)) / (1 + head - from) }
}

function covers(hit: ProductHit, best: ProductHit | undefined): boolean {
  return best === undefined || (hit.met & best.met) === best.met
}

// Finds products that the shop calls by another word ("couch" for sofas), by meaning.

// Less certain synonyms and misspellings are also checked by meaning.
const SURE = 0.8

/** Adds product kinds with a similar meaning, if no product found is what was asked for. */
export async function withSimilarKinds(
  question: ProductQuestion,
  hits: readonly ProductHit[],
  catalogue: Catalogue,
): Promise<ProductQuestion> {
  const { terms, head, says } = question
  const headTerm = terms[head]
  if (!headTerm || says.policy || says.howTo || says.owned) return question
  const isSold =
    (headTerm.anyOf[0]?.weight ?? 0) >= SURE && hits.some(({ metStrong }) => (metStrong & (1 << head)) !== 0)
  const kinds = isSold ? [] : await catalogue.similarKinds(nounPhrase(question).text)
  if (kinds.length === 0) return question
  return { ...question, terms: terms.map((term) => (term === headTerm ? { ...term, anyOf: kinds } : term)) }
}

// Accessories of a product: items that name it or its kind ("Footprint for Drift 2", "Backpack rain cover"), otherwise
// other kinds of items from its brand and department.
const MAX_ACCESSORIES = 3
const ACCESSORIES_SEARCHED = 40

export function findAccessories(product: ShopProduct, catalogue: Catalogue): string[] {
  const { language } = catalogue
  const stop = stopWords(language)
  const stems = (text: string) =>
    words(text, language)
      .filter((word) => !stop.has(word))
      .map((word) => stem(word, language))
  const title = stems(product.title)
  const leaves = product.categories
    .flatMap((category) => category.split(/[;,|\n]/))
    .flatMap((path) => stems(path.split(/[>/]/).at(-1) ?? ''))
  // The narrowest category is the kind, the wider ones are the department.
  const [narrowest] = leaves.sort((a, b) => (catalogue.rarity(b) ?? 0) - (catalogue.rarity(a) ?? 0))
  const kinds = new Set([title.at(-1), narrowest].filter((one) => one !== undefined))
  const criterion = (key: string, weight: number): Criterion => ({ anyOf: [{ key, weight }], strong: true })
  const kindCriteria = [...kinds].slice(0, 8).map((key) => criterion(key, 1))
  const department = product.categories.flatMap((category) => stems(category)).filter((term) => !kinds.has(term))
  const others = [
    ...title
      .filter((term) => !kinds.has(term))
      .slice(0, 6)
      .map((key) => criterion(key, 1.5)),
    ...[...new Set(department)].slice(0, 6).map((key) => criterion(key, 0.5)),
    ...(product.brand ? [{ anyOf: [{ key: `brand:${catalogue.facetValue(product.brand)}`, weight: 0.3 }] }] : []),
  ]
  const sameKind = (1 << kindCriteria.length) - 1
  return catalogue
    .search({
      criteria: [...kindCriteria, ...others],
      sort: 'relevance',
      except: new Set([product.id]),
      limit: ACCESSORIES_SEARCHED,
    })
    .filter(({ metHead }) => (metHead & sameKind) === 0)
    .slice(0, MAX_ACCESSORIES)
    .map(({ id }) => id)
}
