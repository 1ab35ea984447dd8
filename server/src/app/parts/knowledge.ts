// The door to a bot's knowledge: its sources, the search over them and its catalogue, with their routes.
import { join } from 'node:path'
import { DocumentInput, HttpUrl, ImportedAnswer } from '@docent/contract'
import type { Logger } from 'pino'
import { type Audit, hostTitle, titleOf } from '../../access/audit.ts'
import type { FindBot } from '../../access/managers.ts'
import { openCatalogue } from '../../catalogue/open-catalogue.ts'
import type { Config } from '../../config.ts'
import { crawlRoutes } from '../../http/crawls.ts'
import { answerRoutes } from '../../http/curated-answers.ts'
import { documentRoutes } from '../../http/documents.ts'
import { feedRoutes } from '../../http/feeds.ts'
import { fileRoutes } from '../../http/files.ts'
import { productRoutes } from '../../http/products.ts'
import type { Route } from '../../http/server/route.ts'
import { makeItemCheck } from '../../http/server/schemas.ts'
import { readWordRanks } from '../../inference/model-files.ts'
import { openModels } from '../../inference/open-models.ts'
import type { ModelState } from '../../inference/types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SealedText } from '../../sealed-text.ts'
import { openSearch } from '../../search/open-search.ts'
import type { NameSection } from '../../search/source-page.ts'
import { openSources } from '../../sources/open-sources.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Trace } from '../../telemetry/tracer.ts'

// After this, words decide. It includes waiting for models that are starting and for other visitors' questions.
const MODEL_BUDGET_MS = 3000

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
  const { storage, outbound, sealed, audit, config, logger, metrics, trace, nameSection, clock, onError } = deps
  const stagingFolder = join(config.dataDir, 'staging')
  const models = openModels(
    config.embeddings,
    ({ model: startedModel }) => {
      if (!startedModel) logger.warn({ embeddings: embedder.state }, 'questions are matched by words only')
      search.embedMissing(startedModel).catch(onError)
    },
    (reason) => logger.warn({ reason }, 'a request to a model failed'),
  )
  const { embedder, reader, model } = models
  const search = openSearch({
    storage,
    config,
    metrics,
    embedder,
    reader,
    model,
    modelBudgetMs: MODEL_BUDGET_MS,
    wordRanks: readWordRanks(),
    nameSection,
    checkAnswer: makeItemCheck(ImportedAnswer),
    clock,
    onError,
  })
  const { embedDocuments, memory } = search
  const sources = openSources({
    storage,
    outbound,
    config,
    logger,
    metrics,
    trace,
    checkDocument: makeItemCheck(DocumentInput),
    cacheVectors: search.cacheVectors,
    onPassagesChanged: embedDocuments,
    clock,
    onError,
  })
  const catalogue = openCatalogue({
    storage,
    outbound,
    sealed,
    config,
    embedder,
    modelBudgetMs: MODEL_BUDGET_MS,
    memory,
    stagingFolder,
    onRemoved: (bot, feed, count) =>
      audit.record(
        { caller: { actor: `feed ${hostTitle({ id: feed.id, url: feed.shownUrl })}` }, request: { ip: '' } },
        bot.workspaceId,
        'products.removed',
        `${titleOf(bot)}: ${count}`,
      ),
    clock,
    onError,
  })
  const { importDocuments, importFile, crawler } = sources
  const { syncProducts, productAnswersOf, puller, sealUrl, limits, runFirst } = catalogue
  const { embedding, vectorBacklog, embedQuestions, importAnswers, onAnswersChanged } = search

  return {
    knowledgeOf: async (bot: BotRecord) => ({
      ...(await search.knowledgeOf(bot)),
      openProducts: productAnswersOf(bot),
    }),
    runFirst,
    /** Frees a deleted bot's memory. */
    releaseBot: memory.releaseBot,
    indexBytes: memory.heldBytes,
    embedDocuments,
    importDocuments,
    syncProducts,
    embedQuestions,
    embedding,
    vectorBacklog,
    describeModels: () => ({ embeddings: describe(embedder.state), reader: describe(reader.state) }),

    routes(route: Route, findBot: FindBot) {
      const { bots, crawls, crawlPages, curatedAnswers, documents, files } = storage
      const { products, productFeeds, productSyncs } = storage
      const { urlProblem } = outbound
      const checkUrl = makeItemCheck(HttpUrl)
      const { maxPages } = config.crawl
      documentRoutes(route, { documents, findBot, importDocuments })
      fileRoutes(route, { files, findBot, importFile, stagingFolder, checkUrl, fileBytes: config.fileMaxBytes })
      answerRoutes(route, { curatedAnswers, findBot, importAnswers, onChanged: onAnswersChanged, clock })
      productRoutes(route, { bots, products, productSyncs, findBot, syncProducts, audit, limits })
      feedRoutes(route, { productFeeds, puller, findBot, urlProblem, sealUrl, clock })
      crawlRoutes(route, { crawls, crawlPages, documents, crawler, findBot, urlProblem, maxPages, clock })
    },

    async stop() {
      await catalogue.close()
      await sources.close()
      await search.close()
      await models.close()
    },
  }
}

function describe(state: ModelState): string {
  return state.kind === 'ready' ? state.model : `absent: ${state.reason}`
}
