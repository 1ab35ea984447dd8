import type { Conversation } from '@docent/contract'
import { useEffect } from 'react'
import { client } from '../../client.ts'

/** Tells the server what is on the screen, once for each message, while somebody looks. */
export function useMarkRead(conversation: Conversation | undefined, onRead: (conversation: Conversation) => void) {
  const last = conversation?.messages.at(-1)
  useEffect(() => {
    if (!conversation) return
    const see = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', see)
      if (conversation.status !== 'open') return
      const params = { botId: conversation.bot_id, conversationId: conversation.id }
      client
        .request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read', { params, body: {} })
        .then(() => onRead({ ...conversation, unread: false }))
        .catch(() => {
          // It stays unread, and is told with the next message.
        })
    }
    document.addEventListener('visibilitychange', see)
    see()
    return () => document.removeEventListener('visibilitychange', see)
  }, [conversation?.id, last?.id, conversation?.status])
}
