// Deliveries as one queue per endpoint: workers on any node lease what is due; unfinished ones are due again afterwards.

import type { Database, Row } from './database.ts'
import type { AttemptRecord, DeliveryState } from './deliveries.ts'
import { bulkStatements } from './statements.ts'

/** A delivery held by one worker until its lease ends. */
export interface LeasedDelivery {
  botId: string
  id: string
  eventId: string
  payload: string
  attempts: number
  holder: string
}

/** Without the payload, to save memory while it waits to be recorded. */
export interface Arrival {
  botId: string
  id: string
  attempt: AttemptRecord
  now: number
}

/** An endpoint with pending deliveries, and when the first is due. */
export interface WaitingEndpoint {
  botId: string
  webhookId: string
  dueAt: number
}

export type DeliveryQueue = ReturnType<typeof openDeliveryQueue>

export function openDeliveryQueue(database: Database) {
  // Nodes that lease from the same queue at once skip each other's rows.
  const skipping = database.engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''

  return {
    /** Endpoints with pending deliveries. Skips from one to the next, however long their queues are. */
    listWaiting: () =>
      database.query<WaitingEndpoint>(
        `WITH RECURSIVE step (id) AS (
           SELECT min(webhook_id) FROM deliveries WHERE state = 'pending'
           UNION ALL
           SELECT (SELECT min(webhook_id) FROM deliveries WHERE state = 'pending' AND webhook_id > step.id)
           FROM step WHERE step.id IS NOT NULL
         )
         SELECT (SELECT bot_id FROM deliveries WHERE state = 'pending' AND webhook_id = step.id LIMIT 1) AS bot_id,
           id AS webhook_id,
           (SELECT min(due_at) FROM deliveries WHERE state = 'pending' AND webhook_id = step.id) AS due_at
         FROM step WHERE id IS NOT NULL`,
      ),

    /** Across all tenants, retries included; counted up to a limit. */
    async countWaiting(limit: number): Promise<number> {
      const [row] = await database.query<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM deliveries WHERE state = 'pending' LIMIT $1) AS waiting`,
        [limit],
      )
      return row?.n ?? 0
    },

    async listWaitingOf(botId: string): Promise<WaitingEndpoint[]> {
      const rows = await database.query<Omit<WaitingEndpoint, 'dueAt'> & { dueAt: number | null }>(
        `SELECT bot_id, id AS webhook_id,
           (SELECT min(due_at) FROM deliveries WHERE state = 'pending' AND webhook_id = webhooks.id) AS due_at
         FROM webhooks WHERE bot_id = $1`,
        [botId],
      )
      return rows.flatMap(({ dueAt, ...endpoint }) => (dueAt === null ? [] : { ...endpoint, dueAt }))
    },

    /** Leases an endpoint's due deliveries; those not finished at `until` are due again. */
    async lease(
      { botId, webhookId }: Omit<WaitingEndpoint, 'dueAt'>,
      most: number,
      holder: string,
      now: number,
      until: number,
    ) {
      const rows = await database.write<Row & { id: string; eventId: string; payload: string; attempts: number }>(
        `UPDATE deliveries SET due_at = $5, taken_by = $6
         WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE bot_id = $1 AND webhook_id = $2 AND state = 'pending' AND due_at <= $3
           ORDER BY due_at LIMIT $4 ${skipping})
         RETURNING id, event_id, payload, attempts`,
        [botId, webhookId, now, most, until, holder],
      )
      return rows.map(
        ({ id, eventId, payload, attempts }): LeasedDelivery => ({
          botId,
          id,
          eventId,
          payload,
          attempts,
          holder,
        }),
      )
    },

    /** Records a failed attempt: given up, or due again. Ignored unless the caller still holds the lease. */
    async recordFailure(
      { botId, id, holder }: LeasedDelivery,
      attempt: AttemptRecord,
      { state, dueAt, now }: { state: DeliveryState; dueAt: number; now: number },
    ) {
      await database.write(`${RECORD_ATTEMPT} AND state = 'pending' AND taken_by = $7`, [
        botId,
        id,
        state,
        logLine(attempt),
        dueAt,
        state === 'pending' ? null : now,
        holder,
      ])
    },

    /** Recorded regardless of the delivery's current state: it has arrived. */
    async recordArrivals(arrivals: Arrival[]) {
      const rows = arrivals.map(({ botId, id, attempt, now }) => [botId, id, logLine(attempt), now])
      await database.batch([...bulkStatements(MARK_DELIVERED, rows)], { durable: false })
    },

    async release({ botId, id, holder }: LeasedDelivery, now: number) {
      await database.write(
        'UPDATE deliveries SET due_at = $3, taken_by = NULL WHERE bot_id = $1 AND id = $2 AND taken_by = $4',
        [botId, id, now, holder],
      )
    },

    /** Releases leases left by a crash, when no other worker can hold them. */
    async releaseAll(now: number) {
      await database.write(
        `UPDATE deliveries SET due_at = $1, taken_by = NULL WHERE state = 'pending' AND taken_by IS NOT NULL`,
        [now],
      )
    },

    /** After the clock was set back: caps waits and leases at what they would be from now. */
    async capWaits(now: number, longestDelaysMs: readonly number[], longestLeaseMs: number) {
      const cap = `UPDATE deliveries SET due_at = $1 WHERE state = 'pending' AND due_at > $1`
      await database.batch([
        { sql: `${cap} AND taken_by IS NOT NULL`, values: [now + longestLeaseMs] },
        ...longestDelaysMs.map((delay, attempts) => ({
          sql: `${cap} AND taken_by IS NULL AND attempts = $2`,
          values: [now + Math.round(delay), attempts],
        })),
      ])
    },

    /** Gives up pending deliveries to a removed or disabled endpoint. One batch; returns how many. */
    async giveUp(botId: string, webhookId: string, now: number, most: number) {
      const rows = await database.write(
        `UPDATE deliveries SET state = 'failed', finished_at = $3, taken_by = NULL
         WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE webhook_id = $2 AND state = 'pending' LIMIT $4)
         AND NOT EXISTS (
           SELECT 1 FROM webhooks w WHERE w.bot_id = $1 AND w.id = $2 AND w.disabled_at IS NULL)
         RETURNING id`,
        [botId, webhookId, now, most],
      )
      return rows.length
    },
  }
}

const MARK_DELIVERED = `WITH arrived (bot_id, id, line, arrived_at) AS (VALUES {rows})
  UPDATE deliveries SET state = 'delivered', attempts = attempts + 1, attempt_log = attempt_log || arrived.line,
    due_at = CAST(arrived.arrived_at AS BIGINT), taken_by = NULL, finished_at = CAST(arrived.arrived_at AS BIGINT)
  FROM arrived
  WHERE deliveries.bot_id = arrived.bot_id AND deliveries.id = arrived.id AND deliveries.state IN ('pending', 'failed')`

const RECORD_ATTEMPT = `UPDATE deliveries SET state = $3, attempts = attempts + 1, attempt_log = attempt_log || $4, due_at = $5,
    taken_by = NULL, finished_at = $6
  WHERE bot_id = $1 AND id = $2`

function logLine(attempt: AttemptRecord): string {
  return `${JSON.stringify(attempt)}\n`
}
