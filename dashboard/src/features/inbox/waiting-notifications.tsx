// Tells about visitors who wait for an agent, and about mentions: in the tab title, with a sound and with browser notifications.
import type { ConversationSummary } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { apiQuery } from '../../api.ts'
import { setTitleCount } from '../../text/document-title.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { visitorLabel } from '../conversation/conversation-status.tsx'
import { notify, playSound } from './live/alerts.tsx'
import { texts } from './queue-texts.ts'
import { conversationPath } from './use-inbox-scope.ts'
import { useBotNames, useTeam } from './use-team.ts'
import { useOpenConversations, useWaiting } from './waiting.tsx'

// In addition to live events, for screens without an event stream.
const POLL_MS = 60_000

export function WaitingNotifications() {
  const allTexts = useTexts()
  const { inbox: texts, team } = allTexts
  const workspaceId = useWorkspaceId()
  const { conversationId } = useParams({ strict: false }) as { conversationId?: string }
  const { data } = useOpenConversations()
  const waiting = useWaiting()
  const { me } = useTeam()
  const botNames = useBotNames()
  const navigate = useNavigate()
  useMentionNotifications()
  const lastNews = useRef<{ workspaceId: string; news: Set<string> } | null>(null)

  useEffect(() => {
    setTitleCount(waiting.length)
    return () => setTitleCount(0)
  }, [waiting.length])

  useEffect(() => {
    if (!data) return
    const news = data.items.filter(({ handover, unread, assignee }) =>
      handover.status === 'requested' ? !assignee || assignee.id === me : unread && assignee?.id === me,
    )
    const before = lastNews.current?.workspaceId === workspaceId ? lastNews.current.news : null
    lastNews.current = { workspaceId, news: new Set(news.map(newsKey)) }
    // Do not notify about those already waiting when the page was opened.
    if (!before) return
    for (const each of news) {
      const isOnScreen = each.id === conversationId && !document.hidden
      if (before.has(newsKey(each)) || isOnScreen) continue
      const who = visitorLabel(each, allTexts)
      const preview = each.last_visitor_message?.text.slice(0, 140)
      const title =
        each.handover.status === 'requested'
          ? texts.notifyTitle(botNames.get(each.bot_id) ?? texts.title)
          : team.newMessage(who)
      playSound()
      notify(title, preview ? `${who}: ${preview}` : who, each.id, () => navigate({ to: conversationPath(each) }))
    }
  }, [data])
  return null
}

/** Changes when a visitor requests an agent again or writes another message. */
function newsKey({ id, handover, last_visitor_message: last }: ConversationSummary): string {
  return `${id} ${handover.status === 'requested' ? handover.requested_at : last?.created_at}`
}

/** Tells about notes that mention the user, unless a conversation is on the screen: it may be the one that is read. */
function useMentionNotifications() {
  const workspaceId = useWorkspaceId()
  const { conversationId } = useParams({ strict: false }) as { conversationId?: string }
  const { data } = useQuery({
    ...apiQuery('GET /api/manage/v1/workspaces/{workspaceId}/inbox', { params: { workspaceId } }),
    enabled: workspaceId !== '',
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  })
  const navigate = useNavigate()
  const last = useRef<{ workspaceId: string; count: number } | null>(null)

  useEffect(() => {
    if (!data) return
    const before = last.current?.workspaceId === workspaceId ? last.current.count : null
    const count = data.unread_mentions
    last.current = { workspaceId, count }
    const isReading = conversationId !== undefined && !document.hidden
    if (before === null || count <= before || isReading) return
    playSound()
    notify(texts.mentioned, texts.unreadMentions(count), 'mentions', () =>
      navigate({ to: screenPath('inbox', {}), search: { show: 'mentions' } as never }),
    )
  }, [data])
}
