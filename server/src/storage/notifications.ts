// Notification channels are rows of the webhooks table and use the same queue.
import type { ChannelKind, IntegrationEventType, NotificationType, OfficeHours } from '@docent/contract'
import { type Database, first, makeFromRow, type Queries, type Statement, type Stored } from './database.ts'
import { assignments, queryMany } from './statements.ts'
import { type DisabledReason, type EventRecord, typesText } from './webhooks.ts'

export interface ChannelSettings {
  name: string
  timezone: string
  quietHours: OfficeHours['open']
  digestAt: string | null
  includeDetails: boolean
}

export interface ChannelRecord {
  botId: string
  id: string
  kind: ChannelKind
  /** Sealed: a URL, or comma-separated email addresses. */
  target: string
  eventTypes: NotificationType[]
  waitingMinutes: number
  settings: ChannelSettings
  notifiedAt: number | null
  failingSince: number | null
  disabledAt: number | null
  disabledReason: DisabledReason | null
  createdAt: number
}

interface ChannelChange {
  target?: string | undefined
  eventTypes?: NotificationType[] | undefined
  waitingMinutes?: number | undefined
  settings?: ChannelSettings | undefined
}

const fromRow = makeFromRow<ChannelRecord>({ eventTypes: 'set', settings: 'json' })

const CHANGEABLE = ['secret', 'eventTypes', 'waitingMinutes', 'settings'] as const

export type NotificationChannelsTable = ReturnType<typeof openNotificationChannelsTable>

