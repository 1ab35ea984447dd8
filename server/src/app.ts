// The composition root: the parts of the server, and the routes that use them.
import { openApiDocument } from '@docent/contract'
import type { Logger } from 'pino'
import { openAudit } from './access/audit.ts'
import { openChatKeys, openSyncKeys } from './access/keys.ts'
import { makeFindBot, makeFindMember, makeFindWorkspace, openManagers } from './access/managers.ts'
import type { PasswordCost } from './access/passwords.ts'
import { openPublicBots } from './access/public-bots.ts'
import { makeCountCall } from './access/quota.ts'
import { openRateLimits } from './access/rate-limits.ts'
import { createCleanup } from './app/cleanup.ts'
import { firstStart } from './app/first-start.ts'
import { createInstanceMetrics } from './app/instance-metrics.ts'
import { createNodePart } from './app/node.ts'
import { createAccountsPart } from './app/parts/accounts.ts'
import { createActionsPart } from './app/parts/actions.ts'
import { createConversationsPart } from './app/parts/conversations.ts'
import { createInsightsPart } from './app/parts/insights.ts'
import { createKnowledgePart } from './app/parts/knowledge.ts'
import { createQuestionsPart } from './app/parts/questions.ts'
import { createReadiness } from './app/readiness.ts'
import { modelKeyBinding, openSecretKey } from './app/secret-key.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { makeAnswerChat } from './conversations/answer-chat.ts'
import { makeAnswerMessage, makeTryMessage } from './conversations/answer-message.ts'
import { makeCloseIdle } from './conversations/handover.ts'
import {
  makeAnswerGeneratorOf,
  makeModelOf,
  makeObserveModelCall,
  makeTestModel,
} from './conversations/language-models.ts'
import { makeMirrorCall, openEndedCallMirror } from './conversations/mirror.ts'
import { openModelCallLimits } from './conversations/model-call-limits.ts'
import { makeObserveTurns, makeSendMessage } from './conversations/send-message.ts'
import { makeMeasureStage } from './conversations/turn-stages.ts'
import { botRoutes } from './http/bots.ts'
import { chatRoutes } from './http/chat.ts'
import { keyRoutes } from './http/keys.ts'
import { languageModelTestRoutes, modelUsageRoutes } from './http/language-models.ts'
import { makeCallTool, mcpRoutes } from './http/mcp.ts'
import { notificationRoutes } from './http/notifications.ts'
import { completionRoutes } from './http/openai.ts'
import { responsesRoutes } from './http/openai-responses.ts'
import { playgroundRoutes } from './http/playground.ts'
import { openAccessWatch } from './http/server/access-watch.ts'
import { openServer } from './http/server/fastify.ts'
import { makeAuditChange, makeRoute } from './http/server/route.ts'
import { makeOperatorCheck, systemRoutes } from './http/system.ts'
import { deliveryRoutes, webhookRoutes } from './http/webhooks.ts'
import { workspaceRoutes } from './http/workspaces.ts'
import { randomId } from './ids.ts'
import { type Part, repeatEverySecond, startAll, stopAll } from './lifecycle.ts'
import { openMailer } from './mail.ts'
import { openScheduledBackups } from './maintenance/scheduled-backups.ts'
import { openOutbound } from './outbound/outbound.ts'
import { apiReferencePage } from './pages/api-reference/reference-page.ts'
import { dashboardPages } from './pages/dashboard-pages.ts'
import { demoPages } from './pages/demo-pages.ts'
import { guidePages } from './pages/guides/guide-pages.ts'
import { notFoundPage } from './pages/not-found-page.ts'
import { sourcePages } from './pages/source-pages.ts'
import { widgetPages } from './pages/widget-pages.ts'
import { createSealedText } from './sealed-text.ts'
import { makeNameSection } from './search/source-page.ts'
import { openStorage } from './storage/storage.ts'
import { INSTANCE_WORKSPACE_ID } from './storage/workspaces.ts'
import { makeMetrics } from './telemetry/metrics.ts'
import { openTracing } from './telemetry/tracing.ts'
import { VERSION } from './version.ts'
import { openWebhooks } from './webhooks/open-webhooks.ts'
import { makeSearchWorkspace } from './workspaces/search.ts'

export interface App {
  /** Starts listening and returns the port. */
  listen(): Promise<number>
  /** Finishes work in progress, refuses new requests, and closes the database. */
  stop(): Promise<void>
  demo: { botId: string; keyPath: string } | null
  /** For the link that creates the instance owner's account; null when it exists. */
  setUpToken: string | null
}

