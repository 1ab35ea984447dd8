import type { DeliveryEventType } from '@docent/contract'

/** What happened, before it is known which endpoints get it. */
export interface EventRecord {
  botId: string
  id: string
  type: DeliveryEventType
  payload: string
  createdAt: number
  /** Whom it tells of: a conversation, else `user:…` or `session:…`. What is erased of them takes it along. */
  about: string | null
}
