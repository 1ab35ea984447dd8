import type { DeliveryEventType } from '@docent/contract'

/** An event, before its recipients are known. */
export interface EventRecord {
  botId: string
  id: string
  type: DeliveryEventType
  payload: string
  createdAt: number
  /** Subject: a conversation, else `user:…` or `session:…`. Erasing the subject erases the event. */
  about: string | null
}
