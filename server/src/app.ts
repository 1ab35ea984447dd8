// The composition root: opens the modules, in the order of their dependencies, and mounts the routes and pages.
import { DocumentInput, ImportedAnswer, openApiDocument } from '@docent/contract'
import type { Logger } from 'pino'
import { openAccess } from './access/open-access.ts'
import type { PasswordCost } from './access/passwords.ts'
import { openActions } from './actions/open-actions.ts'
import { firstStart } from './app/first-start.ts'
import { openInstanceMetrics } from './app/instance-metrics.ts'
import { openNode } from './app/node.ts'
import { openReadiness } from './app/readiness.ts'
import { openSecretKey } from './app/secret-key.ts'
import { openCatalogue } from './catalogue/open-catalogue.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { openConversations } from './conversations/open-conversations.ts'
import { openLanguageModels } from './conversations/open-language-models.ts'
import { mountRoutes } from './http/routes.ts'
import { openServer } from './http/server/fastify.ts'
import { makeItemCheck } from './http/server/schemas.ts'
import { randomId } from './ids.ts'
import { openModels } from './inference/open-models.ts'
import { openInsights } from './insights/open-insights.ts'
import { type Part, startAll, stopAll } from './lifecycle.ts'
import { openMailer } from './mail.ts'
import { openScheduledBackups } from './maintenance/scheduled-backups.ts'
import { openOutbound } from './outbound/outbound.ts'
import { makeNotFoundPage, mountPages } from './pages/pages.ts'
import { openPrivacy } from './privacy/open-privacy.ts'
import { makeSealedText } from './sealed-text.ts'
import { openSearch } from './search/open-search.ts'
import { openSources } from './sources/open-sources.ts'
import { inBatches } from './storage/statements.ts'
import { openStorage } from './storage/storage.ts'
import { makeMetrics } from './telemetry/metrics.ts'
import { openTracing } from './telemetry/tracing.ts'
import { VERSION } from './version.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'

const HOUR_MS = 3_600_000

export interface App {
  /** Starts listening and returns the port. */
  listen(): Promise<number>
  /** Finishes work in progress, refuses new requests, and closes the database. */
  stop(): Promise<void>
  demo: { botId: string; keyPath: string } | null
  /** For the link that creates the instance owner's account; null when it exists. */
  setUpToken: string | null
}

interface AppOptions {
  logger: Logger
  adminToken: string
  clock?: () => number
  /** Lower in tests, which make thousands of hashes. */
  passwordCost?: PasswordCost | undefined
}

export async function openApp(config: Config, options: AppOptions): Promise<App> {
  const { logger, adminToken, clock = Date.now, passwordCost } = options
  const node = { id: randomId('node'), version: VERSION }
  const storage = await openStorage({ ...config, node }, clock())
  const secretKey = await openSecretKey(config, storage).catch(async (error) => {
    await storage.close()
    throw error
  })
  const { baseUrl } = config
  const metrics = makeMetrics()
  const mailer = config.smtp && openMailer({ ...config.smtp, domain: new URL(baseUrl).hostname })
  const tracing = openTracing({ config, metrics, logger })
  let stopping = false
  const context: Context = {
    storage,
    config,
    outbound: openOutbound({ ...config, userAgent: `DocentBot/${VERSION} (+${baseUrl})` }),
    sealed: makeSealedText(secretKey),
    sendMail: mailer?.send ?? null,
    logger,
    metrics,
    trace: tracing.trace,
    clock,
    onError: (error) => logger.error({ err: error }, 'background work failed'),
    isStopping: () => stopping,
  }

  const access = openAccess(context, { adminToken, passwordCost })
  const webhooks = openWebhooks(context, access)
  const { onEvents } = webhooks
  const models = openModels(context, (startedModel) => search.embedMissing(startedModel))
  const { embedder } = models
  const search = openSearch(context, { ...models, secretKey, checkAnswer: makeItemCheck(ImportedAnswer) })
  const sources = openSources(context, {
    ...search,
    checkDocument: makeItemCheck(DocumentInput),
    onPassagesChanged: search.embedDocuments,
  })
  const catalogue = openCatalogue(context, { embedder, search, audit: access.audit })
  const languageModels = openLanguageModels(context, { onQuestionsChanged: search.embedDocuments })
  const actions = openActions(context)
  const conversations = openConversations(context, {
    ...catalogue,
    ...actions,
    access,
    languageModels,
    onEvents,
    embedding: search.embedding,
  })
  const insights = openInsights(context, { ...search, ...catalogue })
  const privacy = openPrivacy(context)
  const backups = openScheduledBackups(context)
  const readiness = openReadiness({ storage, vectorBacklog: search.vectorBacklog, clock })
  const instanceMetrics = openInstanceMetrics({ ...context, readiness, indexBytes: search.memory.heldBytes })

  const { mirrorEndedCall } = conversations
  const notFoundPage = makeNotFoundPage(context.config.baseUrl)
  const web = openServer({ ...context, tracer: tracing.tracer, mirrorEndedCall, notFoundPage })
  const system = {
    ...readiness,
    describeBackups: backups.describe,
    isStopping: context.isStopping,
    metrics,
    details: () => ({ version: VERSION, ...models.describe() }),
  }
  const accessWatch = mountRoutes(web.server, context, {
    access,
    webhooks,
    search,
    sources,
    catalogue,
    languageModels,
    conversations,
    actions,
    insights,
    privacy,
    system,
  })
  mountPages(web.server, {
    config,
    findBot: access.publicBots.find,
    hasDocument: storage.documents.exists,
    makeOpenApi: () => openApiDocument({ version: VERSION, serverUrl: baseUrl }),
    firstBots: () => firstBots,
  })
  web.installSecurityHeaders()

  const parts: Part[] = [
    openNode({ nodes: storage.nodes, node, clock, info: (message) => logger.info(message), onError: context.onError }),
    tracing,
    { stop: async () => mailer?.close() },
    webhooks,
    models,
    search,
    sources,
    catalogue,
    languageModels,
    conversations,
    accessWatch,
    privacy,
    openCleanup(context, [access.forget, languageModels.forget]),
    backups,
    instanceMetrics,
    { stop: web.close },
  ]
  const firstBots = await firstStart({ ...context, ...sources, ...catalogue, ...actions })
  await startAll(parts)
  const setUpToken = await access.setUp.makeToken()

  return {
    demo: firstBots.demo,
    setUpToken,
    listen: web.listen,
    async stop() {
      stopping = true
      await stopAll(parts)
      await storage.close()
    },
  }
}

/** Removes expired records once an hour; `others` are the clean-ups of modules. */
function openCleanup({ storage, config, clock, onError }: Context, others: (() => Promise<unknown>)[]): Part {
  const { idempotentCalls, deliveries } = storage
  const all = [
    () => idempotentCalls.forget(clock() - 24 * HOUR_MS),
    () => inBatches((most) => deliveries.forget(clock() - config.deliveryLogMs, most)),
    ...others,
  ]
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      timer = setInterval(() => {
        for (const forget of all) forget().catch(onError)
      }, HOUR_MS).unref()
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
