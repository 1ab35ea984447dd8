// The whole API: method, path, caller, input, output and errors. One file per subject.
import { accountsRoutes } from './routes/accounts/accounts.ts'
import { privacyRoutes } from './routes/accounts/privacy.ts'
import { workspacesRoutes } from './routes/accounts/workspaces.ts'
import { botsRoutes } from './routes/bots/bots.ts'
import { keysRoutes } from './routes/bots/keys.ts'
import { notificationRoutes } from './routes/bots/notifications.ts'
import { webhooksRoutes } from './routes/bots/webhooks.ts'
import { chatRoutes } from './routes/conversations/chat.ts'
import { inboxRoutes } from './routes/conversations/inbox.ts'
import { insightsRoutes } from './routes/conversations/insights.ts'
import { mcpRoutes } from './routes/conversations/mcp.ts'
import { openAiRoutes } from './routes/conversations/openai.ts'
import { teamInboxRoutes } from './routes/conversations/team-inbox.ts'
import { tryRoutes } from './routes/conversations/try.ts'
import { widgetRoutes } from './routes/conversations/widget.ts'
import { crawlRoutes } from './routes/knowledge/crawls.ts'
import { feedRoutes } from './routes/knowledge/feeds.ts'
import { knowledgeRoutes } from './routes/knowledge/knowledge.ts'
import { productsRoutes } from './routes/knowledge/products.ts'
import { systemRoutes } from './routes/system.ts'

export const routes = {
  ...chatRoutes,
  ...openAiRoutes,
  ...mcpRoutes,
  ...widgetRoutes,
  ...productsRoutes,
  ...workspacesRoutes,
  ...accountsRoutes,
  ...botsRoutes,
  ...knowledgeRoutes,
  ...crawlRoutes,
  ...feedRoutes,
  ...tryRoutes,
  ...keysRoutes,
  ...webhooksRoutes,
  ...notificationRoutes,
  ...inboxRoutes,
  ...teamInboxRoutes,
  ...insightsRoutes,
  ...privacyRoutes,
  ...systemRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
