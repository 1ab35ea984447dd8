import type { KnownConversation, OwnConversationsTable } from '../../storage/conversations.ts'
import type { Live } from '../live.ts'

interface Deps {
  ownConversations: Pick<OwnConversationsTable, 'rateChat'>
  live: Pick<Live, 'publish'>
}

export type RateChat = (conversation: KnownConversation, stars: number, reason: string | null) => Promise<void>

/** A visitor's rating of the whole conversation, one to five stars. The last one counts. */
export function createRateChat({ ownConversations, live }: Deps): RateChat {
  return async ({ botId, id }, stars, reason) => {
    await ownConversations.rateChat(botId, id, stars, reason)
    live.publish({ botId, conversationId: id, kind: 'rating' })
  }
}
