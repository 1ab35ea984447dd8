import { Fault } from '@docent/contract'
import type { KnownConversation } from '../storage/conversations.ts'
import type { Rating } from '../storage/messages.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import { conversationEvent } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'

export type RateAnswer = (
  visitor: VisitorRecord,
  messageId: string,
  rating: Rating,
  reason: string | null,
) => Promise<void>

/** A visitor's thumbs up or down for one of the bot's answers. The last one counts. */
export function makeRateAnswer({ storage, live, onEvents, clock }: ConversationsContext): RateAnswer {
  const { conversations, deliveries, transaction } = storage
  return async ({ botId, id: visitorId }, messageId, rating, reason) => {
    const conversation = await transaction(async (tx) => {
      const ratedConversation = await conversations.rate(tx, { botId, visitorId, messageId }, rating, reason)
      if (!ratedConversation) throw new Fault('not_found')
      const data = { message_id: messageId, rating, reason }
      const { sql, values } = deliveries.toSubscribers(
        conversationEvent('conversation.rated', ratedConversation, data, clock()),
      )
      await tx.query(sql, values)
      return ratedConversation
    })
    onEvents(botId)
    live.publish({ botId, conversationId: conversation.id, kind: 'rating' })
  }
}

export type RateChat = (conversation: KnownConversation, stars: number, reason: string | null) => Promise<void>

/** A visitor's rating of the whole conversation, one to five stars. The last one counts. */
export function makeRateChat({ storage, live }: ConversationsContext): RateChat {
  return async ({ botId, id }, stars, reason) => {
    await storage.ownConversations.rateChat(botId, id, stars, reason)
    live.publish({ botId, conversationId: id, kind: 'rating' })
  }
}
