// A product in one shape, whatever shop system it came from.
import type { ShopProduct, ShopVariant } from '../answers/types.ts'

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
