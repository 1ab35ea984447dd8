// Notification channels are rows of the webhooks table and use the same queue.
import type { ChannelKind, NotificationType, OfficeHours } from '@docent/contract'
import { assignments } from '../assignments.ts'
import { type Database, first, type Queries, type Row } from '../database.ts'
import { type DisabledReason, typesText } from './webhooks.ts'

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

export interface ChannelChange {
  target?: string | undefined
  eventTypes?: NotificationType[] | undefined
  waitingMinutes?: number | undefined
  settings?: ChannelSettings | undefined
}

interface ChannelRow extends Row {
  bot_id: string
  id: string
  kind: ChannelKind
  secret: string
  event_types: string
  waiting_minutes: number
  settings: string
  notified_at: number | null
  failing_since: number | null
  disabled_at: number | null
  disabled_reason: DisabledReason | null
  created_at: number
}

const changeColumns = {
  target: 'secret',
  eventTypes: 'event_types',
  waitingMinutes: 'waiting_minutes',
  settings: 'settings',
} as const

export type NotificationChannelsTable = ReturnType<typeof createNotificationChannelsTable>

export function createNotificationChannelsTable(database: Database) {
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
        if (Number(row?.count) >= most) return false
        await tx.query(
          `INSERT INTO webhooks (bot_id, id, kind, url, secret, event_types, waiting_minutes, settings, created_at)
           VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8)`,
          [
            ...[channel.botId, channel.id, channel.kind, channel.target, typesText(channel.eventTypes)],
            ...[channel.waitingMinutes, JSON.stringify(channel.settings), channel.createdAt],
          ],
        )
        return true
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<ChannelRow>(`SELECT * FROM webhooks WHERE bot_id = $1 AND id = $2 AND kind <> 'webhook'`, [
          botId,
          id,
        ]),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<ChannelRow>(
        `SELECT * FROM webhooks WHERE bot_id = $1 AND id > $2 AND kind <> 'webhook' ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async update(botId: string, id: string, { target, eventTypes, waitingMinutes, settings }: ChannelChange) {
      const change = {
        ...{ target, waitingMinutes },
        eventTypes: eventTypes && typesText(eventTypes),
        settings: settings && JSON.stringify(settings),
      }
      const statement = assignments('webhooks', { bot_id: botId, id }, changeColumns, change)
      // A new address starts without failures.
      const fresh = target === undefined ? '' : 'failing_since = NULL, failed_at = NULL, '
      if (statement) await database.write(statement.sql.replace(' SET ', ` SET ${fresh}`), statement.values)
    },

    async recordSent(tx: Queries, botId: string, id: string, now: number) {
      await tx.query('UPDATE webhooks SET notified_at = $3 WHERE bot_id = $1 AND id = $2', [botId, id, now])
    },
  }
}

function fromRow(row: ChannelRow): ChannelRecord {
  return {
    botId: row.bot_id,
    id: row.id,
    kind: row.kind,
    target: row.secret,
    eventTypes: row.event_types.slice(1, -1).split(',') as NotificationType[],
    waitingMinutes: Number(row.waiting_minutes),
    settings: JSON.parse(row.settings),
    notifiedAt: row.notified_at,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  }
}
