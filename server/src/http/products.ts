import type { Readable } from 'node:stream'
import { Fault, type ProductSummary, type Sync, type Product as WireProduct } from '@docent/contract'
import type { FastifyRequest } from 'fastify'
import { titleOf } from '../access/audit.ts'
import type { Product, ProductVariant } from '../catalogue/product.ts'
import { syncBotProducts } from '../catalogue/products/sync-products.ts'
import type { Context } from '../context.ts'
import type { ListQuery } from '../storage/lists.ts'
import type { SyncRecord } from '../storage/product-syncs.ts'
import type { ProductRecord } from '../storage/products.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { isLines } from './server/bodies.ts'
import { errorBody } from './server/errors.ts'
import { page, sortedPage } from './server/paging.ts'
import { syncEntries } from './server/product-bodies.ts'
import type { Route } from './server/route.ts'
import { checkSyncOptions } from './server/schemas.ts'

export function productRoutes(
  route: Route,
  { storage }: Context,
  { access, catalogue }: Pick<Modules, 'access' | 'catalogue'>,
) {
  const { bots, products, productSyncs } = storage
  const { findBot, audit } = access
  const { syncProducts, limits } = catalogue

  route('POST /api/v1/chat/sync-products', async ({ caller, query, request, reply }) => {
    const options: Record<string, unknown> = { ...query }
    const input = {
      entries: syncEntries(bodyOf(request), limits, options),
      options: () => checkSyncOptions(options),
    }
    const { report, everyItemFailed } = await syncBotProducts({ bots, syncProducts, audit }, { caller, request }, input)
    if (!everyItemFailed) return report
    const details = report.errors.map(({ index, message }) => ({ path: `products.${index}`, message }))
    const fault = new Fault('every_item_failed', { details })
    return reply.code(fault.status).send({ ...errorBody(fault, request.id), ...report })
  })

  route('GET /api/manage/v1/bots/{botId}/products', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const filter = { availability: query.availability ?? null }
    const list = (listQuery: ListQuery) => products.list(bot.id, filter, listQuery)
    return sortedPage(query, query.sort ?? 'id', ({ sortValue }) => sortValue, list, toSummary)
  })

  route('GET /api/manage/v1/bots/{botId}/products/{productId}', async ({ caller, params }) => {
    const bot = await findBot(caller, params.botId)
    const product = await products.find(bot.id, params.productId)
    if (!product) throw new Fault('not_found')
    return toProduct(product)
  })

  route('DELETE /api/manage/v1/bots/{botId}/products/{productId}', async ({ caller, params, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const product = await products.find(bot.id, params.productId)
    if (!product || !(await products.removeOne(bot.id, product.id))) throw new Fault('not_found')
    setAuditTarget(titleOf({ id: product.id, name: toSummary(product).title }))
    return undefined
  })

  route('GET /api/manage/v1/bots/{botId}/syncs', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (before, limit) => productSyncs.list(bot.id, before, limit), toSync)
  })
}

function bodyOf(request: FastifyRequest) {
  const { headers, body } = request
  if (body === undefined)
    throw new Fault('validation_failed', { details: [{ path: 'products', message: 'This field is required.' }] })
  return {
    payload: body as Readable,
    isLines: isLines(headers),
    encoding: headers['content-encoding'],
    lengthBytes: Number(headers['content-length'] ?? 0),
  }
}

function toSummary(record: ProductRecord): ProductSummary {
  const product: Product = JSON.parse(record.body)
  return {
    id: product.id,
    title: product.title,
    link: product.url,
    image_link: product.imageUrl,
    price: product.price,
    sale_price: product.salePrice,
    currency: product.currency,
    availability: product.availability,
    discontinued: product.discontinued,
    brand: product.brand,
    sku: product.sku,
    synced_at: timestamp(record.syncedAt),
  }
}

function toProduct(record: ProductRecord): WireProduct {
  const product: Product = JSON.parse(record.body)
  return {
    ...toSummary(record),
    description: product.description,
    additional_image_links: product.additionalImageUrls,
    categories: product.categories,
    gtin: product.gtin,
    mpn: product.mpn,
    item_group_id: product.itemGroupId,
    rating: product.rating,
    review_count: product.reviewCount,
    attributes: product.attributes,
    variants: product.variants.map(toVariant),
    updated_at: product.updatedAt,
  }
}

function toVariant({ salePrice, url, imageUrl, ...variant }: ProductVariant): WireProduct['variants'][number] {
  return { ...variant, sale_price: salePrice, link: url, image_link: imageUrl }
}

function toSync({ id, startedAt, finishedAt, report }: SyncRecord): Sync {
  return { id, ...JSON.parse(report), started_at: timestamp(startedAt), finished_at: timestamp(finishedAt) }
}
