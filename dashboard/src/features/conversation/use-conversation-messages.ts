// All messages of a conversation loaded so far: the newest ones, and older ones on demand.
import type { Conversation, ConversationMessage } from '@docent/contract'
import { useState } from 'react'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'

const PAGE_SIZE = 100

export function useConversationMessages(botId: string, conversation: Conversation) {
  const texts = useTexts()
  // Keep messages once loaded: those beyond the newest 200 must stay on the screen.
  const [messagesById] = useState(() => new Map<string, ConversationMessage>())
  const [hasOlder, setHasOlder] = useState<boolean | null>(null)
  const [isLoading, setLoading] = useState(false)
  for (const message of conversation.messages) messagesById.set(message.id, message)
  const messages = [...messagesById.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  const loadOlder = async () => {
    setLoading(true)
    try {
      const { messages: older, has_more } = await client.request(
        'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages',
        {
          params: { botId, conversationId: conversation.id },
          query: { limit: PAGE_SIZE, ...(messages[0] ? { before: messages[0].id } : {}) },
        },
      )
      for (const message of older) messagesById.set(message.id, message)
      setHasOlder(has_more)
    } catch (error) {
      toast(explainError(error, texts), 'bad')
    } finally {
      setLoading(false)
    }
  }
  return { messages, hasOlder: hasOlder ?? conversation.has_more, isLoading, loadOlder }
}
