// Keeps the screen up to date by the event stream, or by polling while it is down.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ConnectionState } from './listen-to-events.ts'
import { shareConnection } from './share-connection.ts'

// Events within this time cause one reload.
const GATHER_MS = 250
const LOOK_AGAIN_MS = 8000
const SNOOZE_CHECK_MS = 60_000
const TYPING_MS = 5000

export interface Typing {
  conversationId: string
  by: 'visitor' | 'agent'
}

export function useLiveUpdates(workspaceId: string, refreshList: () => unknown) {
  const cache = useQueryClient()
  const [line, setLine] = useState<ConnectionState>('connecting')
  const [typing, setTyping] = useState<Typing | null>(null)
  const look = useRef<(conversationIds: Set<string> | null) => void>(() => {})
  look.current = (conversationIds) => {
    void refreshList()
    // Null reloads everything, otherwise only what the events name.
    void cache.invalidateQueries({
      predicate: ({ queryKey: [route, options] }) => {
        if (!isLive(route)) return false
        const { params } = (options ?? {}) as { params?: { conversationId?: string } }
        return !params?.conversationId || !conversationIds || conversationIds.has(params.conversationId)
      },
    })
  }

  useEffect(() => {
    if (!workspaceId) return
    let gathered = new Set<string>()
    let gathering: ReturnType<typeof setTimeout> | undefined
    let forgetting: ReturnType<typeof setTimeout> | undefined
    setLine('connecting')
    const stop = shareConnection(workspaceId, {
      onEvent: (event) => {
        const conversationId = event.conversation_id
        clearTimeout(forgetting)
        if (event.type === 'typing') {
          setTyping({ conversationId, by: event.by })
          forgetting = setTimeout(() => setTyping(null), TYPING_MS)
          return
        }
        if (event.type === 'conversation' && event.kind === 'message') setTyping(null)
        gathered.add(conversationId)
        gathering ??= setTimeout(() => {
          look.current(gathered)
          gathered = new Set()
          gathering = undefined
        }, GATHER_MS)
      },
      onState: (state) => {
        setLine(state)
        // Catch up on missed events, or show why the stream was refused.
        if (state !== 'connecting') look.current(null)
      },
    })
    return () => {
      stop()
      clearTimeout(gathering)
      clearTimeout(forgetting)
    }
  }, [workspaceId])

  useEffect(() => {
    // Conversations return from snooze without an event.
    const again = setInterval(() => look.current(null), line === 'live' ? SNOOZE_CHECK_MS : LOOK_AGAIN_MS)
    return () => clearInterval(again)
  }, [line])

  return { line, typing }
}

function isLive(route: unknown): boolean {
  return typeof route === 'string' && route.startsWith('GET ') && /\/(conversations|leads|inbox)(\/|$)/.test(route)
}
