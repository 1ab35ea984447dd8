import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { apiQuery } from '../../api.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { notify } from './live/notify.tsx'
import { playSound } from './live/sound.tsx'
import { texts } from './queue-texts.ts'

// In addition to live events, for screens without an event stream.
const POLL_MS = 60_000

/** Tells about notes that mention the user, unless a conversation is on the screen: it may be the one that is read. */
export function useMentionNotifications() {
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
      navigate({ to: '/inbox', search: { show: 'mentions' } as never }),
    )
  }, [data])
}
