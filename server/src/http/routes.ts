// Every route of the API, by the module whose verbs it calls.
import { join } from 'node:path'
import { HttpUrl } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../access/open-access.ts'
import type { Actions } from '../actions/open-actions.ts'
import type { Catalogue } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import type { Conversations } from '../conversations/open-conversations.ts'
import type { LanguageModels } from '../conversations/open-language-models.ts'
import type { Insights } from '../insights/open-insights.ts'
import type { Privacy } from '../privacy/open-privacy.ts'
import type { Search } from '../search/open-search.ts'
import { sectionOrdinal } from '../search/source-page.ts'
import type { Sources } from '../sources/open-sources.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import type { Webhooks } from '../webhooks/open-webhooks.ts'
import { accountRoutes, passwordResetRoutes } from './accounts.ts'
import { actionRoutes } from './actions.ts'
import { answerProposalRoutes } from './answer-proposals.ts'
import { attachmentRoutes } from './attachments.ts'
import { auditRoutes } from './audit.ts'
import { avatarRoutes } from './avatars.ts'
import { botRoutes } from './bots.ts'
import { chatRoutes } from './chat.ts'
import { conversationRoutes } from './conversations.ts'
import { crawlRoutes } from './crawls.ts'
import { answerRoutes } from './curated-answers.ts'
import { documentRoutes } from './documents.ts'
import { feedRoutes } from './feeds.ts'
import { fileRoutes } from './files.ts'
import { generatedQuestionRoutes } from './generated-questions.ts'
import { identityRoutes } from './identity.ts'
import { inboxRoutes } from './inbox.ts'
import { insightRoutes } from './insights.ts'
import { keyRoutes } from './keys.ts'
import { languageModelRoutes, modelUsageRoutes } from './language-models.ts'
import { leadRoutes } from './leads.ts'
import { makeCallTool, mcpRoutes } from './mcp.ts'
import { invitationRoutes, memberAccountRoutes } from './members.ts'
import { notificationRoutes } from './notifications.ts'
import { oidcRoutes } from './oidc.ts'
import { completionRoutes } from './openai.ts'
import { responsesRoutes } from './openai-responses.ts'
import { passageRoutes } from './passages.ts'
import { playgroundRoutes } from './playground.ts'
import { productRoutes } from './products.ts'
import { openAccessWatch } from './server/access-watch.ts'
import { openLiveStreams } from './server/event-streams.ts'
import { makeRefusedCallers } from './server/refused-callers.ts'
import { makeAuditChange, makeRoute, type Route } from './server/route.ts'
import { makeItemCheck } from './server/schemas.ts'
import { answerPreflights, makeAdmitWidget, makeVisitorOf } from './server/widget-callers.ts'
import { makeAdmit, makeOpenSession, makeSessionShape, sessionRoutes } from './sessions.ts'
import { suggestionRoutes } from './suggestions.ts'
import { makeOperatorCheck, type SystemDeps, systemRoutes } from './system.ts'
import { testQuestionRoutes } from './test-questions.ts'
import { visitorRoutes } from './visitors.ts'
import { deliveryRoutes, webhookRoutes } from './webhooks.ts'
import { websiteRoutes } from './websites.ts'
import { visitorReadingRoutes, widgetRoutes } from './widget.ts'
import { workspaceRoutes } from './workspaces.ts'

interface Modules {
  access: Access
  webhooks: Webhooks
  search: Search
  sources: Sources
  catalogue: Catalogue
  languageModels: LanguageModels
  conversations: Conversations
  actions: Actions
  insights: Insights
  privacy: Privacy
  system: SystemDeps
}

/** Mounts them all. Returns the watch that ends open streams when somebody loses access. */
export function mountRoutes(server: FastifyInstance, context: Context, modules: Modules) {
  const { access, webhooks, privacy, insights } = modules
  const common = commonDepsOf(context, access)
  const accessWatch = openAccessWatch(server, {
    ...context.storage,
    managers: access.managers,
    onError: context.onError,
  })
  const route = makeRoute(server, {
    ...access,
    isOperator: makeOperatorCheck(context.config.metricsToken),
    auditChange: makeAuditChange(access.audit, access.findBot),
    admitWidget: makeAdmitWidget({
      ...common,
      ...context.config.widget,
      rememberRefusal: makeRefusedCallers(server, context),
      ownOrigins: modules.conversations.ownOrigins,
    }),
  })
  mountChatApi(route, context, modules)
  mountConversations(server, route, context, { ...modules, accessWatch })
  insightRoutes(route, { ...common, ...insights })
  visitorRoutes(route, { ...common, ...privacy })
  mountAccess(server, route, context, access)
  workspaceRoutes(route, { ...common, knowledgeOf: modules.catalogue.knowledgeOf })
  mountBots(route, context, modules)
  mountKnowledge(route, context, modules)
  actionRoutes(route, {
    ...common,
    ...modules.actions,
    onChanged(botId) {
      access.publicBots.forget()
      modules.search.onActionsChanged(botId)
    },
  })
  keyRoutes(route, { ...common, ...webhooks, onWebhookChanged: webhooks.onChanged })
  identityRoutes(route, { ...common, createKey: modules.conversations.identity.createKey })
  webhookRoutes(route, webhooks)
  deliveryRoutes(route, webhooks)
  notificationRoutes(route, webhooks)
  systemRoutes(route, modules.system)
  return accessWatch
}

