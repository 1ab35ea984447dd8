// Imports and searches knowledge, with its routes.
import { join } from 'node:path'
import { DocumentInput, HttpUrl, ImportedAnswer } from '@docent/contract'
import type { Logger } from 'pino'
import { type Audit, hostTitle, titleOf } from '../../access/audit.ts'
import type { FindBot } from '../../access/managers.ts'
import { createBackgroundLane } from '../../catalogue/background-lane.ts'
import { createPullFeed } from '../../catalogue/feeds/pull-feed.ts'
import { createProductIndexes } from '../../catalogue/index/product-indexes.ts'
import { createProductSnapshots } from '../../catalogue/index/product-snapshots.ts'
import { createProductAnswers } from '../../catalogue/product-answers.ts'
import { createSyncProducts } from '../../catalogue/products/sync-products.ts'
import type { Config } from '../../config.ts'
import { crawlRoutes } from '../../http/crawls.ts'
import { answerRoutes } from '../../http/curated-answers.ts'
import { documentRoutes } from '../../http/documents.ts'
import { feedRoutes } from '../../http/feeds.ts'
import { fileRoutes } from '../../http/files.ts'
import { productRoutes } from '../../http/products.ts'
import type { Route } from '../../http/server/route.ts'
import { createItemCheck } from '../../http/server/schemas.ts'
import { readWordRanks } from '../../inference/model-files.ts'
import { openModels } from '../../inference/open-models.ts'
import type { ModelState } from '../../inference/types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SealedText } from '../../sealed-text.ts'
import { createBotKnowledge } from '../../search/bot-knowledge.ts'
import { createIndexMemory } from '../../search/cache/index-cache.ts'
import { createImportAnswers } from '../../search/curated/curated-answers.ts'
import { createCuratedIndexes } from '../../search/curated/curated-indexes.ts'
import { createPassageIndexes } from '../../search/index/passage-indexes.ts'
import type { NameSection } from '../../search/source-page.ts'
import { createEmbedDocuments, createEmbedQuestions } from '../../search/vectors/embedding.ts'
import { openCrawler } from '../../sources/crawl/crawler.ts'
import {
  createImportDocuments,
  createResplitDocuments,
  createSplitDocument,
} from '../../sources/documents/documents.ts'
import { startExtractor } from '../../sources/extraction/extractor.ts'
import { UnreadableFile } from '../../sources/extraction/parse-limits.ts'
import { Unreadable } from '../../sources/extraction/parse-thread.ts'
import { createImportFile } from '../../sources/files/import-file.ts'
import { startLeasedWorker } from '../../sources/leased-worker.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Trace } from '../../telemetry/tracer.ts'
import type { Backlog } from '../readiness.ts'

// After this, words decide. It includes waiting for models that are starting and for other visitors' questions.
const MODEL_BUDGET_MS = 3000
const FEEDS_AT_ONCE = 2

interface Deps {
  storage: Storage
  outbound: Pick<Outbound, 'fetchPage' | 'urlProblem'>
  sealed: SealedText
  audit: Audit
  config: Config
  logger: Logger
  metrics: Pick<Metrics, 'count'>
  trace: Trace
  nameSection: NameSection
  clock: () => number
  onError: (error: unknown) => void
}

