// A shop's catalogue.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Currency, Id, ListQuery, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const AVAILABILITIES = ['in_stock', 'out_of_stock', 'preorder', 'backorder'] as const
const Availability = OneOf(AVAILABILITIES)

const Money = Type.Union([Type.Number(), Type.String()], {
  description: 'A number, or text such as `29.99`, `29.99 USD`, `1.299,00 €`.',
  examples: ['29.99 USD'],
})

const ProductInput = Type.Object(
  {
    id: Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Number()]),
    title: Type.String({ minLength: 1, description: 'Truncated to 500 characters.' }),
    description: Type.Optional(Type.String({ description: 'Text or HTML; truncated to 10,000 characters of text.' })),
    link: Type.Optional(Type.String({ description: "Relative URLs are resolved against the bot's `site_url`." })),
    image_link: Type.Optional(Type.String()),
    additional_image_links: Type.Optional(Type.Array(Type.String())),
    price: Type.Optional(Money),
    sale_price: Type.Optional(Money),
    currency: Type.Optional(
      Type.String({ description: 'ISO 4217, if the price does not include it.', examples: ['EUR'] }),
    ),
    availability: Type.Optional(Availability),
    brand: Type.Optional(Type.String()),
    product_type: Type.Optional(Type.String({ examples: ['Clothing > Jackets'] })),
    gtin: Type.Optional(Type.String()),
    mpn: Type.Optional(Type.String()),
    sku: Type.Optional(Type.String()),
    item_group_id: Type.Optional(Type.String()),
    rating: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
    review_count: Type.Optional(Type.Integer({ minimum: 0 })),
    attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    variants: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    updated_at: Type.Optional(Timestamp),
  },
  {
    $id: 'ProductInput',
    description:
      'Only `id` and `title` are required. Items of Shopify, WooCommerce, Meta, Google Merchant, schema.org and OpenAI feeds are accepted unchanged; unknown fields become attributes.',
  },
)

const SYNC_MODES = ['upsert', 'replace'] as const

const syncOptions = {
  mode: Type.Optional(OneOf(SYNC_MODES, { description: 'Default: upsert, which removes nothing.' })),
  sync_id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._:-]{1,128}$',
      description: 'Your id for a replace over several requests; use a new one for each replace.',
    }),
  ),
  final: Type.Optional(
    Type.Boolean({ description: 'The last request of a replace with `sync_id`: products not sent are removed.' }),
  ),
  confirm_empty: Type.Optional(Type.Boolean({ description: 'Lets a replace empty the catalogue.' })),
  currency: Type.Optional(
    Type.String({ ...Currency, description: 'ISO 4217: of products that state no currency of their own.' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Checks and reports without changing anything.' })),
}

/** In the query for an array or lines, in the body for an object. */
export const SyncOptions = Type.Object(syncOptions)
export type SyncOptions = Static<typeof SyncOptions>

const SyncProducts = Type.Object(
  {
    products: Type.Optional(Type.Array(ProductInput, { description: 'Validated one by one.' })),
    delete: Type.Optional(Type.Array(Type.String(), { description: 'Ids to remove, unless also sent as products.' })),
    ...syncOptions,
  },
  { $id: 'SyncProducts', description: 'Or a bare array of products, or one product per line.' },
)

export const SyncRemark = Type.Object({
  index: Type.Integer({ description: 'Position of the item in the request, from 0.' }),
  id: Nullable(Type.String()),
  code: Type.String(),
  message: Type.String(),
})
export type SyncRemark = Static<typeof SyncRemark>

const reportFields = {
  sync_id: Type.String(),
  mode: OneOf(SYNC_MODES),
  dry_run: Type.Boolean(),
  received: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  deleted: Type.Integer(),
  failed: Type.Integer({ description: 'Rejected; see `errors`.' }),
  errors: Type.Array(SyncRemark, { description: 'The first 100.' }),
  warnings: Type.Array(SyncRemark, { description: 'The first 100.' }),
}

export const SyncReport = Type.Object(reportFields, { $id: 'SyncReport' })
export type SyncReport = Static<typeof SyncReport>

export const Sync = Type.Object(
  { id: Type.String(), ...reportFields, started_at: Timestamp, finished_at: Timestamp },
  { $id: 'Sync', description: 'The result of one request.' },
)
export type Sync = Static<typeof Sync>

const Attributes = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))
const OptionalText = Nullable(Type.String())
const OptionalNumber = Nullable(Type.Number())

const Variant = Type.Object({
  id: Type.String(),
  title: Type.String(),
  price: OptionalNumber,
  sale_price: OptionalNumber,
  availability: Nullable(Availability),
  attributes: Attributes,
  sku: OptionalText,
  link: OptionalText,
  image_link: OptionalText,
})

const summaryFields = {
  id: Type.String(),
  title: Type.String(),
  link: OptionalText,
  image_link: OptionalText,
  price: OptionalNumber,
  sale_price: OptionalNumber,
  currency: OptionalText,
  availability: Nullable(Availability),
  discontinued: Type.Boolean({ description: 'Archived, draft or hidden in the shop: never offered.' }),
  brand: OptionalText,
  sku: OptionalText,
  synced_at: Timestamp,
}

export const ProductSummary = Type.Object(summaryFields, { $id: 'ProductSummary' })
export type ProductSummary = Static<typeof ProductSummary>

export const Product = Type.Object(
  {
    ...summaryFields,
    description: Type.String(),
    additional_image_links: Type.Array(Type.String()),
    categories: Type.Array(Type.String()),
    gtin: OptionalText,
    mpn: OptionalText,
    item_group_id: OptionalText,
    rating: OptionalNumber,
    review_count: Nullable(Type.Integer()),
    attributes: Attributes,
    variants: Type.Array(Variant),
    updated_at: Nullable(Type.String({ description: 'As sent by the shop.' })),
  },
  { $id: 'Product' },
)
export type Product = Static<typeof Product>

const ProductsQuery = Type.Object({
  ...ListQuery(['id', 'title', 'price', 'availability', 'synced_at'], { found: 'title, SKU or id', sort: 'id' })
    .properties,
  availability: Type.Optional(Availability),
})

const ofProduct = Params({ botId: Id, productId: Id })

export const productRoutes = {
  'POST /api/v1/chat/sync-products': {
    summary: "Sync a shop's products",
    description:
      'For the catalogue of the bot that the key belongs to. As an object, a bare array or newline-delimited JSON, optionally with `Content-Encoding: gzip`; for an array or lines, send the options in the query. One invalid item never fails the rest; if all fail, the report has status 422 and an `error`. A truncated body changes nothing. Products are searchable when the response arrives.',
    tag: 'Products',
    caller: 'sync_key',
    query: SyncOptions,
    body: SyncProducts,
    streamed: true,
    status: 200,
    response: SyncReport,
    errors: [...INPUT_ERRORS, 'invalid_sync_key', 'sync_expired', 'empty_replace', 'every_item_failed'],
  },
  'GET /api/manage/v1/bots/{botId}/products': {
    summary: 'List the products',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ProductsQuery,
    status: 200,
    response: Page(ProductSummary),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/products/{productId}': {
    summary: 'Read a product',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofProduct,
    status: 200,
    response: Product,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/products/{productId}': {
    summary: 'Delete a product',
    description: 'It returns if the shop or a feed sends it again.',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofProduct,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'products.removed',
  },
  'GET /api/manage/v1/bots/{botId}/syncs': {
    summary: 'List the last 100 product syncs, newest first',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Sync),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
