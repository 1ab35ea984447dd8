// The whole API: method, path, caller, input, output and errors. One file per subject.

import { accountRoutes, passwordResetRoutes } from './accounts.ts'
import { actionRoutes } from './actions.ts'
import { answerProposalRoutes } from './answer-proposals.ts'
import { auditRoutes } from './audit.ts'
import { availabilityRoutes } from './availability.ts'
import { avatarRoutes, botRoutes } from './bots.ts'
import { chatRoutes } from './chat.ts'
import { contentReviewRoutes } from './content-review.ts'
import { conversationRoutes } from './conversations.ts'
import { crawlRoutes } from './crawls.ts'
import { curatedAnswerRoutes } from './curated-answers.ts'
import { documentRoutes } from './documents.ts'
import { feedRoutes } from './feeds.ts'
import { fileRoutes } from './files.ts'
import { generatedQuestionRoutes } from './generated-questions.ts'
import { homeRoutes } from './home.ts'
import { identityRoutes } from './identity.ts'
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
import { passageRoutes } from './passages.ts'
import { playgroundRoutes } from './playground.ts'
import { productRoutes } from './products.ts'
import { sessionRoutes } from './sessions.ts'
import { suggestionRoutes } from './suggestions.ts'
import { systemRoutes } from './system.ts'
import { testQuestionRoutes } from './test-questions.ts'
import { visitorRoutes } from './visitors.ts'
import { webhookRoutes } from './webhooks.ts'
import { websiteRoutes } from './websites.ts'
import { widgetRoutes } from './widget.ts'
import { workspaceRoutes, workspaceSearchRoutes } from './workspaces.ts'

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
  ...generatedQuestionRoutes,
  ...avatarRoutes,
  ...documentRoutes,
  ...passageRoutes,
  ...contentReviewRoutes,
  ...fileRoutes,
  ...curatedAnswerRoutes,
  ...answerProposalRoutes,
  ...actionRoutes,
  ...crawlRoutes,
  ...feedRoutes,
  ...websiteRoutes,
  ...playgroundRoutes,
  ...testQuestionRoutes,
  ...keyRoutes,
  ...identityRoutes,
  ...webhookRoutes,
  ...notificationRoutes,
  ...conversationRoutes,
  ...suggestionRoutes,
  ...leadRoutes,
  ...homeRoutes,
  ...inboxRoutes,
  ...availabilityRoutes,
  ...insightRoutes,
  ...visitorRoutes,
  ...systemRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
