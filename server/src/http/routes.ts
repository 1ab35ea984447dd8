// Every route of the API, by the module whose verbs it calls.
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
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
import { languageModelRoutes } from './language-models.ts'
import { leadRoutes } from './leads.ts'
import { mcpRoutes } from './mcp.ts'
import { invitationRoutes, memberAccountRoutes } from './members.ts'
import type { Modules } from './modules.ts'
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
import { makeAuditChange, makeRoute } from './server/route.ts'
import { answerPreflights, makeAdmitWidget } from './server/widget-callers.ts'
import { makeAdmit, makeSessionShape, sessionRoutes } from './sessions.ts'
import { suggestionRoutes } from './suggestions.ts'
import { makeOperatorCheck, systemRoutes } from './system.ts'
import { testQuestionRoutes } from './test-questions.ts'
import { visitorRoutes } from './visitors.ts'
import { deliveryRoutes, webhookRoutes } from './webhooks.ts'
import { websiteRoutes } from './websites.ts'
import { visitorReadingRoutes, widgetRoutes } from './widget.ts'
import { workspaceRoutes } from './workspaces.ts'

/** Mounts them all. Returns the watch that ends open streams when somebody loses access. */
export function mountRoutes(server: FastifyInstance, context: Context, modules: Modules) {
  const { config, onError } = context
  const { visitors, signal, onSignal } = context.storage
  const { access, webhooks } = modules
  const { managers, publicBots, countWithin, audit, findBot } = access
  const { ownOrigins } = modules.conversations
  const accessWatch = openAccessWatch(server, { managers, signal, onSignal, onError })
  const streams = openLiveStreams(server)
  const route = makeRoute(server, {
    ...access,
    isOperator: makeOperatorCheck(config.metricsToken),
    auditChange: makeAuditChange(audit, findBot),
    admitWidget: makeAdmitWidget({
      ...config.widget,
      visitors,
      publicBots,
      countWithin,
      rememberRefusal: makeRefusedCallers(server, context),
      ownOrigins,
    }),
  })

  chatRoutes(route, modules)
  completionRoutes(route, context, modules)
  responsesRoutes(route, context, modules)
  mcpRoutes(route, context, modules)
  playgroundRoutes(route, context, modules)

  answerPreflights(server, { publicBots, ownOrigins })
  widgetRoutes(route, context, modules)
  visitorReadingRoutes(route, context, modules, { streams })
  conversationRoutes(route, context, modules, { streams, accessWatch })
  inboxRoutes(route, context, modules, { streams, accessWatch })
  suggestionRoutes(route, modules)
  attachmentRoutes(route, context, modules)
  avatarRoutes(route, context, modules)
  leadRoutes(route, context, modules)
  testQuestionRoutes(route, context, modules)
  answerProposalRoutes(route, context, modules)
  insightRoutes(route, context, modules)
  visitorRoutes(route, context, modules)

  const shape = makeSessionShape(context, access)
  const admit = makeAdmit(access, shape)
  sessionRoutes(route, context, modules, { admit, shape })
  accountRoutes(route, context, modules)
  invitationRoutes(route, context, modules, admit)
  passwordResetRoutes(route, modules)
  oidcRoutes(server, context, modules)
  memberAccountRoutes(route, modules)
  auditRoutes(route, context, modules)
  workspaceRoutes(route, context, modules)

  botRoutes(route, context, modules)
  generatedQuestionRoutes(route, context, modules)
  languageModelRoutes(route, context, modules)
  documentRoutes(route, context, modules)
  passageRoutes(route, context, modules)
  fileRoutes(route, context, modules)
  answerRoutes(route, context, modules)
  productRoutes(route, context, modules)
  feedRoutes(route, context, modules)
  crawlRoutes(route, context, modules)
  websiteRoutes(route, context, modules)

  actionRoutes(route, context, modules)
  keyRoutes(route, context, modules)
  identityRoutes(route, context, modules)
  webhookRoutes(route, webhooks)
  deliveryRoutes(route, webhooks)
  notificationRoutes(route, webhooks)
  systemRoutes(route, modules.system)
  return accessWatch
}
