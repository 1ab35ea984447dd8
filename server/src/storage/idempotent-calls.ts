import { type Database, first, type Statement } from './database.ts'

export interface CallName {
  botId: string
  keyId: string
  idempotencyKey: string
}

export function openIdempotentCallsTable(database: Database) {
  return {
    /**
     * Claims the name for this call. A claim expires when older than `forgottenBefore`,
     * or unanswered and older than `abandonedBefore` (its process died).
     */
    async claim(call: CallName, bodyHash: string, now: number, forgottenBefore: number, abandonedBefore: number) {
      const rows = await database.write(
        `INSERT INTO idempotent_calls (bot_id, key_id, idempotency_key, body_hash, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (bot_id, key_id, idempotency_key) DO UPDATE SET body_hash = $4, answer = NULL, created_at = $5
         WHERE idempotent_calls.created_at < $6 OR (idempotent_calls.answer IS NULL AND idempotent_calls.created_at < $7)
         RETURNING created_at`,
        [...name(call), bodyHash, now, forgottenBefore, abandonedBefore],
      )
      return rows.length > 0
    },

    find: (call: CallName) =>
      first(
        database.query<{ bodyHash: string; answer: string | null }>(
          `SELECT body_hash, answer FROM idempotent_calls
           WHERE bot_id = $1 AND key_id = $2 AND idempotency_key = $3`,
          name(call),
        ),
      ),

    /** Write it together with what the answer reports. Applies only to the claim made at `claimedAt`. */
    answerStatement(call: CallName, claimedAt: number, answer: string): Statement {
      return {
        sql: `UPDATE idempotent_calls SET answer = $5
              WHERE bot_id = $1 AND key_id = $2 AND idempotency_key = $3 AND created_at = $4`,
        values: [...name(call), claimedAt, answer],
      }
    },

    async release(call: CallName, claimedAt: number) {
      await database.write(
        `DELETE FROM idempotent_calls
         WHERE bot_id = $1 AND key_id = $2 AND idempotency_key = $3 AND created_at = $4 AND answer IS NULL`,
        [...name(call), claimedAt],
      )
    },

    /** Across all tenants: removes expired rows. */
    async forget(before: number) {
      await database.write('DELETE FROM idempotent_calls WHERE created_at < $1', [before])
    },
  }
}

function name(call: CallName): [string, string, string] {
  return [call.botId, call.keyId, call.idempotencyKey]
}
