// A conversation ends after half an hour without messages; a later message continues it.
import type { ConversationsTable } from '../../storage/conversations.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import { conversationEvent } from '../conversation-events.ts'

const IDLE_MS = 30 * 60_000
const AT_ONCE = 200

interface Deps {
  conversations: Pick<ConversationsTable, 'endIdle'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  onEvents: (botId: string) => void
  clock: () => number
}

export function createCloseIdle({ conversations, deliveries, onEvents, clock }: Deps): () => Promise<void> {
  return async () => {
    const now = clock()
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      const ended = await conversations.endIdle(now - IDLE_MS, AT_ONCE, now, (conversation) => {
        const { channel, messageCount, createdAt, updatedAt } = conversation
        const data = {
          channel,
          reason: 'idle' as const,
          message_count: messageCount,
          started_at: new Date(createdAt).toISOString(),
          last_message_at: new Date(updatedAt).toISOString(),
        }
        return deliveries.toSubscribers(conversationEvent('conversation.ended', conversation, data, now))
      })
      for (const botId of new Set(ended.map((conversation) => conversation.botId))) onEvents(botId)
      count = ended.length
    }
  }
}
