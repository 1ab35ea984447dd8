import type { Database } from './database.ts'

export function openQuotaDaysTable(database: Database) {
  return {
    /** Counts a call and decides in the same statement. Null: the limit was reached and nothing was counted. */
    async count(botId: string, keyId: string, day: number, limit: number, now: number): Promise<number | null> {
      if (limit < 1) return null
      const rows = await database.writeRelaxed<{ calls: number }>(
        `INSERT INTO quota_days (bot_id, key_id, day, calls, last_call_at) VALUES ($1, $2, $3, 1, $5)
         ON CONFLICT (bot_id, key_id, day) DO UPDATE SET calls = quota_days.calls + 1, last_call_at = $5
         WHERE quota_days.calls < $4 RETURNING calls`,
        [botId, keyId, day, limit, now],
      )
      return rows[0]?.calls ?? null
    },

    /** The same over all keys of a workspace. */
    async countOfWorkspace(workspaceId: string, day: number, limit: number): Promise<boolean> {
      if (limit < 1) return false
      const rows = await database.writeRelaxed(
        `INSERT INTO workspace_quota_days (workspace_id, day, calls) VALUES ($1, $2, 1)
         ON CONFLICT (workspace_id, day) DO UPDATE SET calls = workspace_quota_days.calls + 1
         WHERE workspace_quota_days.calls < $3 RETURNING calls`,
        [workspaceId, day, limit],
      )
      return rows.length > 0
    },

    /** Takes a call back that was refused after it was counted. */
    async release(botId: string, keyId: string, day: number) {
      await database.writeRelaxed(
        'UPDATE quota_days SET calls = calls - 1 WHERE bot_id = $1 AND key_id = $2 AND day = $3 AND calls > 0',
        [botId, keyId, day],
      )
    },
  }
}
