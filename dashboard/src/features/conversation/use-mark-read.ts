import type { Conversation } from '@docent/contract'
import { useEffect } from 'react'
import { reloadQueries } from '../../api.ts'
import { client } from '../../client.ts'

/** It counts unread mentions. */
const TEAM = 'GET /api/manage/v1/workspaces/{workspaceId}/inbox'

/** Marks the messages and mentions on the screen as read, once per message or note and only while the tab is visible. */
export function useMarkRead(conversation: Conversation | undefined, onRead: (conversation: Conversation) => void) {
  const last = conversation?.messages.at(-1)
  const lastNote = conversation?.notes.at(-1)
  useEffect(() => {
    if (!conversation) return
    const markRead = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', markRead)
      if (conversation.status !== 'open' && conversation.mention !== 'unread') return
      const params = { botId: conversation.bot_id, conversationId: conversation.id }
      client
        .request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read', { params, body: {} })
        .then(() => {
          onRead({ ...conversation, unread: false, mention: conversation.mention && 'read' })
          if (conversation.mention === 'unread') void reloadQueries(({ queryKey: [route] }) => route === TEAM)
        })
        .catch(() => {
          // Stays unread until the next message.
        })
    }
    document.addEventListener('visibilitychange', markRead)
    markRead()
    return () => document.removeEventListener('visibilitychange', markRead)
  }, [conversation?.id, last?.id, lastNote?.id, conversation?.status, conversation?.mention])
}
