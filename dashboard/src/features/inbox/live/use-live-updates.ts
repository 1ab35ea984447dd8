// Keeps the screen up to date by the event stream, or by polling while it is down.
import { useEffect, useRef, useState } from 'react'
import { reloadQueries } from '../../../api.ts'
import { type ConnectionState, shareConnection } from './listen-to-events.ts'

// Events within this time cause one reload.
const BATCH_MS = 250
const POLL_MS = 8000
const SNOOZE_CHECK_MS = 60_000
const TYPING_MS = 5000

export interface Typing {
  conversationId: string
  by: 'visitor' | 'agent'
}

export function useLiveUpdates(workspaceId: string, refreshList: () => unknown) {
  const [connection, setConnection] = useState<ConnectionState>('connecting')
  const [typing, setTyping] = useState<Typing | null>(null)
  const reload = useRef<(conversationIds: Set<string> | null) => void>(() => {})
  reload.current = (conversationIds) => {
    void refreshList()
    // Null reloads everything, otherwise only what the events name.
    void reloadQueries(({ queryKey: [route, options] }) => {
      if (!isLive(route)) return false
      const { params } = (options ?? {}) as { params?: { conversationId?: string } }
      return !params?.conversationId || !conversationIds || conversationIds.has(params.conversationId)
    })
  }

  useEffect(() => {
    if (!workspaceId) return
    let changedIds = new Set<string>()
    let batchTimer: ReturnType<typeof setTimeout> | undefined
    let typingTimer: ReturnType<typeof setTimeout> | undefined
    setConnection('connecting')
    const stop = shareConnection(workspaceId, {
      onEvent: (event) => {
        const conversationId = event.conversation_id
        clearTimeout(typingTimer)
        if (event.type === 'typing') {
          setTyping({ conversationId, by: event.by })
          typingTimer = setTimeout(() => setTyping(null), TYPING_MS)
          return
        }
        if (event.type === 'conversation' && event.kind === 'message') setTyping(null)
        changedIds.add(conversationId)
        batchTimer ??= setTimeout(() => {
          reload.current(changedIds)
          changedIds = new Set()
          batchTimer = undefined
        }, BATCH_MS)
      },
      onState: (state) => {
        setConnection(state)
        // Catch up on missed events, or show why the stream was refused.
        if (state !== 'connecting') reload.current(null)
      },
    })
    return () => {
      stop()
      clearTimeout(batchTimer)
      clearTimeout(typingTimer)
    }
  }, [workspaceId])

  useEffect(() => {
    // Conversations return from snooze without an event.
    const again = setInterval(() => reload.current(null), connection === 'live' ? SNOOZE_CHECK_MS : POLL_MS)
    return () => clearInterval(again)
  }, [connection])

  return { connection, typing }
}

function isLive(route: unknown): boolean {
  return typeof route === 'string' && route.startsWith('GET ') && /\/(conversations|leads|inbox)(\/|$)/.test(route)
}
