// Deliveries to endpoints: written in the same transaction as the event, and kept as a log.
import { DELIVERY_STATES, type DeliveryEventType, deliveryEventTypes } from '@docent/contract'
import { type Database, first, type Queries, type Statement, type Value } from './database.ts'
import { likePattern } from './lists.ts'
import { toChannels } from './notifications.ts'
import { queryMany } from './statements.ts'
import type { EventRecord } from './webhooks.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]

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

const COLUMNS = `bot_id, id, webhook_id, event_id, event_type, state, attempts,
  CASE WHEN taken_by IS NULL THEN due_at END AS due_at, created_at, finished_at`

export interface AttemptRecord {
  at: number
  durationMs: number
  status: number | null
  error: string | null
  answer: string
}

// Beyond this, a replayed delivery starts a new log.
const LONGEST_LOG = 400_000

export type DeliveriesTable = ReturnType<typeof openDeliveriesTable>

export function openDeliveriesTable(database: Database) {
  // Another node may have removed the endpoint. With SQLite there is no other node: the worker notices a missing endpoint,
  // and a select would copy every changed page.
  const insertForOne = database.engine === 'sqlite' ? INSERT_FOR_ONE : INSERT_FOR_ONE_IF_THERE

  return {
    toSubscribers,

    /** To webhooks and notification channels, in the event's transaction. */
    async report(tx: Queries, event: EventRecord) {
      for (const { sql, values } of [toSubscribers(event), ...toChannels(event)]) await tx.query(sql, values)
    },

    toWebhook: (event: EventRecord, webhookId: string): Statement => ({
      sql: insertForOne,
      values: [...valuesOf(event), webhookId],
    }),

    write: (statements: Statement[]) => database.batch(statements),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<DeliveryRecord & { payload: string; attemptLog: string }>(
          `SELECT ${COLUMNS}, payload, attempt_log FROM deliveries WHERE bot_id = $1 AND id = $2`,
          [botId, id],
        ),
      )
      if (!row) return undefined
      const log = row.attemptLog.split('\n').filter(Boolean)
      return { ...row, log: log.map((line): AttemptRecord => JSON.parse(line)) }
    },

    list: makeListDeliveries(database),

    /** Latest response, endpoint URL and mirrored key of each. */
    async describe(botId: string, ids: string[]): Promise<Map<string, DeliveryDetails>> {
      // Only the last line: a log may be long.
      const end =
        database.engine === 'postgres' ? `right(d.attempt_log, ${LAST_LINE})` : `substr(d.attempt_log, -${LAST_LINE})`
      const rows = await queryMany<DetailsRow>(
        database,
        `SELECT d.id, ${end} AS log_end, w.url, k.id AS key_id, k.name AS key_name, k.revoked_at
         FROM deliveries d LEFT JOIN webhooks w ON w.bot_id = d.bot_id AND w.id = d.webhook_id
         LEFT JOIN keys k ON k.bot_id = w.bot_id AND k.id = w.key_id
         WHERE d.bot_id = $1 AND d.id IN ({list})`,
        [botId],
        ids,
      )
      return new Map(rows.map((row) => [row.id, detailsOf(row)]))
    },

    /** Counts up to `most`. Uses the endpoint's own index; its id was already checked against its bot. */
    async countPending(webhookId: string, most: number) {
      const row = await first(
        database.query<{ count: number }>(
          `SELECT count(*) AS count FROM (
             SELECT 1 AS one FROM deliveries WHERE webhook_id = $1 AND state = 'pending' LIMIT $2) AS waiting`,
          [webhookId, most],
        ),
      )
      return row?.count ?? 0
    },

    /** Leaves a delivery alone while it is being sent. */
    async replay(botId: string, id: string, now: number) {
      await database.write(`${REPLAY} AND id = $3 AND taken_by IS NULL`, [botId, now, id])
    },

    /** Failed deliveries since a time, to enabled webhooks. One batch; returns how many. */
    async replayFailed(botId: string, since: number, webhookId: string | undefined, now: number, most: number) {
      const rows = await database.write(
        `${REPLAY} AND id IN (
           SELECT id FROM deliveries WHERE bot_id = $1 AND state = 'failed' AND created_at >= $3
             ${webhookId === undefined ? '' : 'AND webhook_id = $5'}
             AND webhook_id IN (SELECT id FROM webhooks WHERE bot_id = $1 AND disabled_at IS NULL AND kind = 'webhook')
           LIMIT $4)
         RETURNING id`,
        webhookId === undefined ? [botId, now, since, most] : [botId, now, since, most, webhookId],
      )
      return rows.length
    },

    /** Removes the log of a deleted endpoint. One batch; returns how many. */
    async removeOf(botId: string, webhookId: string, most: number) {
      const rows = await database.write(
        `DELETE FROM deliveries WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE webhook_id = $2 AND state = 'pending'
           UNION ALL SELECT id FROM deliveries WHERE webhook_id = $2 AND state <> 'pending' LIMIT $3)
         RETURNING id`,
        [botId, webhookId, most],
      )
      return rows.length
    },

    /** Removes finished deliveries of events before a time, one batch. Returns how many. */
    async forget(before: number, most: number) {
      const rows = await database.write(
        `DELETE FROM deliveries WHERE (bot_id, id) IN (
           SELECT bot_id, id FROM deliveries WHERE state <> 'pending' AND created_at < $1 LIMIT $2)
         RETURNING id`,
        [before, most],
      )
      return rows.length
    },
  }
}

