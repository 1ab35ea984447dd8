// Visitors waiting for an agent: counted in the navigation and the tab title, with optional browser notifications.
import type { ConversationSummary } from '@docent/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { apiQuery } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { setTitleCount } from '../../text/document-title.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { visitorLabel } from '../conversation/conversation-status.tsx'
import { notify } from './live/notify.tsx'
import { playSound } from './live/sound.tsx'
import { useBotNames, useTeam } from './use-team.ts'

// In addition to live events, and for screens without an event stream.
const POLL_MS = 15_000
const MAX_COUNTED = 99

function useOpenConversations() {
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

/** Conversations that requested an agent or have unread messages for one, of one bot or all. */
function useWaiting(botId?: string): ConversationSummary[] {
  const { data } = useOpenConversations()
  return (data?.items ?? []).filter(
    ({ bot_id, handover, unread }) =>
      (botId === undefined || bot_id === botId) && (handover.status === 'requested' || unread),
  )
}

export function WaitingBadge({ botId }: { botId?: string }) {
  const { inbox: words } = useMessages()
  const { length } = useWaiting(botId)
  if (length === 0) return null
  const shown = length > MAX_COUNTED ? `${MAX_COUNTED}+` : String(length)
  return (
    <span className="nav-badge">
      <span aria-hidden="true">{shown}</span>
      <span className="unseen">{words.waitingBadge(shown)}</span>
    </span>
  )
}

export function WaitingNotifications() {
  const messages = useMessages()
  const { inbox: words, team } = messages
  const workspaceId = useWorkspaceId()
  const { conversationId } = useParams({ strict: false }) as { conversationId?: string }
  const { data } = useOpenConversations()
  const waiting = useWaiting()
  const { me } = useTeam()
  const botNames = useBotNames()
  const navigate = useNavigate()
  const known = useRef<{ workspaceId: string; news: Set<string> } | null>(null)

  useEffect(() => {
    setTitleCount(waiting.length)
    return () => setTitleCount(0)
  }, [waiting.length])

  useEffect(() => {
    if (!data) return
    const news = data.items.filter(({ handover, unread, assignee }) =>
      handover.status === 'requested' ? !assignee || assignee.id === me : unread && assignee?.id === me,
    )
    const before = known.current?.workspaceId === workspaceId ? known.current.news : null
    known.current = { workspaceId, news: new Set(news.map(newsKey)) }
    // Do not notify about those already waiting when the page was opened.
    if (!before) return
    for (const each of news) {
      const isOnScreen = each.id === conversationId && !document.hidden
      if (before.has(newsKey(each)) || isOnScreen) continue
      const who = visitorLabel(each, messages)
      const preview = each.last_visitor_message?.text.slice(0, 140)
      const title =
        each.handover.status === 'requested'
          ? words.notifyTitle(botNames.get(each.bot_id) ?? words.title)
          : team.newMessage(who)
      playSound()
      notify(title, preview ? `${who}: ${preview}` : who, each.id, () =>
        navigate({ to: `/inbox/${each.bot_id}/${each.id}` }),
      )
    }
  }, [data])
  return null
}

/** Changes when a visitor requests an agent again or writes another message. */
function newsKey({ id, handover, last_visitor_message: last }: ConversationSummary): string {
  return `${id} ${handover.status === 'requested' ? handover.requested_at : last?.created_at}`
}
