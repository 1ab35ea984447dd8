// Rows that nodes take turns to work on: a node holds the lease of a row until it releases it or the lease expires.
import { type Columns, type Database, first } from './database.ts'

export function makeLeases<R extends Columns<R>>(
  database: Database,
  table: 'crawls' | 'product_feeds',
  columns: string,
) {
  // Lets nodes that claim at the same time take different rows. SQLite has one writer anyway.
  const skipLocked = database.engine === 'postgres' ? 'FOR UPDATE OF r SKIP LOCKED' : ''
  return {
    /** Leases a due row. Workspaces with the least work in progress first, then the longest waiting. */
    async claim(lease: string, now: number, until: number): Promise<R | undefined> {
      // Polled constantly and mostly empty: a read first, since readers block nobody.
      const due = `SELECT id FROM ${table} WHERE due_at <= $1 AND leased_until <= $1 LIMIT 1`
      if ((await database.query(due, [now])).length === 0) return undefined
      return first(
        database.write<R>(
          `UPDATE ${table} SET lease = $1, leased_until = $3 WHERE (bot_id, id) IN (
             SELECT r.bot_id, r.id FROM ${table} r JOIN bots b ON b.id = r.bot_id
             WHERE r.due_at <= $2 AND r.leased_until <= $2
             ORDER BY (
               SELECT count(*) FROM ${table} o JOIN bots ob ON ob.id = o.bot_id
               WHERE ob.workspace_id = b.workspace_id AND o.leased_until > $2
             ), r.due_at, r.id LIMIT 1 ${skipLocked}
           ) RETURNING ${columns}`,
          [lease, now, until],
        ),
      )
    },

    /** Extends the lease; returns whether the caller still held it. */
    async renew(botId: string, id: string, lease: string, until: number): Promise<boolean> {
      const rows = await database.write(
        `UPDATE ${table} SET leased_until = $4 WHERE bot_id = $1 AND id = $2 AND lease = $3 RETURNING id`,
        [botId, id, lease, until],
      )
      return rows.length > 0
    },
  }
}