export interface AppOptions {
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
  const sealed = createSealedText(secretKey)
  const nameSection = makeNameSection(secretKey)
  const { bots, conversations, deliveries, idempotentCalls, keys, managementTokens, members } = storage
  const { modelUsageDays, quotaDays, workspaces } = storage
  const { baseUrl, widgetBaseUrl } = config
  const metrics = makeMetrics()
  const mailer = config.smtp && openMailer({ ...config.smtp, domain: new URL(baseUrl).hostname })
  const sendMail = mailer?.send ?? null
  const tracing = openTracing({ config, metrics, logger })
  const outbound = openOutbound({ ...config, userAgent: `DocentBot/${VERSION} (+${baseUrl})` })
  const onError = (error: unknown) => logger.error({ err: error }, 'background work failed')
  let stopping = false
  const isStopping = () => stopping
  const { trace } = tracing
  const context: Context = {
    storage,
    config,
    outbound,
    sealed,
    sendMail,
    logger,
    metrics,
    trace,
    clock,
    onError,
    isStopping,
  }

  const chatKeys = openChatKeys(keys, clock)
  const publicBots = openPublicBots(bots, clock)
  const findBot = makeFindBot(bots)
  const findWorkspace = makeFindWorkspace(workspaces)
  const findMember = makeFindMember(findWorkspace, members)
  const audit = openAudit({ auditEntries: storage.auditEntries, clock, onError })

  const rateLimits = openRateLimits({ throttles: storage.throttles, isShared: config.databaseUrl !== null, clock })
  const { countWithin } = rateLimits

  const accounts = createAccountsPart({
    ...context,
    findWorkspace,
    findMember,
    audit,
    rateLimits,
    passwordCost,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
  })
  const webhooks = openWebhooks(context, { findBot, chatKeys, audit, countWithin })
  const { onEvents } = webhooks
  const knowledge = createKnowledgePart({ ...context, audit, nameSection })
  const { knowledgeOf, importDocuments, syncProducts } = knowledge
  const readiness = createReadiness({ storage, vectorBacklog: knowledge.vectorBacklog, clock })
  const { indexBytes } = knowledge
  const instanceMetrics = createInstanceMetrics({ metrics, storage, config, readiness, indexBytes })

  const backups = openScheduledBackups(context)
  const actions = createActionsPart(context)
  const modelLimits = openModelCallLimits(context)
  const models = {
    ...modelLimits,
    modelOf: makeModelOf({ openKey: (botId, key) => sealed.open(key, modelKeyBinding(botId)) }),
    fetch: outbound.fetch,
    onCall: makeObserveModelCall({ warn: (fields, message) => logger.warn(fields, message), metrics }),
  }
  const answerGeneratorOf = makeAnswerGeneratorOf(models)
  const questions = createQuestionsPart({ ...context, ...models, onWritten: knowledge.embedDocuments })

  const measure = makeMeasureStage(context)
  const answerMessage = makeAnswerMessage({
    ...{ messages: storage.messages, knowledgeOf, answerGeneratorOf, measure, widgetBaseUrl },
  })
  const send = makeSendMessage({
    ...{ conversations, messages: storage.messages, deliveries, modelUsageDays },
    ...{ answerMessage, measure, onEvents, clock },
  })
  const sendMessage = makeObserveTurns(context)((...turn) => knowledge.runFirst(() => send(...turn)))
  const mirrorCall = makeMirrorCall({ deliveries, clock })
  const answerChat = makeAnswerChat({
    ...{ findBot: bots.find, idempotentCalls, mirrorCall, onEvents, sendMessage, clock },
    onTurn: (botId, conversationId) => visitors.publishTurn(botId, conversationId),
  })
  const endedCalls = openEndedCallMirror({ deliveries, mirrorCall, onEvents, clock })
  const closeIdle = makeCloseIdle({ conversations, deliveries, onEvents, clock })
  const visitors = createConversationsPart({ ...context, publicBots, countWithin, sendMessage, onEvents, nameSection })
  const insights = createInsightsPart({ ...context, knowledgeOf, embedQuestions: knowledge.embedQuestions })

