import type { ConversationSummary } from '@docent/contract'
import { useMessages } from '../../messages/messages.tsx'
import type { Messages } from '../../messages/messages-type.ts'
import { Status } from '../../ui/status.tsx'

/** Who has the conversation; nothing to say where the bot always had it. */
export function ConversationStatus({ conversation }: { conversation: ConversationSummary }) {
  const { inbox: words } = useMessages()
  const { status, agent_name } = conversation.handover
  if (status === 'requested') return <Status tone="warn">{words.status.requested}</Status>
  if (status === 'active')
    return <Status tone="busy">{agent_name ? words.activeWith(agent_name) : words.status.active}</Status>
  if (conversation.unanswered) return <Status tone="bad">{words.noAnswer}</Status>
  return status === 'closed' ? <Status tone="quiet">{words.status.closed}</Status> : null
}

export function whoOf({ visitor, user_id, channel }: ConversationSummary, { inbox }: Messages): string {
  return visitor?.name || visitor?.email || user_id || (channel === 'api' ? inbox.apiUser : inbox.anonymous)
}
