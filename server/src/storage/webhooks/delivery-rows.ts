import type { DeliveryEventType, deliveryStates } from '@docent/contract'
import type { Row } from '../database.ts'

export type DeliveryState = (typeof deliveryStates)[number]

export interface DeliveryRecord {
  botId: string
  id: string
  webhookId: string
  eventId: string
  eventType: DeliveryEventType
  state: DeliveryState
  attempts: number
  /** Null while it is being sent. */
  dueAt: number | null
  createdAt: number
  finishedAt: number | null
}

export interface DeliveryRow extends Row {
  bot_id: string
  id: string
  webhook_id: string
  event_id: string
  event_type: DeliveryEventType
  state: DeliveryState
  attempts: number
  due_at: number
  taken_by: string | null
  created_at: number
  finished_at: number | null
}

export const columns =
  'bot_id, id, webhook_id, event_id, event_type, state, attempts, due_at, taken_by, created_at, finished_at'

export function fromRow(row: DeliveryRow): DeliveryRecord {
  return {
    botId: row.bot_id,
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    state: row.state,
    attempts: row.attempts,
    dueAt: row.taken_by === null ? row.due_at : null,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