export function createKnowledgePart(deps: Deps) {
  const { storage, outbound, sealed, audit, config, logger, metrics, trace, clock, onError } = deps
  const { curatedAnswers, documents, documentVectors } = storage
  const models = openModels(
    config.embeddings,
    (started) => {
      embedMissing(started.model).catch(onError)
    },
    (reason) => logger.warn({ reason }, 'a request to a model failed'),
  )
  const { embedder, reader, model } = models
  const embedDocuments = createEmbedDocuments({ documents, documentVectors, embedder, model, clock, onError })
  const memory = createIndexMemory(config.indexMemoryBytes)
  const curatedIndexes = createCuratedIndexes({ curatedAnswers, embedder, model, memory })
  const indexes = createPassageIndexes({
    documents,
    snapshots: storage.indexSnapshots,
    model,
    memory,
    onError,
  })
  const lane = createBackgroundLane()
  const productIndexes = createProductIndexes({
    products: storage.products,
    snapshots: createProductSnapshots(storage.productSnapshots),
    memory,
    turn: lane.turn,
    onError,
  })
  const searchOf = createBotKnowledge({
    indexes,
    curatedIndexes,
    documents,
    curatedAnswers,
    wordRanks: readWordRanks(),
    embedder,
    reader,
    modelBudgetMs: MODEL_BUDGET_MS,
    onDegraded: () => metrics.count('docent_degraded_answers_total', {}),
    widgetBaseUrl: config.widgetBaseUrl,
    nameSection: deps.nameSection,
  })
  const productAnswersOf = createProductAnswers({
    productIndexes,
    products: storage.products,
    embedder,
    modelBudgetMs: MODEL_BUDGET_MS,
  })
  const knowledgeOf = async (bot: BotRecord) => ({ ...(await searchOf(bot)), openProducts: productAnswersOf(bot) })

  async function embedMissing(started: string | null) {
    if (!started) {
      logger.warn({ embeddings: embedder.state }, 'questions are matched by words only')
    }
    if (!model) return
    for (const botId of await documentVectors.listBotsMissing(model)) embedDocuments.enqueue(botId)
    if (!started) return
    for (const botId of await curatedAnswers.listBotsMissing(started)) await curatedIndexes.embed(botId)
  }

  const onAnswersChanged = (botId: string) => void curatedIndexes.embed(botId).catch(onError)
  const extractor = startExtractor(config.parsing)
  const splitDocument = createSplitDocument(extractor)
  const stagingFolder = join(config.dataDir, 'staging')

  const importDocuments = createImportDocuments({
    documents,
    checkDocument: createItemCheck(DocumentInput),
    splitDocument,
    cacheVectors: embedDocuments.cacheVectors,
    onImported: (botId) => embedDocuments.enqueue(botId),
    clock,
  })

  const resplitDocuments = createResplitDocuments({
    documents,
    splitDocument,
    cacheVectors: embedDocuments.cacheVectors,
    onChanged: (botId) => embedDocuments.enqueue(botId),
  })
  resplitDocuments.start(onError)

  const importFile = createImportFile({
    files: storage.files,
    documents,
    readFile: (workspaceId, name, content) =>
      extractor.file(workspaceId, content, name).catch((error) => {
        if (!(error instanceof Unreadable)) throw error
        if (error.cause)
          logger.warn({ workspace: workspaceId, reason: String(error.cause) }, 'a file could not be read')
        throw new UnreadableFile(error.message)
      }),
    importDocuments,
    clock,
  })
  const importAnswers = createImportAnswers({
    curatedAnswers,
    checkAnswer: createItemCheck(ImportedAnswer),
    onChanged: onAnswersChanged,
    clock,
  })
  const syncProducts = createSyncProducts({
    ...{ ...storage, stagingFolder, lane, clock },
    onProductsChanged: productIndexes.catchUp,
  })
  const crawler = openCrawler({
    ...{ ...storage, importDocuments, extractor, trace, clock, onError },
    fetchPage: outbound.fetchPage,
    onVisited: (result) => metrics.count('docent_crawled_pages_total', { result }),
    limits: { ...config.crawl, fileBytes: config.fileMaxBytes, ...(config.role === 'web' ? { atOnce: 0 } : {}) },
  })

  const feedPlace = (feedId: string) => `product feed ${feedId}`
  const limits = { bytes: config.syncMaxBytes, items: config.syncMaxItems }
  const puller = startLeasedWorker({
    jobs: storage.productFeeds,
    runTurn: createPullFeed({
      ...{ ...storage, syncProducts, stagingFolder, clock, onError },
      fetchPage: outbound.fetchPage,
      openUrl: (feedId, url) => sealed.open(url, feedPlace(feedId)),
      limits: { ...limits, timeoutMs: config.feedTimeoutMs },
      onRemoved: (bot, feed, count) =>
        audit.record(
          { caller: { actor: `feed ${hostTitle({ id: feed.id, url: feed.shownUrl })}` }, request: { ip: '' } },
          bot.workspaceId,
          'products.removed',
          `${titleOf(bot)}: ${count}`,
        ),
    }),
    atOnce: config.role === 'web' ? 0 : FEEDS_AT_ONCE,
    ...{ clock, onError },
  })

  return {
    knowledgeOf,
    /** Runs work ahead of long tasks on the event loop. */
    runFirst: lane.runFirst,
    /** Frees a deleted bot's memory. */
    releaseBot: memory.releaseBot,
    indexBytes: memory.heldBytes,

    embedDocuments: (botId: string) => embedDocuments.enqueue(botId),
    importDocuments,
    syncProducts,

    embedQuestions: createEmbedQuestions(embedder),

    /** Progress of a bot's passage vectors. */
    async embedding(botId: string) {
      const { state } = embedder
      if (!model || (state.kind === 'absent' && !state.isStarting)) return { embedded: 0, complete: true }
      const [missing] = await documentVectors.listMissing(botId, model, 1)
      return { embedded: await documentVectors.countPassages(botId, model), complete: missing === undefined }
    },

    /** Documents waiting for vectors on this node, counted up to a limit. */
    async vectorBacklog(limit: number): Promise<Backlog> {
      const bots = model ? embedDocuments.unfinished() : []
      const backlog: Backlog = { depth: 0, since: null }
      for (const { botId, after, since } of bots) {
        if (!model || backlog.depth >= limit) break
        const missing = await documentVectors.countMissing(botId, model, limit - backlog.depth, after)
        if (missing === 0) continue
        backlog.depth += missing
        backlog.since = Math.min(backlog.since ?? since, since)
      }
      return backlog
    },

    describeModels: () => ({ embeddings: describe(embedder.state), reader: describe(reader.state) }),

    routes(route: Route, findBot: FindBot) {
      const { files, bots, crawls, crawlPages, products, productSyncs } = storage
      documentRoutes(route, { documents, findBot, importDocuments })
      fileRoutes(route, {
        ...{ files, findBot, importFile, stagingFolder },
        checkUrl: createItemCheck(HttpUrl),
        fileBytes: config.fileMaxBytes,
      })
      answerRoutes(route, { curatedAnswers, findBot, importAnswers, onChanged: onAnswersChanged, clock })
      productRoutes(route, { bots, products, productSyncs, findBot, syncProducts, audit, limits })
      feedRoutes(route, {
        ...{ productFeeds: storage.productFeeds, puller, findBot, clock },
        urlProblem: outbound.urlProblem,
        sealUrl: (feedId, url) => sealed.seal(url, feedPlace(feedId)),
      })
      crawlRoutes(route, {
        ...{ crawls, crawlPages, documents, crawler, findBot, clock },
        urlProblem: outbound.urlProblem,
        maxPages: config.crawl.maxPages,
      })
    },

    async stop() {
      await crawler.close()
      await puller.close()
      await extractor.close()
      await resplitDocuments.close()
      await embedDocuments.close()
      await indexes.close()
      await productIndexes.close()
      await models.close()
    },
  }
}

function describe(state: ModelState): string {
  return state.kind === 'ready' ? state.model : `absent: ${state.reason}`
}
