// A shop's products as the answer engine is allowed to see them.
import type { Aspect, Dimension } from '../../language/measures.ts'

export type Availability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder'

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
  /** An ISO 4217 code in capitals. */
  currency: string | null
  availability: Availability | null
  brand: string | null
  /** Most telling first. */
  categories: string[]
  rating: number | null
  reviewCount: number | null
  attributes: ProductAttributes
  variants: ShopVariant[]
}

/** What a visitor is shown of a product. */
export interface ProductCard {
  id: string
  title: string
  price: number | null
  currency: string | null
  imageUrl: string | null
  url: string | null
  availability: Availability | null
}

export interface Criterion {
  /** Terms or facets (`colour:red`), any of which meets the criterion. */
  anyOf: readonly { key: string; weight: number }[]
  /** A mention in the description is not enough. */
  strong?: boolean
  /** Met by one and the same variant together with the others of its kind. */
  ofVariant?: boolean
  /** Met by a measure within these limits, instead of by words. */
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
  /** What is measured, where that is the order. */
  sortedBy?: Pick<MeasureRange, 'dimension' | 'aspect'> | undefined
  /** Only among these products. */
  only?: ReadonlySet<string> | undefined
  except?: ReadonlySet<string> | undefined
  /** Criteria that must be met, as bits; products that miss one are left out. */
  required?: number | undefined
  /** Criteria that must be met by more than a mention. */
  requiredStrong?: number | undefined
  /** Criteria that must be met by the name of the kind of thing. */
  requiredHead?: number | undefined
  limit: number
}

export interface ProductHit {
  id: string
  /** Criteria met, as bits. */
  met: number
  /** Those met by more than a mention in the description. */
  metStrong: number
  /** Those met by the name of the kind of thing it is. */
  metHead: number
  score: number
  price: number | null
  /** Terms of its title. */
  title: readonly string[]
}

export interface SimilarKind {
  /** The facet of products of this kind. */
  key: string
  weight: number
}

export interface Catalogue {
  size: number
  /** The one most products are sold in. */
  currency: string | null
  language: string
  /** Near 0 for a term in all products, near 1 for a term in one; undefined in none. */
  rarity(term: string): number | undefined
  hasFacet(name: 'brand' | 'colour' | 'colour word' | 'size', value: string): boolean
  facetValue(text: string): string
  /** The kinds of things that come near a word in meaning, as keys of criteria; none without a model. */
  similarKinds(phrase: string): Promise<SimilarKind[]>
  /** 0 to 1: how much a term is a name: of the products that hold it, the share whose title does, not as their kind. */
  nameShare(term: string): number
  /** Terms of the catalogue that an unknown one may stand for, likeliest first. */
  similar(term: string): { term: string; weight: number }[]
  search(query: ProductQuery): ProductHit[]
  read(ids: readonly string[]): Promise<ShopProduct[]>
}
