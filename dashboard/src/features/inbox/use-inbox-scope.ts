import { screenPath } from '@docent/contract/screens'
import { useParams } from '@tanstack/react-router'
import { useWorkspaceId } from '../bots/use-bot.ts'

interface ConversationRef {
  id: string
  bot_id: string
}

export function conversationPath({ bot_id, id }: ConversationRef): string {
  return screenPath('inbox', { inboxBotId: bot_id, conversationId: id })
}

/** The workspace, and the open conversation. */
export function useInboxScope(): { workspaceId: string; chosen: ConversationRef | null } {
  const workspaceId = useWorkspaceId()
  const { inboxBotId, conversationId } = useParams({ strict: false }) as {
    inboxBotId?: string
    conversationId?: string
  }
  return { workspaceId, chosen: inboxBotId && conversationId ? { id: conversationId, bot_id: inboxBotId } : null }
}
