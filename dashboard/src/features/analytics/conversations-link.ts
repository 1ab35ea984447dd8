// Links from a figure to its conversations in the inbox.
import type { Happening } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'

export interface ConversationsQuery {
  had?: Happening
  asked?: string
  since?: string
  until?: string
  /** The time zone of the days. */
  tz?: string
}

export function conversationsLink(botId: string, query: ConversationsQuery): string {
  return `${screenPath('inbox', {})}?${new URLSearchParams({ bot: botId, ...query })}`
}
