// The whole API: method, path, who may call it, what goes in, what comes out, what can go wrong. One file per subject.
import { accountsRoutes } from './routes/accounts.ts'
import { botsRoutes } from './routes/bots.ts'
import { chatRoutes } from './routes/chat.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { insightsRoutes } from './routes/insights.ts'
import { keysRoutes } from './routes/keys.ts'
import { knowledgeRoutes } from './routes/knowledge.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { openAiRoutes } from './routes/openai.ts'
import { privacyRoutes } from './routes/privacy.ts'
import { productsRoutes } from './routes/products.ts'
import { systemRoutes } from './routes/system.ts'
import { tryRoutes } from './routes/try.ts'
import { webhooksRoutes } from './routes/webhooks.ts'
import { widgetRoutes } from './routes/widget.ts'
import { workspacesRoutes } from './routes/workspaces.ts'

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
  ...tryRoutes,
  ...keysRoutes,
  ...webhooksRoutes,
  ...notificationRoutes,
  ...inboxRoutes,
  ...insightsRoutes,
  ...privacyRoutes,
  ...systemRoutes,
}

export type Routes = typeof routes
export type RouteName = keyof Routes
