// Opens the catalogue: a shop's products, the feeds that bring them, and answers to questions about them.
import type { Config } from '../config.ts'
import type { Embedder } from '../inference/types.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SealedText } from '../sealed-text.ts'
import type { IndexMemory } from '../search/cache/index-cache.ts'
import { startLeasedWorker } from '../sources/leased-worker.ts'
import type { Storage } from '../storage/storage.ts'
import { openBackgroundLane } from './background-lane.ts'
import { makePullFeed, type PullDeps } from './feeds/pull-feed.ts'
import { openProductIndexes } from './index/product-indexes.ts'
import { openProductSnapshots } from './index/product-snapshots.ts'
import { openProductAnswers } from './product-answers.ts'
import { makeSyncProducts } from './products/sync-products.ts'

const FEEDS_AT_ONCE = 2

interface CatalogueContext {
  storage: Storage
  outbound: Pick<Outbound, 'fetchPage'>
  sealed: SealedText
  config: Config
  embedder: Embedder
  /** How long an answer waits for the model. */
  modelBudgetMs: number
  memory: IndexMemory
  stagingFolder: string
  /** Called when a feed has removed products. */
  onRemoved: PullDeps['onRemoved']
  clock: () => number
  onError: (error: unknown) => void
}

export function openCatalogue(context: CatalogueContext) {
  const { storage, outbound, sealed, config, embedder, modelBudgetMs, memory, stagingFolder, clock, onError } = context
  const { products } = storage
  const limits = { bytes: config.syncMaxBytes, items: config.syncMaxItems }
  // Syncs and large indexes give way to questions.
  const lane = openBackgroundLane()
  const productIndexes = openProductIndexes({
    products,
    snapshots: openProductSnapshots(storage.productSnapshots),
    memory,
    turn: lane.turn,
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
    runTurn: makePullFeed({
      ...storage,
      syncProducts,
      stagingFolder,
      fetchPage: outbound.fetchPage,
      openUrl: (feedId, url) => sealed.open(url, feedBinding(feedId)),
      limits: { ...limits, timeoutMs: config.feedTimeoutMs },
      onRemoved: context.onRemoved,
      clock,
      onError,
    }),
    atOnce: config.role === 'web' ? 0 : FEEDS_AT_ONCE,
    clock,
    onError,
  })

  return {
    productAnswersOf: openProductAnswers({ productIndexes, products, embedder, modelBudgetMs }),
    syncProducts,
    limits,
    puller,
    sealUrl: (feedId: string, url: string) => sealed.seal(url, feedBinding(feedId)),
    /** Runs work ahead of long tasks on the event loop. */
    runFirst: lane.runFirst,

    async close() {
      await puller.close()
      await productIndexes.close()
    },
  }
}

function feedBinding(feedId: string): string {
  return `product feed ${feedId}`
}
