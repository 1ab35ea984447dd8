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
import { playgroundRoutes } from './playground.ts'
import { productRoutes } from './products.ts'
import { openAccessWatch } from './server/access-watch.ts'
import { openLiveStreams } from './server/event-streams.ts'
import { makeRefusedCallers } from './server/refused-callers.ts'
import { makeAuditChange, makeRoute, type Route } from './server/route.ts'
import { makeItemCheck } from './server/schemas.ts'
import { answerPreflights, makeAdmitWidget } from './server/widget-callers.ts'
import { makeAdmit, makeOpenSession, makeSessionShape, sessionRoutes } from './sessions.ts'
import { makeOperatorCheck, type SystemDeps, systemRoutes } from './system.ts'
import { visitorRoutes } from './visitors.ts'
import { deliveryRoutes, webhookRoutes } from './webhooks.ts'
import { visitorReadingRoutes, widgetRoutes } from './widget.ts'
import { workspaceRoutes } from './workspaces.ts'
import { writtenQuestionRoutes } from './written-questions.ts'

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
  const receiver = receiverOf(context, access)
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
      ...receiver,
      ...context.config.widget,
      rememberRefusal: makeRefusedCallers(server, context),
      ownOrigins: modules.conversations.ownOrigins,
    }),
  })
  chatApiRoutes(route, context, modules)
  conversationsRoutes(server, route, context, { ...modules, accessWatch })
  insightRoutes(route, { ...receiver, ...insights })
  visitorRoutes(route, { ...receiver, ...privacy })
  accessRoutes(server, route, context, access)
  workspaceRoutes(route, receiver)
  botsRoutes(route, context, modules)
  knowledgeRoutes(route, context, modules)
  actionRoutes(route, {
    ...receiver,
    ...modules.actions,
    onChanged(botId) {
      access.publicBots.forget()
      modules.search.onActionsChanged(botId)
    },
  })
  keyRoutes(route, { ...receiver, ...webhooks, onWebhookChanged: webhooks.onChanged })
  webhookRoutes(route, webhooks)
  deliveryRoutes(route, webhooks)
  notificationRoutes(route, webhooks)
  systemRoutes(route, modules.system)
  return accessWatch
}

/** What most routes need: the tables, who may do what, and the time. */
function receiverOf({ storage, config, outbound, sealed, clock, onError }: Context, access: Access) {
  const { urlProblem } = outbound
  const stagingFolder = join(config.dataDir, 'staging')
  const { widgetBaseUrl } = config
  return { ...storage, ...access, urlProblem, sealed, stagingFolder, widgetBaseUrl, clock, onError }
}

function chatApiRoutes(
  route: Route,
  { storage, config, clock }: Context,
  { access, conversations, catalogue }: Pick<Modules, 'access' | 'conversations' | 'catalogue'>,
) {
  const { answerChat } = conversations
  const { knowledgeOf } = catalogue
  const { baseUrl, widgetBaseUrl } = config
  const findBot = storage.bots.find
  chatRoutes(route, conversations)
  completionRoutes(route, { answerChat, findBot, clock })
  responsesRoutes(route, { answerChat, clock })
  const { countCall } = access
  const callTool = makeCallTool({ answerChat, countCall, knowledgeOf, widgetBaseUrl })
  mcpRoutes(route, { callTool, documents: storage.documents, countCall, findBot, baseUrl })
  playgroundRoutes(route, { ...conversations, knowledgeOf, findBot: access.findBot, widgetBaseUrl })
}

function conversationsRoutes(
  server: FastifyInstance,
  route: Route,
  context: Context,
  modules: Pick<Modules, 'access' | 'conversations' | 'search'> & { accessWatch: ReturnType<typeof openAccessWatch> },
) {
  const { storage, config } = context
  const { access, conversations, search, accessWatch } = modules
  const streams = openLiveStreams(server)
  const receiver = { ...receiverOf(context, access), ...conversations, streams, access: accessWatch }
  const sections = { documents: storage.documents, nameOf: search.nameSection, ordinalOf: sectionOrdinal }
  answerPreflights(server, receiver)
  widgetRoutes(route, { ...receiver, sections })
  visitorReadingRoutes(route, { ...receiver, ...config.widget })
  conversationRoutes(route, receiver)
  inboxRoutes(route, receiver)
  attachmentRoutes(route, { ...receiver, fileBytes: config.attachmentMaxBytes })
  avatarRoutes(route, receiver)
  leadRoutes(route, receiver)
}

function accessRoutes(server: FastifyInstance, route: Route, context: Context, access: Access) {
  const { config, sendMail } = context
  const { fileMaxBytes } = config
  const receiver = receiverOf(context, access)
  const { ssoName, singleSignOn } = access
  const widgetBaseUrl = config.widgetBaseUrl === config.baseUrl ? null : config.widgetBaseUrl
  const shape = makeSessionShape(access.ownWorkspaces, {
    smtp: sendMail !== null,
    ssoName,
    widgetBaseUrl,
    fileMaxBytes,
  })
  const admit = makeAdmit({ ...access, shape })
  sessionRoutes(route, { ...receiver, admit, shape })
  accountRoutes(route, receiver)
  invitationRoutes(route, { ...receiver, admit })
  passwordResetRoutes(route, access)
  if (singleSignOn) oidcRoutes(server, { ...receiver, ...singleSignOn, openSession: makeOpenSession(access) })
  memberAccountRoutes(route, access)
  auditRoutes(route, receiver)
}

function botsRoutes(
  route: Route,
  context: Context,
  { access, search, languageModels }: Pick<Modules, 'access' | 'search' | 'languageModels'>,
) {
  const receiver = { ...receiverOf(context, access), ...languageModels }
  botRoutes(route, {
    ...receiver,
    embedding: search.embedding,
    onChanged: () => {
      access.chatKeys.forget()
      access.publicBots.forget()
      languageModels.lookForQuestions()
    },
    onRemoved: search.memory.releaseBot,
    instanceWorkspaceId: INSTANCE_WORKSPACE_ID,
  })
  writtenQuestionRoutes(route, {
    ...receiver,
    onChanged: languageModels.lookForQuestions,
    onCleared: languageModels.onQuestionsChanged,
  })
  languageModelRoutes(route, receiver)
  modelUsageRoutes(route, receiver)
}

function knowledgeRoutes(
  route: Route,
  context: Context,
  { access, sources, search, catalogue }: Pick<Modules, 'access' | 'sources' | 'search' | 'catalogue'>,
) {
  const { config } = context
  const receiver = receiverOf(context, access)
  documentRoutes(route, { ...receiver, ...sources })
  fileRoutes(route, { ...receiver, ...sources, checkUrl: makeItemCheck(HttpUrl), fileBytes: config.fileMaxBytes })
  answerRoutes(route, { ...receiver, ...search, onChanged: search.onAnswersChanged })
  productRoutes(route, { ...receiver, ...catalogue })
  feedRoutes(route, { ...receiver, ...catalogue })
  crawlRoutes(route, { ...receiver, ...sources, maxPages: config.crawl.maxPages })
}
