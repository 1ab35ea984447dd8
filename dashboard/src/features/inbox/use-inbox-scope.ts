import { useParams } from '@tanstack/react-router'
import { useWorkspaceId } from '../bots/use-bot.ts'

interface ConversationRef {
  id: string
  bot_id: string
}

export interface InboxScope {
  workspaceId: string
  /** Null means all bots of the workspace. */
  botId: string | null
  root: string
  pathOf: (conversation: ConversationRef) => string
}

/** The workspace or bot in the URL, and the open conversation. */
export function useInboxScope(): { scope: InboxScope; chosen: ConversationRef | null } {
  const workspaceId = useWorkspaceId()
  const params = useParams({ strict: false }) as { botId?: string; inboxBotId?: string; conversationId?: string }
  const { botId = null, inboxBotId, conversationId } = params
  const root = botId ? `/bots/${botId}/inbox` : '/inbox'
  const bot_id = botId ?? inboxBotId
  return {
    scope: {
      workspaceId,
      botId,
      root,
      pathOf: (conversation) =>
        botId ? `${root}/${conversation.id}` : `${root}/${conversation.bot_id}/${conversation.id}`,
    },
    chosen: bot_id && conversationId ? { id: conversationId, bot_id } : null,
  }
}
