// Rate limits on attempts. In the database, so that neither a restart nor another node allows more.
import { CLOCK_SKEW_MS } from '../days.ts'
import { type Database, first } from './database.ts'

export type ThrottlesTable = ReturnType<typeof openThrottlesTable>

export function openThrottlesTable(database: Database) {
  return {
    /**
     * Counts an attempt and decides in the same statement. False: the limit was reached and nothing was counted. A
     * window that ends later than a new one would dates from before the clock was set back, and has expired.
     */
    async count(name: string, most: number, now: number, windowMs: number) {
      const rows = await database.write(
        `INSERT INTO throttles (name, attempts, ends_at) VALUES ($1, 1, $3)
         ON CONFLICT (name) DO UPDATE SET
           attempts = CASE WHEN throttles.ends_at BETWEEN $4 AND $5 THEN throttles.attempts + 1 ELSE 1 END,
           ends_at = CASE WHEN throttles.ends_at BETWEEN $4 AND $5 THEN throttles.ends_at ELSE $3 END
         WHERE throttles.ends_at NOT BETWEEN $4 AND $5 OR throttles.attempts < $2 RETURNING attempts`,
        [name, most, now + windowMs, now + 1, now + windowMs + CLOCK_SKEW_MS],
      )
      return rows.length > 0
    },

    async endsAt(name: string) {
      const row = await first(
        database.query<{ endsAt: number }>('SELECT ends_at FROM throttles WHERE name = $1', [name]),
      )
      return row?.endsAt
    },

    /** Takes one attempt back. */
    async release(name: string) {
      await database.write('UPDATE throttles SET attempts = attempts - 1 WHERE name = $1 AND attempts > 0', [name])
    },

    async clear(name: string) {
      await database.write('DELETE FROM throttles WHERE name = $1', [name])
    },

    async forget(before: number) {
      await database.write('DELETE FROM throttles WHERE ends_at < $1', [before])
    },
  }
}
