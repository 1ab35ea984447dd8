// Deletes conversations idle for longer than their bot's retention period, and records the run.
import { timedIdsBefore } from '../../ids.ts'
import { queryMany } from '../bulk-statements.ts'
import { type Database, first, type Queries, type Row } from '../database.ts'

export type RetentionTable = ReturnType<typeof createRetentionTable>

export function createRetentionTable(database: Database) {
  return {
    /** Across all tenants: bots with a retention period whose last run was before `lookedBefore`. */
    async listDue(lookedBefore: number, limit: number): Promise<{ botId: string; retentionDays: number }[]> {
      const rows = await database.query<{ id: string; retention_days: number }>(
        `SELECT b.id, b.retention_days FROM bots b LEFT JOIN retention_runs r ON r.bot_id = b.id
         WHERE b.retention_days > 0 AND (r.claimed_at IS NULL OR r.claimed_at <= $1) LIMIT $2`,
        [lookedBefore, limit],
      )
      return rows.map(({ id, retention_days }) => ({ botId: id, retentionDays: retention_days }))
    },

    /** Succeeds on one node only. */
    async claim(botId: string, now: number, lookedBefore: number): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO retention_runs (bot_id, claimed_at) SELECT id, CAST($2 AS BIGINT) FROM bots WHERE id = $1
         ON CONFLICT (bot_id) DO UPDATE SET claimed_at = $2 WHERE retention_runs.claimed_at <= $3
         RETURNING bot_id`,
        [botId, now, lookedBefore],
      )
      return rows.length > 0
    },

    /** Only for the claim's holder: a slow run must not overwrite a later one. */
    async finish(botId: string, claimedAt: number, removed: number) {
      await database.write(
        'UPDATE retention_runs SET finished_at = $2, removed = $3 WHERE bot_id = $1 AND claimed_at = $2',
        [botId, claimedAt, removed],
      )
    },

    /** One batch, with dependent rows and visitors and leads left without a conversation. Returns how many. */
    removeQuiet: (botId: string, before: number, most: number): Promise<number> =>
      database.transaction(async (tx) => {
        const rows = await tx.query<{ visitor_id: string | null }>(
          `DELETE FROM conversations WHERE bot_id = $1 AND updated_at < $2 AND id IN (
             SELECT id FROM conversations WHERE bot_id = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3)
           RETURNING visitor_id`,
          [botId, before, most],
        )
        const visitorIds = [...new Set(rows.flatMap(({ visitor_id }) => visitor_id ?? []))]
        await removeStranded(tx, botId, visitorIds)
        return rows.length
      }),

    /** Removes finished deliveries of events before a time, one batch. Returns how many. */
    async removeDeliveries(botId: string, before: number, most: number): Promise<number> {
      const rows = await database.write(
        `DELETE FROM deliveries WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE bot_id = $1 AND id < $2 AND state <> 'pending' LIMIT $3)
         RETURNING id`,
        [botId, timedIdsBefore('evt', before), most],
      )
      return rows.length
    },

    async describe(botId: string) {
      const row = await first(
        database.query<Row & { finished_at: number | null; removed: number | null; oldest: number | null }>(
          `SELECT (SELECT finished_at FROM retention_runs WHERE bot_id = $1) AS finished_at,
             (SELECT removed FROM retention_runs WHERE bot_id = $1) AS removed,
             (SELECT min(updated_at) FROM conversations WHERE bot_id = $1) AS oldest`,
          [botId],
        ),
      )
      return { lastRunAt: row?.finished_at ?? null, lastRemoved: row?.removed ?? 0, oldestAt: row?.oldest ?? null }
    },
  }
}

/** Removes those of the visitors who have no conversation left, with their leads. */
export async function removeStranded(tx: Queries, botId: string, visitorIds: readonly string[]) {
  const gone = (column: string) =>
    `${column} IN ({list}) AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = ${column})`
  await queryMany(tx, `DELETE FROM leads WHERE bot_id = $1 AND ${gone('leads.visitor_id')}`, [botId], visitorIds)
  await queryMany(tx, `DELETE FROM visitors WHERE bot_id = $1 AND ${gone('visitors.id')}`, [botId], visitorIds)
}
