import type { ConversationSummary } from '@docent/contract'
import { formatDateTime } from '../../text/format.ts'
import { visitorName } from '../../text/visitor-name.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Status } from '../../ui/status.tsx'

/** The state of a conversation; nothing if only the bot was involved. */
export function ConversationStatus({ conversation }: { conversation: ConversationSummary }) {
  const { inbox: texts, team } = useTexts()
  const { status: state, snoozed_until: until, unanswered, low_confidence } = conversation
  const { status, agent_name } = conversation.handover
  if (state === 'snoozed' && until) return <Status tone="quiet">{team.snoozedUntil(formatDateTime(until))}</Status>
  if (status === 'requested') return <Status tone="warn">{texts.status.requested}</Status>
  if (status === 'active')
    return <Status tone="busy">{agent_name ? texts.activeWith(agent_name) : texts.status.active}</Status>
  if (state === 'resolved') return <Status tone="good">{team.resolved}</Status>
  if (unanswered) return <Status tone="quiet">{texts.noAnswer}</Status>
  if (low_confidence) return <Status tone="quiet">{team.lowConfidence}</Status>
  return status === 'closed' ? <Status tone="quiet">{texts.status.closed}</Status> : null
}

export function visitorLabel(conversation: ConversationSummary, allTexts: Texts): string {
  const { visitor, user_id, channel } = conversation
  const name = visitor?.name || visitor?.email || visitor?.user_id || user_id
  if (name) return name
  if (visitor) return visitorName(visitor.id)
  return channel === 'api' ? allTexts.inbox.apiUser : allTexts.inbox.anonymous
}