/** What most routes need: the tables, who may do what, and the time. */
function commonDepsOf({ storage, config, outbound, sealed, clock, onError }: Context, access: Access) {
  const { urlProblem } = outbound
  const stagingFolder = join(config.dataDir, 'staging')
  const { widgetBaseUrl } = config
  return { ...storage, ...access, urlProblem, sealed, stagingFolder, widgetBaseUrl, clock, onError }
}

function mountChatApi(
  route: Route,
  { storage, config, clock }: Context,
  { access, conversations, catalogue }: Pick<Modules, 'access' | 'conversations' | 'catalogue'>,
) {
  const { answerChat, tryMessage } = conversations
  const { knowledgeOf } = catalogue
  const { baseUrl, widgetBaseUrl } = config
  const findBot = storage.bots.find
  chatRoutes(route, { answerChat })
  completionRoutes(route, { answerChat, findBot, clock })
  responsesRoutes(route, { answerChat, clock })
  const { countCall } = access
  const callTool = makeCallTool({ answerChat, countCall, knowledgeOf, widgetBaseUrl })
  mcpRoutes(route, { callTool, documents: storage.documents, countCall, findBot, baseUrl })
  playgroundRoutes(route, { tryMessage, bots: storage.bots, knowledgeOf, findBot: access.findBot, widgetBaseUrl })
}

function mountConversations(
  server: FastifyInstance,
  route: Route,
  context: Context,
  modules: Pick<Modules, 'access' | 'conversations' | 'search'> & { accessWatch: ReturnType<typeof openAccessWatch> },
) {
  const { storage, config } = context
  const { access, conversations, search, accessWatch } = modules
  const streams = openLiveStreams(server)
  const common = { ...commonDepsOf(context, access), ...conversations, streams, accessWatch }
  const sections = { documents: storage.documents, nameOf: search.nameSection, ordinalOf: sectionOrdinal }
  answerPreflights(server, common)
  widgetRoutes(route, { ...common, sections })
  visitorReadingRoutes(route, { ...common, ...config.widget, visitorOf: makeVisitorOf(storage.visitors) })
  conversationRoutes(route, common)
  inboxRoutes(route, common)
  suggestionRoutes(route, common)
  attachmentRoutes(route, { ...common, fileBytes: config.attachmentMaxBytes })
  avatarRoutes(route, common)
  leadRoutes(route, common)
  testQuestionRoutes(route, common)
  answerProposalRoutes(route, { ...common, onChanged: search.onAnswersChanged })
}

function mountAccess(server: FastifyInstance, route: Route, context: Context, access: Access) {
  const { config, sendMail } = context
  const { fileMaxBytes, attachmentMaxBytes, actionTimeoutMs } = config
  const common = commonDepsOf(context, access)
  const { ssoName, singleSignOn } = access
  const widgetBaseUrl = config.widgetBaseUrl === config.baseUrl ? null : config.widgetBaseUrl
  const shape = makeSessionShape(access.ownWorkspaces, {
    smtp: sendMail !== null,
    ssoName,
    widgetBaseUrl,
    fileMaxBytes,
    attachmentMaxBytes,
    actionTimeoutMs,
  })
  const admit = makeAdmit({ ...access, shape })
  sessionRoutes(route, { ...common, admit, shape })
  accountRoutes(route, common)
  invitationRoutes(route, { ...common, admit })
  passwordResetRoutes(route, access)
  if (singleSignOn) oidcRoutes(server, { ...common, ...singleSignOn, openSession: makeOpenSession(access) })
  memberAccountRoutes(route, access)
  auditRoutes(route, common)
}

function mountBots(
  route: Route,
  context: Context,
  { access, search, languageModels }: Pick<Modules, 'access' | 'search' | 'languageModels'>,
) {
  const common = { ...commonDepsOf(context, access), ...languageModels }
  botRoutes(route, {
    ...common,
    embedding: search.embedding,
    onChanged: () => {
      access.chatKeys.forget()
      access.publicBots.forget()
      languageModels.wakeGenerator()
    },
    onRemoved: search.memory.releaseBot,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
  })
  generatedQuestionRoutes(route, {
    ...common,
    onChanged: languageModels.wakeGenerator,
    onCleared: languageModels.onQuestionsChanged,
  })
  languageModelRoutes(route, common)
  modelUsageRoutes(route, common)
}

function mountKnowledge(
  route: Route,
  context: Context,
  modules: Pick<Modules, 'access' | 'sources' | 'search' | 'catalogue' | 'conversations'>,
) {
  const { config, outbound } = context
  const { access, sources, search, catalogue, conversations } = modules
  const common = commonDepsOf(context, access)
  documentRoutes(route, { ...common, ...sources })
  passageRoutes(route, { ...common, onPassagesChanged: search.embedDocuments })
  fileRoutes(route, { ...common, ...sources, checkUrl: makeItemCheck(HttpUrl), fileBytes: config.fileMaxBytes })
  answerRoutes(route, { ...common, ...search, onChanged: search.onAnswersChanged })
  productRoutes(route, { ...common, ...catalogue })
  feedRoutes(route, { ...common, ...catalogue })
  crawlRoutes(route, { ...common, ...sources, maxPages: config.crawl.maxPages })
  const { pageBytes } = config.crawl
  websiteRoutes(route, { ...common, ...conversations, ...sources, fetchPage: outbound.fetchPage, pageBytes })
}
