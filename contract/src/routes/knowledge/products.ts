// A shop's catalogue.
import {
  Product,
  ProductSummary,
  ProductsQuery,
  Sync,
  SyncOptions,
  SyncProducts,
  SyncReport,
} from '../../knowledge/products.ts'
import type { RouteSpec } from '../../route.ts'
import { Page, PageQuery } from '../../schema.ts'
import { input, manage, ofBot, ofProduct } from '../parts.ts'

export const productsRoutes = {
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
    answer: SyncReport,
    errors: [...input, 'invalid_sync_key', 'sync_expired', 'empty_replace', 'every_item_failed'],
  },
  'GET /api/manage/v1/bots/{botId}/products': {
    summary: 'List the products',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ProductsQuery,
    status: 200,
    answer: Page(ProductSummary),
    errors: [...manage, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/products/{productId}': {
    summary: 'Read a product',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofProduct,
    status: 200,
    answer: Product,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/products/{productId}': {
    summary: 'Delete a product',
    description: 'It returns if the shop or a feed sends it again.',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofProduct,
    status: 204,
    errors: [...manage, 'bot_not_found', 'not_found'],
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
    answer: Page(Sync),
    errors: [...manage, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
