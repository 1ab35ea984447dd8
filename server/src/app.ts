// The only place where rooms are wired together.
import { HttpUrl, openApiDocument } from '@docent/contract'
import fastify from 'fastify'
import type { Logger } from 'pino'
import { auditor } from './access/audit.ts'
import { chatKeys as createChatKeys } from './access/chat-keys.ts'
import { botFinder, managers as createManagers, memberFinder, workspaceFinder } from './access/managers.ts'
import { publicBots as createPublicBots } from './access/public-bots.ts'
import { quotaCounter } from './access/quota.ts'
import { syncKeys as createSyncKeys } from './access/sync-keys.ts'
import { wireAccounts } from './app/accounts.ts'
import { wireConversing } from './app/conversing.ts'
import { wireDelivering } from './app/delivering.ts'
import { everySecond } from './app/every-second.ts'
import { firstStart } from './app/first-start.ts'
import { wireKnowing } from './app/knowing.ts'
import { wireLookingBack } from './app/looking-back.ts'
import { wireModelLimits } from './app/model-limits.ts'
import { wireQuestions } from './app/questions.ts'
import { createReadiness } from './app/readiness.ts'
import { modelKeyPlace, openSecretKey } from './app/secret-key.ts'
import type { Config } from './config.ts'
import { chatAnswerer } from './conversations/answer-chat.ts'
import { createBotModels } from './conversations/bot-models.ts'
import { idleCloser } from './conversations/close-idle.ts'
import { endedCallMirror } from './conversations/mirror-ended-call.ts'
import { mirrorWriter } from './conversations/mirror-writer.ts'
import { modelSpeaker } from './conversations/model-speaker.ts'
import { modelCallObserver } from './conversations/observe-model-call.ts'
import { messageSender, type SendMessage } from './conversations/send-message.ts'
import { messageTrier } from './conversations/try-message.ts'
import { allowedMethods } from './http/allowed-methods.ts'
import { answerRoutes } from './http/answers.ts'
import { changeAuditor } from './http/audit-change.ts'
import { installBodies } from './http/bodies.ts'
import { botRoutes } from './http/bots.ts'
import { chatRoutes } from './http/chat.ts'
import { limitConnections } from './http/connection-limits.ts'
import { crawlRoutes } from './http/crawls.ts'
import { documentRoutes } from './http/documents.ts'
import { installErrors, unavailable } from './http/errors.ts'
import { fileRoutes } from './http/files.ts'
import { languageModelReader, modelUsageRoutes } from './http/language-models.ts'
import { installMirror } from './http/mirror.ts'
import { observeRequests } from './http/observe-requests.ts'
import { productRoutes } from './http/products.ts'
import { routeRegistrar } from './http/route.ts'
import { itemChecker, serializerCompiler, validatorCompiler } from './http/schemas.ts'
import { searchRoutes } from './http/search.ts'
import { installSecurityHeaders, securityHeaders } from './http/security-headers.ts'
import { installOddRequests, serverOptions } from './http/server-options.ts'
import { operatorCheck, systemRoutes } from './http/system.ts'
import { separateHosts } from './http/two-hosts.ts'
import { accessWatch } from './http/watch-access.ts'
import { workspaceRoutes } from './http/workspaces.ts'
import { openCrawler } from './knowledge/crawl/open-crawler.ts'
import { createMetrics } from './metrics.ts'
import { openOutbound } from './outbound/outbound.ts'
import { dashboardPages } from './pages/dashboard-pages.ts'
import { demoPages } from './pages/demo-pages.ts'
import { docsPage } from './pages/docs-page.ts'
import { widgetPages } from './pages/widget-pages.ts'
import { sealedText } from './sealed-text.ts'
import { inSlices } from './storage/in-slices.ts'
import { openStorage } from './storage/storage.ts'
import { INSTANCE_WORKSPACE_ID } from './storage/workspaces.ts'
import { VERSION } from './version.ts'

const HOUR_MS = 3_600_000

export interface App {
  /** Starts listening and tells the port. */
  listen(): Promise<number>
  /** Finishes what is under way, refuses what is new, and closes the database. */
  stop(): Promise<void>
  demo: { botId: string; keyPath: string } | null
  /** For the link that makes the instance owner's account; null when there is one. */
  setUpToken: string | null
}

export interface Surroundings {
  logger: Logger
  adminToken: string
  clock?: () => number
}