export function openNotificationChannelsTable(database: Database) {
  return {
    /** False when the bot has reached its limit. */
    insert: (channel: ChannelRecord, most: number) =>
      database.transaction(async (tx) => {
        // Locks the bot's row, so that concurrent inserts see each other.
        await tx.query('UPDATE bots SET name = name WHERE id = $1', [channel.botId])
        const [row] = await tx.query<{ count: number }>(
          `SELECT count(*) AS count FROM webhooks WHERE bot_id = $1 AND kind <> 'webhook'`,
          [channel.botId],
        )
        if ((row?.count ?? 0) >= most) return false
        await tx.query(
          `INSERT INTO webhooks (bot_id, id, kind, url, secret, event_types, waiting_minutes, settings, created_at)
           VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8)`,
          [
            channel.botId,
            channel.id,
            channel.kind,
            channel.target,
            typesText(channel.eventTypes),
            channel.waitingMinutes,
            JSON.stringify(channel.settings),
            channel.createdAt,
          ],
        )
        return true
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<Stored<ChannelRecord>>(
          `SELECT *, secret AS target FROM webhooks WHERE bot_id = $1 AND id = $2 AND kind <> 'webhook'`,
          [botId, id],
        ),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<Stored<ChannelRecord>>(
        `SELECT *, secret AS target FROM webhooks WHERE bot_id = $1 AND id > $2 AND kind <> 'webhook' ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async update(botId: string, id: string, { target, eventTypes, waitingMinutes, settings }: ChannelChange) {
      const change = {
        secret: target,
        waitingMinutes,
        eventTypes: eventTypes && typesText(eventTypes),
        settings: settings && JSON.stringify(settings),
      }
      const statement = assignments('webhooks', { botId, id }, CHANGEABLE, change)
      // A new address starts without failures.
      const fresh = target === undefined ? '' : 'failing_since = NULL, failed_at = NULL, '
      if (statement) await database.write(statement.sql.replace(' SET ', ` SET ${fresh}`), statement.values)
    },

    async recordSent(tx: Queries, botId: string, id: string, now: number) {
      await tx.query('UPDATE webhooks SET notified_at = $3 WHERE bot_id = $1 AND id = $2', [botId, id, now])
    },
  }
}

// Pending notifications. Written in the event's transaction and removed in the one that writes their delivery.

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

const MINUTE_MS = 60_000

const AT_ONCE = 'CAST($5 AS BIGINT)'

/** The event that each notification tells of, and when it is due. */
const notifications: Record<NotificationType, { event: IntegrationEventType; dueAt: string }> = {
  'lead.created': { event: 'lead.created', dueAt: AT_ONCE },
  'handover.requested': { event: 'handover.requested', dueAt: AT_ONCE },
  // Sent only if nobody has replied by then.
  'handover.waiting': { event: 'handover.requested', dueAt: `${AT_ONCE} + w.waiting_minutes * ${MINUTE_MS}` },
}

const insertion = (type: string, dueAt: string) => `INSERT INTO notification_items
  (bot_id, channel_id, id, type, conversation_id, payload, due_at, created_at)
  SELECT w.bot_id, w.id, $2, '${type}', $3, $4, ${dueAt}, CAST($5 AS BIGINT) FROM webhooks w
  WHERE w.bot_id = $1 AND w.kind <> 'webhook' AND w.disabled_at IS NULL AND w.event_types LIKE '%,${type},%'`
const insertions = Object.entries(notifications).map(([type, { event, dueAt }]) => ({
  event,
  sql: insertion(type, dueAt),
}))

/** One item per notification of this event and channel of the bot that subscribes to it. */
export function toChannels({ botId, id, type, payload, createdAt, about }: EventRecord): Statement[] {
  return insertions
    .filter(({ event }) => event === type)
    .map(({ sql }) => ({ sql, values: [botId, id, about, payload, createdAt] }))
}

export type NotificationItemsTable = ReturnType<typeof openNotificationItemsTable>

export function openNotificationItemsTable(database: Database) {
  return {
    /** Channels with due items, across all tenants. */
    async listDue(now: number): Promise<WaitingChannel[]> {
      return database.query<WaitingChannel>(
        `SELECT bot_id, channel_id, min(created_at) AS since FROM notification_items WHERE due_at <= $1
         GROUP BY bot_id, channel_id`,
        [now],
      )
    },

    /** Takes due items, oldest first. Skips visitors who are no longer waiting. */
    async take(tx: Queries, botId: string, channelId: string, now: number, most: number): Promise<NotificationItem[]> {
      const rows = await tx.query<NotificationItem>(
        `DELETE FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND (id, type) IN (
           SELECT id, type FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND due_at <= $3
           ORDER BY due_at, id LIMIT $4)
         RETURNING id, type, conversation_id, payload, created_at`,
        [botId, channelId, now, most],
      )
      const answeredItems = new Set<NotificationItem>()
      for (const row of rows)
        if (row.type === 'handover.waiting' && !(await isWaiting(tx, botId, row))) answeredItems.add(row)
      return rows.filter((row) => !answeredItems.has(row)).sort((a, b) => a.createdAt - b.createdAt)
    },

    async count(botId: string, channelId: string, now: number): Promise<number> {
      const row = await first(
        database.query<{ count: number }>(
          'SELECT count(*) AS count FROM notification_items WHERE bot_id = $1 AND channel_id = $2 AND due_at <= $3',
          [botId, channelId, now],
        ),
      )
      return row?.count ?? 0
    },

    async removeOf(botId: string, channelId: string) {
      await database.write('DELETE FROM notification_items WHERE bot_id = $1 AND channel_id = $2', [botId, channelId])
    },
  }
}

/** Whether that request is still open and no agent has written since. */
async function isWaiting(
  tx: Queries,
  botId: string,
  { conversationId, createdAt }: NotificationItem,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 AS one FROM conversations c WHERE c.bot_id = $1 AND c.id = $2 AND c.requested_at = $3
       AND c.handover_status IN ('requested', 'active') AND NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.role = 'agent'
           AND m.created_at >= c.requested_at)`,
    [botId, conversationId, createdAt],
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
  const emptiedIds: string[] = []
  let changedCount = 0
  for (const { id, payload } of rows) {
    const message = JSON.parse(payload) as { items: { conversation_id: string }[] }
    const items = message.items.filter((item) => !ids.has(item.conversation_id))
    if (items.length === message.items.length) continue
    changedCount++
    if (items.length === 0) emptiedIds.push(id)
    else
      await tx.query('UPDATE deliveries SET payload = $3 WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        JSON.stringify({ ...message, items }),
      ])
  }
  await queryMany(tx, 'DELETE FROM deliveries WHERE bot_id = $1 AND id IN ({list})', [botId], emptiedIds)
  return changedCount
}
