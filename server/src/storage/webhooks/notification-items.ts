// Pending notifications. Written in the event's transaction and removed in the one that writes their delivery.
import type { NotificationType } from '@docent/contract'
import { queryMany } from '../bulk-statements.ts'
import { type Database, first, type Queries, type Row, type Statement } from '../database.ts'
import type { EventRecord } from './event-record.ts'

export interface NotificationItem {
  id: string
  type: NotificationType
  conversationId: string
  /** The event. */
  payload: string
  createdAt: number
}

export interface WaitingChannel {
  botId: string
  channelId: string
  /** Time of the first item. */
  since: number
}

interface ItemRow extends Row {
  id: string
  type: NotificationType
  conversation_id: string
  payload: string
  created_at: number
}

const MINUTE_MS = 60_000

const insertion = (type: string, dueAt: string) => `INSERT INTO notification_items
  (bot_id, channel_id, id, type, conversation_id, payload, due_at, created_at)
  SELECT w.bot_id, w.id, $2, '${type}', $3, $4, ${dueAt}, CAST($5 AS BIGINT) FROM webhooks w
  WHERE w.bot_id = $1 AND w.kind <> 'webhook' AND w.disabled_at IS NULL AND w.event_types LIKE '%,${type},%'`
const LEAD = insertion('lead.created', 'CAST($5 AS BIGINT)')
const REQUEST = insertion('handover.requested', 'CAST($5 AS BIGINT)')
// Sent only if nobody has replied by then.
const WAITING = insertion('handover.waiting', `CAST($5 AS BIGINT) + w.waiting_minutes * ${MINUTE_MS}`)

/** One item per channel of the bot that subscribes to this event. */
export function toChannels({ botId, id, type, payload, createdAt, about }: EventRecord): Statement[] {
  const statements = type === 'lead.created' ? [LEAD] : type === 'handover.requested' ? [REQUEST, WAITING] : []
  return statements.map((sql) => ({ sql, values: [botId, id, about, payload, createdAt] }))
}

export type NotificationItemsTable = ReturnType<typeof createNotificationItemsTable>

export function createNotificationItemsTable(database: Database) {
  return {
    /** Channels with due items, across all tenants. */
    async listDue(now: number): Promise<WaitingChannel[]> {
      const rows = await database.query<{ bot_id: string; channel_id: string; since: number }>(
        `SELECT bot_id, channel_id, min(created_at) AS since FROM notification_items WHERE due_at <= $1
         GROUP BY bot_id, channel_id`,
        [now],
      )
      return rows.map((row) => ({ botId: row.bot_id, channelId: row.channel_id, since: Number(row.since) }))
    },

    /** Takes due items, oldest first. Skips visitors who are no longer waiting. */
    async take(tx: Queries, botId: string, channelId: string, now: number, most: number): Promise<NotificationItem[]> {
      const rows = await tx.query<ItemRow>(
        `DELETE FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND (id, type) IN (
           SELECT id, type FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND due_at <= $3
           ORDER BY due_at, id LIMIT $4)
         RETURNING id, type, conversation_id, payload, created_at`,
        [botId, channelId, now, most],
      )
      const answered = new Set<ItemRow>()
      for (const row of rows)
        if (row.type === 'handover.waiting' && !(await isWaiting(tx, botId, row))) answered.add(row)
      return rows
        .filter((row) => !answered.has(row))
        .map(fromRow)
        .sort((a, b) => a.createdAt - b.createdAt)
    },

    async count(botId: string, channelId: string, now: number): Promise<number> {
      const row = await first(
        database.query<{ count: number }>(
          'SELECT count(*) AS count FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND due_at <= $3',
          [botId, channelId, now],
        ),
      )
      return Number(row?.count ?? 0)
    },

    async removeOf(botId: string, channelId: string) {
      await database.write('DELETE FROM notification_items WHERE bot_id = $1 AND channel_id = $2', [botId, channelId])
    },
  }
}

/** Whether that request is still open and no agent has written since. */
async function isWaiting(tx: Queries, botId: string, { conversation_id, created_at }: ItemRow): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 AS one FROM conversations c WHERE c.bot_id = $1 AND c.id = $2 AND c.requested_at = $3
       AND c.handover_status IN ('requested', 'active') AND NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.role = 'agent'
           AND m.created_at >= c.requested_at)`,
    [botId, conversation_id, created_at],
  )
  return rows.length > 0
}

/** Removes these conversations from sent messages about several. Returns how many messages changed. */
export async function eraseFromNotifications(tx: Queries, botId: string, conversationIds: readonly string[]) {
  const ids = new Set(conversationIds)
  if (ids.size === 0) return 0
  const rows = await tx.query<{ id: string; payload: string }>(
    `SELECT id, payload FROM deliveries WHERE bot_id = $1 AND event_type = 'notification' AND about IS NULL`,
    [botId],
  )
  const emptied: string[] = []
  let changed = 0
  for (const { id, payload } of rows) {
    const message = JSON.parse(payload) as { items: { conversation_id: string }[] }
    const items = message.items.filter((item) => !ids.has(item.conversation_id))
    if (items.length === message.items.length) continue
    changed++
    if (items.length === 0) emptied.push(id)
    else
      await tx.query('UPDATE deliveries SET payload = $3 WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        JSON.stringify({ ...message, items }),
      ])
  }
  await queryMany(tx, 'DELETE FROM deliveries WHERE bot_id = $1 AND id IN ({list})', [botId], emptied)
  return changed
}

function fromRow(row: ItemRow): NotificationItem {
  return {
    id: row.id,
    type: row.type,
    conversationId: row.conversation_id,
    payload: row.payload,
    createdAt: Number(row.created_at),
  }
}