export async function createApp(config: Config, { logger, adminToken, clock = Date.now }: Surroundings): Promise<App> {
  const storage = await openStorage(config, clock())
  const secretKey = await openSecretKey(config, storage).catch(async (error) => {
    await storage.close()
    throw error
  })
  const sealed = sealedText(secretKey)
  const { bots, conversations, crawlPages, crawls, curatedAnswers, documents, idempotentCalls } = storage
  const { deliveries, keys, managementTokens, members, modelUsageDays, products, productSyncs } = storage
  const { quotaDays, workspaces } = storage
  const metrics = createMetrics()
  const outbound = openOutbound({ ...config, userAgent: `DocentBot/${VERSION} (+${config.baseUrl})` })
  let stopping = false

  const chatKeys = createChatKeys(keys, clock)
  const findBot = botFinder(bots)
  const findWorkspace = workspaceFinder(workspaces)
  const findMember = memberFinder(findWorkspace, members)
  const onError = (error: unknown) => logger.error({ err: error }, 'background work failed')
  const knowing = wireKnowing({ storage, config, logger, clock, onError })
  metrics.gauge('docent_index_memory_bytes', knowing.indexBytes)
  const { knowledgeOf, importDocuments, importAnswers, syncProducts } = knowing
  const crawler = openCrawler({
    ...{ crawls, crawlPages, documents, bots, importDocuments, clock, onError },
    fetchPage: outbound.fetchPage,
    extractor: knowing.extractor,
    limits: { ...config.crawl, fileBytes: config.fileMaxBytes, ...(config.role === 'web' ? { atOnce: 0 } : {}) },
  })
  const delivering = wireDelivering({ storage, outbound, sealed, config, logger, metrics, clock, onError })
  const { onEvents, keepPlace } = delivering
  const sendMail = () => accounts.sendMail
  const modelLimits = wireModelLimits({ storage, config, logger, sendMail, clock, onError })
  const models = {
    ...modelLimits,
    modelOf: createBotModels({ openKey: (botId, key) => sealed.open(key, modelKeyPlace(botId)) }),
    fetch: outbound.fetch,
    onCall: modelCallObserver({ warn: (fields, message) => logger.warn(fields, message), metrics }),
  }
  const speakerOf = modelSpeaker(models)
  const questions = wireQuestions({ ...models, storage, config, onWritten: knowing.embedDocuments, clock, onError })
  const send = messageSender({
    conversations,
    messages: storage.messages,
    deliveries,
    modelUsageDays,
    knowledgeOf,
    speakerOf,
    onEvents,
    baseUrl: config.baseUrl,
    clock,
  })
  const sendMessage: SendMessage = (...turn) => knowing.ahead(() => send(...turn))
  const mirrorCall = mirrorWriter({ deliveries, keepPlace, onEvents, clock })
  const answerChat = chatAnswerer({ findBot: bots.find, idempotentCalls, mirrorCall, sendMessage, clock })
  const publicBots = createPublicBots(bots, clock)
  const conversing = wireConversing({ storage, config, publicBots, sendMessage, onEvents, clock, onError })
  const lookingBack = wireLookingBack({ storage, config, isStopping: () => stopping, clock, onError })
  const closeIdle = idleCloser({ conversations, deliveries, onEvents, clock })

  const headers = securityHeaders([config.baseUrl, config.widgetBaseUrl])
  const server = fastify(serverOptions(logger, config.trustedProxies, headers))
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  installBodies(server)
  installErrors(server, allowedMethods(server))
  observeRequests(server, metrics)
  const endedCalls = endedCallMirror({ deliveries, mirrorCall, clock })
  installMirror(server, endedCalls.mirror)
  installOddRequests(server)
  limitConnections(server, {
    perAddress: config.connectionsPerAddress,
    unreadMs: config.unreadTimeoutMs,
    trustedProxies: config.trustedProxies,
  })
  separateHosts(server, config.baseUrl, config.widgetBaseUrl)
  server.addHook('onRequest', async (_request, reply) => {
    if (!stopping) return
    reply.header('connection', 'close')
    throw unavailable()
  })

  const audit = auditor({ auditEntries: storage.auditEntries, clock, onError })
  const accounts = wireAccounts({
    ...{ storage, sealed, config, findWorkspace, findMember, audit, metrics, clock, onError },
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
  })
  const isOperator = operatorCheck(config.metricsToken)
  const managers = createManagers({ adminToken, managementTokens, sessions: accounts.sessions, clock })
  const syncKeys = createSyncKeys(keys, clock)
  const countCall = quotaCounter(quotaDays, clock)
  const route = routeRegistrar(server, {
    chatKeys,
    syncKeys,
    countCall,
    managers,
    isOperator,
    auditChange: changeAuditor(audit, findBot),
    admitWidget: conversing.admission(server, { metrics, isStopping: () => stopping }),
  })
  chatRoutes(route, { answerChat })
  const access = accessWatch(server, { ...storage, managers, findBot, onError })
  conversing.routes(server, route, findBot, access)
  lookingBack.routes(route, findBot, audit)
  workspaceRoutes(route, {
    ...{ workspaces, members, managementTokens, findWorkspace, findMember, audit, chatKeys, clock },
    alert: accounts.alert,
  })
  accounts.addRoutes(route)
  const readLanguageModel = languageModelReader({
    refusal: outbound.refusal,
    sealKey: (botId, key) => sealed.seal(key, modelKeyPlace(botId)),
  })
  botRoutes(route, {
    bots,
    findBot,
    onChanged: () => {
      chatKeys.forget()
      publicBots.forget()
      questions.look()
    },
    onRemoved: knowing.releaseBot,
    embedding: knowing.embedding,
    readLanguageModel,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
    audit,
    clock,
  })
  questions.routes(route, findBot)
  modelUsageRoutes(route, { modelUsageDays, callsToday: modelLimits.today, findBot, clock })
  documentRoutes(route, { documents, findBot, importDocuments })
  fileRoutes(route, {
    files: storage.files,
    findBot,
    takeFile: knowing.takeFile,
    checkUrl: itemChecker(HttpUrl),
    fileBytes: config.fileMaxBytes,
    stagingFolder: knowing.stagingFolder,
  })
  answerRoutes(route, { curatedAnswers, findBot, importAnswers, onChanged: knowing.onAnswersChanged, clock })
  const limits = { bytes: config.syncMaxBytes, items: config.syncMaxItems }
  productRoutes(route, { bots, products, productSyncs, findBot, syncProducts, audit, limits })
  crawlRoutes(route, {
    ...{ crawls, crawlPages, documents, crawler, findBot, clock },
    refusal: outbound.refusal,
    maxPages: config.crawl.maxPages,
  })
  const tryMessage = messageTrier({ knowledgeOf, speakerOf, modelUsageDays, baseUrl: config.baseUrl, clock })
  searchRoutes(route, { findBot, knowledgeOf, tryMessage, baseUrl: config.baseUrl })
  delivering.routes(route, { findBot, chatKeys, audit })
  systemRoutes(route, {
    ...createReadiness({ storage, vectorBacklog: knowing.vectorBacklog, clock }),
    isStopping: () => stopping,
    details: () => ({ version: VERSION, ...knowing.describeModels() }),
    metrics,
  })
  docsPage(server, () => openApiDocument({ version: VERSION, serverUrl: config.baseUrl }))
  widgetPages(server)
  const widgetAddress = config.widgetBaseUrl === config.baseUrl ? '' : config.widgetBaseUrl
  demoPages(server, () => demo && { botId: demo.botId, address: widgetAddress })
  dashboardPages(server)
  installSecurityHeaders(server, headers)

  const demo = await firstStart({ storage, importDocuments, syncProducts, config, clock })
  await delivering.start()
  await conversing.start()
  await access.start()
  const setUpToken = await accounts.makeSetUpToken()
  const flushing = everySecond(() => endedCalls.flush(), onError)
  const sweeping = config.role === 'web' ? null : everySecond(closeIdle, onError)
  const stopRemoving = lookingBack.start()
  await questions.start()
  const forgetting = setInterval(() => {
    idempotentCalls.forget(clock() - 24 * HOUR_MS).catch(onError)
    accounts.forget().catch(onError)
    modelLimits.forget().catch(onError)
    inSlices((most) => deliveries.forget(clock() - config.deliveryLogMs, most)).catch(onError)
  }, HOUR_MS)
  forgetting.unref()

  return {
    demo,
    setUpToken,
    async listen() {
      await server.listen({ host: config.host, port: config.port })
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : config.port
    },
    async stop() {
      stopping = true
      clearInterval(forgetting)
      const deadline = setTimeout(() => server.server.closeAllConnections(), config.stopTimeoutMs)
      await server.close()
      clearTimeout(deadline)
      metrics.stop()
      await flushing.stop()
      await sweeping?.stop()
      await endedCalls.flush(true).catch(onError)
      await stopRemoving()
      await questions.stop()
      await crawler.close()
      // Closes the way out, so it comes after all that uses it.
      await delivering.stop()
      await knowing.close()
      await accounts.close()
      await storage.close()
    },
  }
}