  const web = openServer({
    ...context,
    tracer: tracing.tracer,
    mirrorEndedCall: endedCalls.mirror,
    notFoundPage,
  })
  const { server } = web
  const managers = openManagers({ adminToken, managementTokens, sessions: accounts.sessions, clock })
  const access = openAccessWatch(server, { ...storage, managers, onError })
  const countCall = makeCountCall({
    ...{ quotaDays, clock },
    onRefused: () => metrics.count('docent_quota_rejections_total', { quota: 'chat_calls' }),
  })
  const route = makeRoute(server, {
    ...{ chatKeys, managers },
    syncKeys: openSyncKeys(keys, clock),
    countCall,
    isOperator: makeOperatorCheck(config.metricsToken),
    auditChange: makeAuditChange(audit, findBot),
    admitWidget: visitors.admission(server, { metrics, isStopping }),
    countDownload: visitors.countDownload,
  })
  chatRoutes(route, { answerChat })
  completionRoutes(route, { answerChat, findBot: bots.find, clock })
  responsesRoutes(route, { answerChat, clock })
  const callTool = makeCallTool({ answerChat, countCall, knowledgeOf, widgetBaseUrl })
  mcpRoutes(route, { callTool, findBot: bots.find, baseUrl })
  visitors.routes(server, route, { findBot, findWorkspace, audit, access })
  insights.routes(route, findBot, audit)
  accounts.routes(server, route)
  workspaceRoutes(route, {
    ...{ workspaces, members, managementTokens, findWorkspace, findMember, audit, chatKeys, clock },
    alert: accounts.alert,
    searchWorkspace: makeSearchWorkspace({ bots, search: storage.workspaceSearch, products: storage.products }),
  })
  const sealModelKey = (botId: string, key: string) => sealed.seal(key, modelKeyBinding(botId))
  botRoutes(route, {
    ...{ bots, findBot, audit, clock, embedding: knowledge.embedding, urlProblem: outbound.urlProblem },
    onChanged: () => {
      chatKeys.forget()
      publicBots.forget()
      questions.look()
    },
    onRemoved: knowledge.releaseBot,
    sealModelKey,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
  })
  questions.routes(route, findBot)
  languageModelTestRoutes(route, {
    ...{ findBot, sealModelKey, urlProblem: outbound.urlProblem },
    testModel: makeTestModel({ ...models, modelUsageDays, clock }),
  })
  modelUsageRoutes(route, { modelUsageDays, callsToday: modelLimits.today, findBot, clock })
  knowledge.routes(route, findBot)
  actions.routes(route, {
    ...{ findBot, audit, countWithin },
    onChanged: () => publicBots.forget(),
  })
  const tryMessage = makeTryMessage({ answerMessage, modelUsageDays, clock })
  playgroundRoutes(route, { findBot, knowledgeOf, tryMessage, widgetBaseUrl })
  keyRoutes(route, { ...webhooks, keys, workspaces, chatKeys, onWebhookChanged: webhooks.onChanged })
  webhookRoutes(route, webhooks)
  deliveryRoutes(route, webhooks)
  notificationRoutes(route, webhooks)
  systemRoutes(route, {
    ...{ ...readiness, describeBackups: backups.describe, isStopping, metrics },
    details: () => ({ version: VERSION, ...knowledge.describeModels() }),
  })
  apiReferencePage(server, () => openApiDocument({ version: VERSION, serverUrl: baseUrl }))
  widgetPages(server, async (botId) => (await publicBots.find(botId))?.widget.allowedOrigins)
  sourcePages(server, async (botId, documentId) => {
    const bot = await publicBots.find(botId)
    return bot?.sourcePages === true && storage.documents.exists(botId, documentId)
  })
  const widgetAddress = widgetBaseUrl === baseUrl ? '' : widgetBaseUrl
  demoPages(server, () => demo && { botId: demo.botId, address: widgetAddress })
  guidePages(server, () => (docsBotId ? { botId: docsBotId, address: widgetAddress } : null))
  dashboardPages(server)
  web.installSecurityHeaders()

  const parts: Part[] = [
    createNodePart({ nodes: storage.nodes, node, clock, info: (message) => logger.info(message), onError }),
    tracing,
    { stop: async () => mailer?.close() },
    ...[webhooks, knowledge, visitors, access],
    repeatEverySecond(
      () => endedCalls.flush(),
      onError,
      () => endedCalls.flush(true),
    ),
    ...(config.role === 'web' ? [] : [repeatEverySecond(closeIdle, onError)]),
    ...[insights, questions],
    createCleanup({ ...context, others: [accounts.forget, modelLimits.forget] }),
    backups,
    instanceMetrics,
    { stop: web.close },
  ]
  const { demo, docsBotId } = await firstStart({ storage, importDocuments, syncProducts, config, clock })
  await startAll(parts)
  const setUpToken = await accounts.makeSetUpToken()

  return {
    demo,
    setUpToken,
    listen: web.listen,
    async stop() {
      stopping = true
      await stopAll(parts)
      await storage.close()
    },
  }
}
