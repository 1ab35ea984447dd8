import type { ChannelKind, DeliveryEventType, IntegrationEventType } from '@docent/contract'
import { type Database, first, makeFromRow, type Statement, type Stored } from './database.ts'
import { assignments } from './statements.ts'

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

export interface WebhookRecord {
  botId: string
  id: string
  /** Other kinds are notification channels, whose secret is their target. */
  kind: 'webhook' | ChannelKind
  /** The API key that a mirror belongs to. */
  keyId: string | null
  url: string
  /** Null: all. */
  eventTypes: IntegrationEventType[] | null
  /** Sealed. */
  secret: string
  previousSecret: string | null
  previousUntil: number | null
  failingSince: number | null
  /** Last recorded failure; not every failure is recorded. */
  failedAt: number | null
  disabledAt: number | null
  disabledReason: DisabledReason | null
  createdAt: number
}

export type DisabledReason = 'gone' | 'failing' | 'manual'

interface WebhookChange {
  url?: string | undefined
  eventTypes?: IntegrationEventType[] | undefined
}

const fromRow = makeFromRow<WebhookRecord>({ eventTypes: 'set' })

export type WebhooksTable = ReturnType<typeof openWebhooksTable>

export function openWebhooksTable(database: Database) {
  return {
    /** False when the bot has reached its limit. */
    insert: (webhook: WebhookRecord, most: number) =>
      database.transaction(async (tx) => {
        // Locks the bot's row, so that concurrent inserts see each other.
        await tx.query('UPDATE bots SET name = name WHERE id = $1', [webhook.botId])
        const [row] = await tx.query<{ count: number }>(
          `SELECT count(*) AS count FROM webhooks WHERE bot_id = $1 AND key_id IS NULL AND kind = 'webhook'`,
          [webhook.botId],
        )
        if ((row?.count ?? 0) >= most) return false
        const { sql, values } = insertion(webhook)
        await tx.query(sql, values)
        return true
      }),

    insertion,

    /** Moves a key's mirror to a new URL, or creates it. */
    async mirror(webhook: WebhookRecord): Promise<WebhookRecord> {
      const { sql, values } = insertion(webhook)
      const rows = await database.write<Stored<WebhookRecord>>(
        `${sql} ON CONFLICT (bot_id, key_id) DO UPDATE SET url = excluded.url, failing_since = NULL,
           failed_at = NULL, disabled_at = NULL, disabled_reason = NULL RETURNING *`,
        values,
      )
      return fromRow(rows[0] as Stored<WebhookRecord>)
    },

    async find(botId: string, id: string) {
      const row = await first(
        database.query<Stored<WebhookRecord>>('SELECT * FROM webhooks WHERE bot_id = $1 AND id = $2', [botId, id]),
      )
      return row && fromRow(row)
    },

    async findMirror(botId: string, keyId: string) {
      const row = await first(
        database.query<Stored<WebhookRecord>>('SELECT * FROM webhooks WHERE bot_id = $1 AND key_id = $2', [
          botId,
          keyId,
        ]),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<Stored<WebhookRecord>>(
        `SELECT * FROM webhooks WHERE bot_id = $1 AND id > $2 AND kind = 'webhook' ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async update(botId: string, id: string, { url, eventTypes }: WebhookChange) {
      const change = { url, eventTypes: eventTypes && typesText(eventTypes) }
      const statement = assignments('webhooks', { botId, id }, CHANGEABLE, change)
      // A new address starts without failures.
      const fresh = url === undefined ? '' : 'failing_since = NULL, failed_at = NULL, '
      if (statement) await database.write(statement.sql.replace(' SET ', ` SET ${fresh}`), statement.values)
    },

    /** Signs with both secrets until `previousUntil`. Any older secret is dropped. */
    async rotate(botId: string, id: string, secret: string, previousUntil: number) {
      await database.write(
        `UPDATE webhooks SET previous_secret = secret, previous_until = $4, secret = $3 WHERE bot_id = $1 AND id = $2`,
        [botId, id, secret, previousUntil],
      )
    },

    async enable(botId: string, id: string) {
      await database.write(
        `UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, failed_at = NULL
         WHERE bot_id = $1 AND id = $2`,
        [botId, id],
      )
    },

    /** Pending deliveries are then given up; they stay in the log and can be replayed. */
    async disable(botId: string, id: string, reason: DisabledReason, now: number) {
      await database.write(`${DISABLE} AND disabled_at IS NULL`, [botId, id, now, reason])
    },

    /** For its responses: only if its URL is unchanged and, for failures, it is still failing since then. */
    async disableFor(webhook: WebhookRecord, reason: 'gone' | 'failing', now: number, failingBefore: number) {
      const rows = await database.write(
        `${DISABLE} AND disabled_at IS NULL AND url = $5 ${reason === 'failing' ? 'AND failing_since <= $6' : ''}
         RETURNING id`,
        [webhook.botId, webhook.id, now, reason, webhook.url].concat(reason === 'failing' ? [failingBefore] : []),
      )
      return rows.length > 0
    },

    /** A failure streak starts after a success, or after a long time without attempts. */
    async recordFailure(botId: string, id: string, now: number, anewBefore: number) {
      await database.write(
        `UPDATE webhooks SET failed_at = $3,
           failing_since = CASE WHEN failing_since IS NULL OR failed_at < $4 THEN $3 ELSE failing_since END
         WHERE bot_id = $1 AND id = $2`,
        [botId, id, now, anewBefore],
      )
    },

    async recordSuccess(botId: string, id: string) {
      await database.write('UPDATE webhooks SET failing_since = NULL, failed_at = NULL WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
      ])
    },

    async remove(botId: string, id: string) {
      await database.write('DELETE FROM webhooks WHERE bot_id = $1 AND id = $2', [botId, id])
    },
  }
}

const DISABLE = 'UPDATE webhooks SET disabled_at = $3, disabled_reason = $4 WHERE bot_id = $1 AND id = $2'

const CHANGEABLE = ['url', 'eventTypes'] as const

/** With a comma on either side, so that a type can be matched as plain text. */
export function typesText(types: readonly string[]): string {
  return `,${types.join(',')},`
}

function insertion(webhook: WebhookRecord): Statement {
  return {
    sql: `INSERT INTO webhooks (bot_id, id, key_id, url, event_types, secret, created_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      webhook.botId,
      webhook.id,
      webhook.keyId,
      webhook.url,
      webhook.eventTypes && typesText(webhook.eventTypes),
      webhook.secret,
      webhook.createdAt,
    ],
  }
}
