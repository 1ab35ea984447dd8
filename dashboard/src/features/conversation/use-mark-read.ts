import type { Conversation } from '@docent/contract'
import { useEffect } from 'react'
import { client } from '../../client.ts'

/** Marks the messages on the screen as read, once per message and only while the tab is visible. */
export function useMarkRead(conversation: Conversation | undefined, onRead: (conversation: Conversation) => void) {
  const last = conversation?.messages.at(-1)
  useEffect(() => {
    if (!conversation) return
    const markRead = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', markRead)
      if (conversation.status !== 'open') return
      const params = { botId: conversation.bot_id, conversationId: conversation.id }
      client
        .request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read', { params, body: {} })
        .then(() => onRead({ ...conversation, unread: false }))
        .catch(() => {
          // Stays unread until the next message.
        })
    }
    document.addEventListener('visibilitychange', markRead)
    markRead()
    return () => document.removeEventListener('visibilitychange', markRead)
  }, [conversation?.id, last?.id, conversation?.status])
}