const REPLAY = `UPDATE deliveries SET state = 'pending', due_at = $2, attempts = 0, finished_at = NULL, taken_by = NULL,
    attempt_log = CASE WHEN length(attempt_log) > ${LONGEST_LOG} THEN '' ELSE attempt_log END
  WHERE bot_id = $1`

const INSERT = `INSERT INTO deliveries
  (bot_id, event_id, event_type, payload, created_at, due_at, about, id, webhook_id, state, attempts, attempt_log)`
const INSERT_SELECTED = `${INSERT}
  SELECT w.bot_id, $2, $3, $4, CAST($5 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS TEXT),
    CAST($2 AS TEXT) || '-' || w.id, w.id, 'pending', 0, ''
  FROM webhooks w WHERE w.bot_id = $1`

const INSERT_FOR_SUBSCRIBERS = `${INSERT_SELECTED} AND w.disabled_at IS NULL AND w.key_id IS NULL AND w.kind = 'webhook'
  AND (w.event_types IS NULL OR w.event_types LIKE $7)`
const INSERT_FOR_ONE = `${INSERT} VALUES ($1, $2, $3, $4, $5, $5, $6, $2 || '-' || $7, $7, 'pending', 0, '')`
const INSERT_FOR_ONE_IF_THERE = `${INSERT_SELECTED} AND w.id = $7`

/** One delivery per endpoint of the bot that subscribes to this event. Write it in the event's transaction. */
function toSubscribers(event: EventRecord): Statement {
  return { sql: INSERT_FOR_SUBSCRIBERS, values: [...valuesOf(event), `%,${event.type},%`] }
}

function valuesOf(event: EventRecord): Value[] {
  const { botId, id, type, payload, createdAt, about } = event
  return [botId, id, type, payload, createdAt, about]
}

/** Id of an event's delivery to an endpoint. */
export function deliveryId(eventId: string, webhookId: string): string {
  return `${eventId}-${webhookId}`
}

interface DetailsRow {
  id: string
  logEnd: string
  url: string | null
  keyId: string | null
  keyName: string | null
  revokedAt: number | null
}

export interface DeliveryDetails {
  status: number | null
  url: string | null
  key: { id: string; name: string; revoked: boolean } | null
}

// An attempt with 16 KiB of response, every character of which may be escaped.
const LAST_LINE = 120_000

function detailsOf({ logEnd, url, keyId, keyName, revokedAt }: DetailsRow): DeliveryDetails {
  const line = logEnd.trimEnd().split('\n').at(-1) ?? ''
  const status = /"status":(\d+)/.exec(line)?.[1]
  const key = keyId === null ? null : { id: keyId, name: keyName ?? keyId, revoked: revokedAt !== null }
  return { status: status === undefined ? null : Number(status), url: url || null, key }
}

// The delivery log of one endpoint or all, by time, filtered and searched.

export interface DeliveryFilter {
  webhookId?: string | undefined
  state?: DeliveryRecord['state'] | undefined
  eventType?: DeliveryEventType | undefined
  id?: string | undefined
}

interface DeliveryListQuery {
  text?: string | undefined
  /** Start after this id; empty: from the beginning. */
  after: string
  isDown: boolean
  limit: number
}

