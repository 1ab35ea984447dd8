// Visitors waiting for an agent, counted in the navigation.
import type { ConversationSummary } from '@docent/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'

// In addition to live events, and for screens without an event stream.
const POLL_MS = 15_000
const MAX_COUNTED = 99

export function useOpenConversations() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    ...apiQuery('GET /api/manage/v1/workspaces/{workspaceId}/conversations', {
      params: { workspaceId },
      query: { status: 'open', limit: MAX_COUNTED + 1 },
    }),
    enabled: workspaceId !== '',
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  })
}

/** Conversations that requested an agent or have unread messages for one, of all bots. */
export function useWaiting(): ConversationSummary[] {
  const { data } = useOpenConversations()
  return (data?.items ?? []).filter(({ handover, unread }) => handover.status === 'requested' || unread)
}

export function WaitingBadge() {
  const { inbox: texts } = useTexts()
  const { length } = useWaiting()
  if (length === 0) return null
  const countText = length > MAX_COUNTED ? `${MAX_COUNTED}+` : String(length)
  return (
    <span className="nav-badge">
      <span aria-hidden="true">{countText}</span>
      <span className="unseen">{texts.waitingBadge(countText)}</span>
    </span>
  )
}
