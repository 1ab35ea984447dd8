// A product as the house knows it, whatever shop system it came from.

export type Availability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder'

export type ProductAttributes = Record<string, string | string[]>

export type ProductVariant = {
  id: string
  title: string
  price: number | null
  salePrice: number | null
  availability: Availability | null
  attributes: ProductAttributes
  sku: string | null
  url: string | null
  imageUrl: string | null
}

export type Product = {
  id: string
  title: string
  description: string
  url: string | null
  imageUrl: string | null
  additionalImageUrls: string[]
  price: number | null
  salePrice: number | null
  // An ISO 4217 code in capitals.
  currency: string | null
  availability: Availability | null
  // Archived, drafted or hidden in the shop: kept, and never offered.
  discontinued: boolean
  brand: string | null
  // From product_type, categories and tags, most telling first.
  categories: string[]
  gtin: string | null
  mpn: string | null
  sku: string | null
  itemGroupId: string | null
  rating: number | null
  reviewCount: number | null
  attributes: ProductAttributes
  variants: ProductVariant[]
  // RFC 3339 UTC, as the shop told it.
  updatedAt: string | null
}
