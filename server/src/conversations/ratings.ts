import { Fault } from '@docent/contract'
import type { ConversationsTable, KnownConversation, OwnConversationsTable } from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { Rating } from '../storage/messages.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import type { OnEvents } from '../webhooks/delivery-worker.ts'
import { conversationEvent } from './conversation-events.ts'
import type { Live } from './live.ts'

interface Deps {
  conversations: Pick<ConversationsTable, 'rate'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  transaction: <T>(work: (tx: Queries) => Promise<T>) => Promise<T>
  live: Pick<Live, 'publish'>
  onEvents: OnEvents
  clock: () => number
}

export type RateAnswer = (
  visitor: VisitorRecord,
  messageId: string,
  rating: Rating,
  reason: string | null,
) => Promise<void>

/** A visitor's thumbs up or down for one of the bot's answers. The last one counts. */
export function makeRateAnswer({ conversations, deliveries, transaction, live, onEvents, clock }: Deps): RateAnswer {
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

interface RateChatDeps {
  ownConversations: Pick<OwnConversationsTable, 'rateChat'>
  live: Pick<Live, 'publish'>
}

export type RateChat = (conversation: KnownConversation, stars: number, reason: string | null) => Promise<void>

/** A visitor's rating of the whole conversation, one to five stars. The last one counts. */
export function makeRateChat({ ownConversations, live }: RateChatDeps): RateChat {
  return async ({ botId, id }, stars, reason) => {
    await ownConversations.rateChat(botId, id, stars, reason)
    live.publish({ botId, conversationId: id, kind: 'rating' })
  }
}
