import type { ConversationsTable, KnownConversation } from '../../storage/conversations/conversations.ts'
import type { Live } from '../live.ts'

interface Deps {
  conversations: Pick<ConversationsTable, 'rateChat'>
  live: Pick<Live, 'publish'>
}

/** What a visitor thinks of a whole conversation, one to five stars. The last one counts. */
export async function rateChat(
  { conversations, live }: Deps,
  { botId, id }: Pick<KnownConversation, 'botId' | 'id'>,
  stars: number,
  reason: string | null,
) {
  await conversations.rateChat(botId, id, stars, reason)
  live.publish({ botId, conversationId: id, kind: 'rating' })
}
