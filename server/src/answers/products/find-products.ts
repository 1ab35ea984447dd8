// The products that meet the wishes of a question, or those that come nearest with what they miss.
import type { FacetWish, ProductQuestion } from './read-product-question.ts'
import type { Catalogue, ProductHit, ProductQuery } from './types.ts'

export interface FoundProducts {
  hits: ProductHit[]
  /** Wishes that had to be left aside. */
  missed: ('price' | 'inStock' | FacetWish | string)[]
  /** 0 to 1: share of the question's words, by how rare they are, that the first product holds. */
  coverage: number
  /** The first product is the kind of thing that was asked for. */
  isKind: boolean
}

const MOST = 5
const LOOKED_AT = 20
// A mention in the description counts less than an attribute.
const MENTION = 0.75
const LEAST_COVERAGE = 0.5

type Scope = Pick<ProductQuery, 'only' | 'except'>

/** What the words of a question find, whatever else is wished. */
export function searchWords({ terms }: ProductQuestion, catalogue: Catalogue, scope: Scope = {}): ProductHit[] {
  return terms.length === 0 ? [] : catalogue.search({ ...scope, wishes: terms, sort: 'relevance', limit: LOOKED_AT })
}

export function findProducts(
  question: ProductQuestion,
  catalogue: Catalogue,
  scope: Scope = {},
  byWords?: ProductHit[],
): FoundProducts | null {
  const { terms, facets, head, minPrice, maxPrice, inStock, sort } = question
  const wishes = [...terms, ...facets]
  const limits = { minPrice, maxPrice, inStock }
  const bitOf = (facet: FacetWish) => 1 << (terms.length + facets.indexOf(facet))
  // What the words find decides what can be asked of all; the wishes come after.
  const free = byWords ?? searchWords(question, catalogue, scope)
  const best = terms.length === 0 ? undefined : bestOf(free, question)
  if (terms.length > 0 && (!best || best.coverage < LEAST_COVERAGE)) return null
  const headBit = head >= 0 ? 1 << head : 0
  const headMet = best ? best.hit.met & headBit : 0
  // Travel bags are no answer to who asks for a travel insurance.
  if (headBit !== headMet) return null
  const requiredHead = free.some((hit) => (hit.metHead & headMet) !== 0 && covers(hit, best?.hit)) ? headMet : 0
  const requiredTerms = best?.hit.met ?? 0
  const search = (dropped: FoundProducts['missed'], strict: boolean) => {
    const kept = facets.filter((facet) => !dropped.includes(facet))
    const required = kept.reduce((bits, facet) => bits | bitOf(facet), requiredTerms)
    const price = dropped.includes('price')
    return catalogue.search({
      ...scope,
      wishes,
      minPrice: price ? undefined : limits.minPrice,
      maxPrice: price ? undefined : limits.maxPrice,
      inStock: dropped.includes('inStock') ? false : limits.inStock,
      sort: price && maxPrice !== undefined && sort === 'relevance' ? 'price_up' : sort,
      required,
      requiredStrong: (best?.hit.metStrong ?? 0) & (strict ? -1 : headMet),
      requiredHead,
      limit: MOST,
    })
  }
  const unmet = terms.filter((_, number) => (requiredTerms & (1 << number)) === 0).map(({ surface }) => surface)
  for (const dropped of relaxations(question)) {
    // What is said to be so comes before what only mentions it.
    const exact = search(dropped, true)
    const hits = exact.length > 0 ? exact : search(dropped, false)
    if (hits.length === 0) continue
    return {
      hits,
      missed: [...unmet, ...dropped],
      coverage: best?.coverage ?? 1,
      isKind: terms.length === 0 || (best !== undefined && (best.hit.metStrong & headBit) !== 0),
    }
  }
  return null
}

/** Nothing first, then one wish at a time, those first that are given up most easily, then all. */
function relaxations({ facets, minPrice, maxPrice, inStock }: ProductQuestion): FoundProducts['missed'][] {
  const order = ['size', 'colour', 'audience', 'brand']
  const byEase = [...facets].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  const single: FoundProducts['missed'] = [
    ...(inStock ? (['inStock'] as const) : []),
    ...byEase.filter(({ kind }) => kind === 'size' || kind === 'colour'),
    ...(minPrice !== undefined || maxPrice !== undefined ? (['price'] as const) : []),
    ...byEase.filter(({ kind }) => kind === 'audience' || kind === 'brand'),
  ]
  return [[], ...single.map((one) => [one]), ...(single.length > 1 ? [single] : [])]
}

function bestOf(hits: ProductHit[], question: ProductQuestion) {
  let best: { hit: ProductHit; coverage: number } | undefined
  for (const hit of hits) {
    const own = coverageOf(hit, question)
    if (!best || own > best.coverage + 1e-6) best = { hit, coverage: own }
  }
  return best
}

export function coverageOf({ met, metStrong }: ProductHit, { terms }: ProductQuestion): number {
  let all = 0
  let held = 0
  for (const [number, { rarity }] of terms.entries()) {
    const weight = 0.1 + rarity
    all += weight
    if (metStrong & (1 << number)) held += weight
    else if (met & (1 << number)) held += weight * MENTION
  }
  return all === 0 ? 0 : held / all
}

function covers(hit: ProductHit, best: ProductHit | undefined): boolean {
  return best === undefined || (hit.met & best.met) === best.met
}
