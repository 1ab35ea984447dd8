import type { Database } from './database.ts'

export interface RateWindow {
  name: string
  calls: number
  startedAt: number
}

export type RateWindowsTable = ReturnType<typeof rateWindowsTable>

export function rateWindowsTable(database: Database) {
  return {
    /** Counts one call under a name; a window that is over begins anew. */
    async count(name: string, lengthMs: number, now: number): Promise<RateWindow> {
      const rows = await database.write<{ name: string; calls: number; started_at: number }>(
        `INSERT INTO rate_windows (name, started_at, calls) VALUES ($1, $2, 1)
         ON CONFLICT (name) DO UPDATE SET
           calls = CASE WHEN rate_windows.started_at <= $3 THEN 1 ELSE rate_windows.calls + 1 END,
           started_at = CASE WHEN rate_windows.started_at <= $3 THEN $2 ELSE rate_windows.started_at END
         RETURNING name, calls, started_at`,
        [name, now, now - lengthMs],
      )
      const row = rows[0]
      return { name, calls: Number(row?.calls ?? 1), startedAt: Number(row?.started_at ?? now) }
    },

    async forget(before: number) {
      await database.write('DELETE FROM rate_windows WHERE started_at < $1', [before])
    },
  }
}