function makeListDeliveries(database: Database) {
  /** Splits a list into parts that one index serves in order: pending deliveries per endpoint, finished ones per state. */
  async function partsOf(botId: string, filter: DeliveryFilter): Promise<DeliveryFilter[]> {
    const { webhookId, state, eventType } = filter
    if (!webhookId && !eventType && !state) return [filter]
    const parts = (state ? [state] : DELIVERY_STATES).map((one) => ({ ...filter, state: one }))
    const endedParts = parts.filter((part) => part.state !== 'pending')
    if (webhookId || endedParts.length === parts.length) return parts
    const endpoints = await database.query<{ id: string }>(
      `SELECT id FROM webhooks WHERE bot_id = $1 AND kind = 'webhook'`,
      [botId],
    )
    return [...endpoints.map(({ id }) => ({ ...filter, state: 'pending' as const, webhookId: id })), ...endedParts]
  }

  /** Parts matching the text: by endpoint, by event type, or by delivery id. */
  async function partsWith(botId: string, filter: DeliveryFilter, text: string): Promise<DeliveryFilter[]> {
    const endpoints = await database.query<{ id: string }>(
      `SELECT w.id FROM webhooks w LEFT JOIN keys k ON k.bot_id = w.bot_id AND k.id = w.key_id
       WHERE w.bot_id = $1 AND w.kind = 'webhook' AND lower(w.url || ' ' || coalesce(k.name, '')) LIKE $2 ESCAPE '\\'`,
      [botId, likePattern(text)],
    )
    const events = deliveryEventTypes.filter((type) => type !== 'notification' && type.includes(text.toLowerCase()))
    const matchingFilters = [
      ...endpoints.map(({ id }) => ({ ...filter, webhookId: id })),
      ...events.map((eventType) => ({ ...filter, eventType })),
    ].filter(({ webhookId, eventType }) => isIn(filter.webhookId, webhookId) && isIn(filter.eventType, eventType))
    const parts = await Promise.all(matchingFilters.map((part) => partsOf(botId, part)))
    return [...parts.flat(), { ...filter, id: text }]
  }

  async function listPart(botId: string, part: DeliveryFilter, { after, isDown, limit }: DeliveryListQuery) {
    const { webhookId, state, eventType, id } = part
    const order = isDown ? 'DESC' : 'ASC'
    const comparisons = [
      ['webhook_id =', webhookId],
      ['event_type =', eventType],
      ['id =', id],
      [isDown ? 'id <' : 'id >', after || undefined],
    ].filter((pair): pair is [string, string] => pair[1] !== undefined)
    const where = comparisons.map(([comparison], index) => `AND ${comparison} $${index + 3}`).join(' ')
    const isOfEndpoint = webhookId && !id && (state === 'pending' || !eventType)
    // SQLite uses a partial index only if the query repeats its condition literally.
    const inState = state === 'pending' ? `state = 'pending'` : `state = '${state}' AND state <> 'pending'`
    // Looked up by id, so that the engine picks the endpoint's index.
    const exceptNotifications = webhookId || eventType ? '' : `AND event_type <> 'notification'`
    const sql = isOfEndpoint
      ? `SELECT ${COLUMNS} FROM deliveries WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE ${inState} ${where} ORDER BY id ${order} LIMIT $2)`
      : `SELECT ${COLUMNS} FROM deliveries WHERE bot_id = $1 ${exceptNotifications} ${state ? `AND ${inState}` : ''} ${where}
          ORDER BY id ${order} LIMIT $2`
    return database.query<DeliveryRecord>(sql, [botId, limit, ...comparisons.map(([, value]) => value)])
  }

  return async (botId: string, filter: DeliveryFilter, listQuery: DeliveryListQuery): Promise<DeliveryRecord[]> => {
    const { text, isDown, limit } = listQuery
    const parts = text ? await partsWith(botId, filter, text) : await partsOf(botId, filter)
    const deliveriesOfParts = await Promise.all(parts.map((part) => listPart(botId, part, listQuery)))
    // A delivery that finishes meanwhile may appear twice.
    const deliveriesById = new Map(deliveriesOfParts.flat().map((delivery) => [delivery.id, delivery]))
    return [...deliveriesById.values()].sort((a, b) => (a.id < b.id === isDown ? 1 : -1)).slice(0, limit)
  }
}

function isIn(filterValue: string | undefined, value: string | undefined): boolean {
  return filterValue === undefined || filterValue === value
}
