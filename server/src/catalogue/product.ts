// A shop's product, and the catalogue as product answers see it.
import type { Availability } from '../answers/types.ts'
import type { Aspect, Dimension } from '../language/measures.ts'

export type ProductAttributes = Record<string, string | string[]>

export interface ShopVariant {
  price: number | null
  salePrice: number | null
  availability: Availability | null
  attributes: ProductAttributes
}

export interface ShopProduct {
  id: string
  title: string
  description: string
  url: string | null
  imageUrl: string | null
  price: number | null
  salePrice: number | null
  /** Upper-case ISO 4217 code. */
  currency: string | null
  availability: Availability | null
  brand: string | null
  /** Most informative first. */
  categories: string[]
  rating: number | null
  reviewCount: number | null
  attributes: ProductAttributes
  variants: ShopVariant[]
}

/** Sold for less than its usual price, in at least one variant. */
export function isReduced({ price, salePrice, variants }: ShopProduct): boolean {
  return [{ price, salePrice }, ...variants].some(
    (one) => one.salePrice !== null && one.price !== null && one.salePrice < one.price,
  )
}

export interface Criterion {
  /** Terms or facets (`colour:red`); any of them meets the criterion. */
  anyOf: readonly { key: string; weight: number }[]
  /** A mention in the description is not enough. */
  strong?: boolean
  /** Must be met by the same variant as the others of its kind. */
  ofVariant?: boolean
  /** Met by a measure within these limits instead of words. */
  measure?: MeasureRange
}

export interface MeasureRange {
  dimension: Dimension
  aspect: Aspect
  min?: number | undefined
  max?: number | undefined
}

export type Sort = 'relevance' | 'price_up' | 'price_down' | 'rating' | 'newest' | 'measure_up' | 'measure_down'

export interface ProductQuery {
  /** At most 30. */
  criteria: readonly Criterion[]
  minPrice?: number | undefined
  maxPrice?: number | undefined
  inStock?: boolean | undefined
  sort: Sort
  /** The measure to sort by, if any. */
  sortedBy?: Pick<MeasureRange, 'dimension' | 'aspect'> | undefined
  /** Only among these products. */
  only?: ReadonlySet<string> | undefined
  except?: ReadonlySet<string> | undefined
  /** Criteria that must be met, as a bit mask. */
  required?: number | undefined
  /** Criteria that must be met by more than a mention, as a bit mask. */
  requiredStrong?: number | undefined
  /** Criteria that must be met by the name of the kind, as a bit mask. */
  requiredHead?: number | undefined
  limit: number
}

export interface ProductHit {
  id: string
  /** Criteria met, as a bit mask. */
  met: number
  /** Criteria met by more than a mention in the description. */
  metStrong: number
  /** Criteria met by the name of the product's kind. */
  metHead: number
  score: number
  price: number | null
  /** Terms of the title. */
  title: readonly string[]
}

export interface SimilarKind {
  /** Facet of products of this kind. */
  key: string
  weight: number
}

export interface Catalogue {
  size: number
  /** The bot's, for products without one; null: unknown. */
  currency: string | null
  language: string
  /** Near 0 for a term in all products, near 1 for a term in one; undefined if in none. */
  rarity(term: string): number | undefined
  hasFacet(name: 'brand' | 'colour' | 'colour word' | 'size', value: string): boolean
  facetValue(text: string): string
  /** Product kinds with a similar meaning, as criteria keys; empty without a model. */
  similarKinds(phrase: string): Promise<SimilarKind[]>
  /** 0 to 1: how much a term is a name: the share of its products with the term in the title, not as their kind. */
  nameShare(term: string): number
  /** Catalogue terms that an unknown one may stand for, likeliest first. */
  similar(term: string): { term: string; weight: number }[]
  search(query: ProductQuery): ProductHit[]
  load(ids: readonly string[]): Promise<ShopProduct[]>
}

// A product in one shape, whatever shop system it came from.
export type ProductVariant = ShopVariant & {
  id: string
  title: string
  sku: string | null
  url: string | null
  imageUrl: string | null
}

export type Product = ShopProduct & {
  additionalImageUrls: string[]
  // Archived, draft or hidden in the shop: kept, but never offered.
  discontinued: boolean
  gtin: string | null
  mpn: string | null
  sku: string | null
  itemGroupId: string | null
  variants: ProductVariant[]
  // RFC 3339 UTC, as sent by the shop.
  updatedAt: string | null
}
