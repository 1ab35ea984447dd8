// Opens the catalogue: a shop's products, the feeds that bring them, and answers to questions about them.
import { join } from 'node:path'
import { type Audit, hostTitle, titleOf } from '../access/audit.ts'
import type { FoundProduct, Knowledge, ProductAnswers } from '../answers/types.ts'
import type { Context } from '../context.ts'
import type { Embedder } from '../inference/types.ts'
import type { Search } from '../search/open-search.ts'
import { startLeasedWorker } from '../sources/leased-worker.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ProductsTable } from '../storage/products.ts'
import { answerFromProducts, searchCatalogue } from './answers/answer-from-products.ts'
import { selectProducts } from './answers/select-products.ts'
import { openBackgroundLane } from './background-lane.ts'
import { makePullFeed } from './feeds/pull-feed.ts'
import { openBotCatalogue } from './index/bot-catalogue.ts'
import { openProductIndexes, type ProductIndexes } from './index/product-indexes.ts'
import { openProductSnapshots } from './index/product-snapshots.ts'
import { type ModelTime, makeSimilarKinds } from './index/similar-words.ts'
import type { ShopProduct } from './product.ts'
import { makeSyncProducts } from './products/sync-products.ts'

const FEEDS_AT_ONCE = 2

interface Neighbours {
  embedder: Embedder
  search: Pick<Search, 'contentKnowledgeOf' | 'memory'>
  audit: Audit
}

/** What a bot knows: its passages, curated answers and products. */
export type KnowledgeOf = (bot: BotRecord) => Promise<Knowledge>

export type Catalogue = ReturnType<typeof openCatalogue>

export function openCatalogue(context: Context, { embedder, search, audit }: Neighbours) {
  const { storage, sealed, config, clock, onError } = context
  const { memory } = search
  const stagingFolder = join(config.dataDir, 'staging')
  const { products } = storage
  const limits = { bytes: config.syncMaxBytes, items: config.syncMaxItems }
  // Syncs and large indexes give way to questions.
  const lane = openBackgroundLane()
  const productIndexes = openProductIndexes({
    products,
    snapshots: openProductSnapshots(storage.productSnapshots),
    memory,
    nextSlice: lane.nextSlice,
    onError,
  })
  const syncProducts = makeSyncProducts({
    ...storage,
    stagingFolder,
    lane,
    clock,
    onProductsChanged: productIndexes.catchUp,
  })
  const puller = startLeasedWorker({
    jobs: storage.productFeeds,
    runSlice: makePullFeed(context, {
      syncProducts,
      stagingFolder,
      openUrl: (feedId, url) => sealed.open(url, feedBinding(feedId)),
      openShopKey: (feedId, key) => sealed.open(key, shopKeyBinding(feedId)),
      onRemoved: (bot, feed, count) =>
        audit.record(
          { caller: { actor: `feed ${hostTitle({ id: feed.id, url: feed.shownUrl })}` }, request: { ip: '' } },
          bot.workspaceId,
          'products.removed',
          `${titleOf(bot)}: ${count}`,
        ),
    }),
    atOnce: config.role === 'web' ? 0 : FEEDS_AT_ONCE,
    clock,
    onError,
  })

  const productAnswersOf = openProductAnswers(productIndexes, products, embedder)
  const knowledgeOf: KnowledgeOf = async (bot) => {
    const content = await search.contentKnowledgeOf(bot)
    return { ...content, openProducts: productAnswersOf(bot, content) }
  }

  return {
    knowledgeOf,
    syncProducts,
    limits,
    puller,
    sealUrl: (feedId: string, url: string) => sealed.seal(url, feedBinding(feedId)),
    sealShopKey: (feedId: string, key: string) => sealed.seal(key, shopKeyBinding(feedId)),
    /** Runs work ahead of long tasks on the event loop. */
    runFirst: lane.runFirst,
    /** Whether a visitor asked something just now. */
    isBusy: lane.isBusy,

    async stop() {
      await puller.close()
      await productIndexes.close()
    },
  }
}

function feedBinding(feedId: string): string {
  return `product feed ${feedId}`
}

function shopKeyBinding(feedId: string): string {
  return `key of shop ${feedId}`
}

type BotWithProducts = Pick<BotRecord, 'id' | 'language' | 'currency' | 'productVersion' | 'productReadyVersion'>

/** Answers questions about one bot's products. */
export function openProductAnswers(
  productIndexes: ProductIndexes,
  products: Pick<ProductsTable, 'findMany'>,
  embedder: Embedder,
) {
  const similarKinds = makeSimilarKinds(embedder)

  /** Undefined for a bot without products. */
  return (bot: BotWithProducts, modelTime: ModelTime): (() => Promise<ProductAnswers>) | undefined => {
    if (bot.productVersion === 0) return undefined
    return async () => {
      const index = await productIndexes.get(bot)
      const catalogue = openBotCatalogue(bot, index, products, (one, phrase) => similarKinds(one, phrase, modelTime))
      return {
        answer: (question, language, history, voice, reader) =>
          answerFromProducts(question, language, history, voice, catalogue, reader),
        search: async (text, language, limit) => {
          const { products: foundProducts, meetsAll } = await searchCatalogue(text, language, catalogue, limit)
          return { products: foundProducts.map((product) => toFoundProduct(product, catalogue.currency)), meetsAll }
        },
        select: (question, language, history, productAnswer) =>
          selectProducts(question, language, history, catalogue, productAnswer),
      }
    }
  }
}

function toFoundProduct(product: ShopProduct, currency: string | null): FoundProduct {
  const { id, title, description, url, imageUrl, price, salePrice, availability, brand, categories } = product
  const special = salePrice !== null && (price === null || salePrice < price)
  return {
    id,
    title,
    description,
    url,
    imageUrl,
    availability,
    brand,
    categories,
    price: special ? salePrice : price,
    regularPrice: special ? price : null,
    currency: product.currency ?? currency,
    attributes: product.attributes,
  }
}
