// A product in one shape, whatever shop system it came from: what answers need of it, and what only the shop knows.
import type { ShopProduct, ShopVariant } from '../../answers/products/types.ts'

export type ProductVariant = ShopVariant & {
  id: string
  title: string
  sku: string | null
  url: string | null
  imageUrl: string | null
}

export type Product = ShopProduct & {
  additionalImageUrls: string[]
  // Archived, drafted or hidden in the shop: kept, and never offered.
  discontinued: boolean
  gtin: string | null
  mpn: string | null
  sku: string | null
  itemGroupId: string | null
  variants: ProductVariant[]
  // RFC 3339 UTC, as the shop told it.
  updatedAt: string | null
}
