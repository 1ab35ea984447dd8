// The whole API: method, path, caller, input, output and errors. One file per subject.
import { accountRoutes, passwordResetRoutes } from './accounts.ts'
import { actionRoutes } from './actions.ts'
import { auditRoutes } from './audit.ts'
import { avatarRoutes, botRoutes } from './bots.ts'
import { chatRoutes } from './chat.ts'
import { conversationRoutes } from './conversations.ts'
import { crawlRoutes } from './crawls.ts'
import { curatedAnswerRoutes } from './curated-answers.ts'
import { documentRoutes } from './documents.ts'
import { feedRoutes } from './feeds.ts'
import { fileRoutes } from './files.ts'
import { inboxRoutes } from './inbox.ts'
import { insightRoutes } from './insights.ts'
import { keyRoutes } from './keys.ts'
import { languageModelRoutes } from './language-models.ts'
import { leadRoutes } from './leads.ts'
import { mcpRoutes } from './mcp.ts'
import { invitationRoutes, memberAccountRoutes, memberRoutes } from './members.ts'
import { notificationRoutes } from './notifications.ts'
import { openAiRoutes } from './openai.ts'
import { responsesRoutes } from './openai-responses.ts'
import { playgroundRoutes } from './playground.ts'
import { productRoutes } from './products.ts'
import { sessionRoutes } from './sessions.ts'
import { systemRoutes } from './system.ts'
import { visitorRoutes } from './visitors.ts'
import { webhookRoutes } from './webhooks.ts'
import { widgetRoutes } from './widget.ts'
import { workspaceRoutes, workspaceSearchRoutes } from './workspaces.ts'
import { writtenQuestionRoutes } from './written-questions.ts'

export const routes = {
  ...chatRoutes,
  ...openAiRoutes,
  ...responsesRoutes,
  ...mcpRoutes,
  ...widgetRoutes,
  ...productRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...workspaceSearchRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...invitationRoutes,
  ...memberAccountRoutes,
  ...passwordResetRoutes,
  ...auditRoutes,
  ...botRoutes,
  ...languageModelRoutes,
  ...writtenQuestionRoutes,
  ...avatarRoutes,
  ...documentRoutes,
  ...fileRoutes,
  ...curatedAnswerRoutes,
  ...actionRoutes,
  ...crawlRoutes,
  ...feedRoutes,
  ...playgroundRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...notificationRoutes,
  ...conversationRoutes,
  ...leadRoutes,
  ...inboxRoutes,
  ...insightRoutes,
  ...visitorRoutes,
  ...systemRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
