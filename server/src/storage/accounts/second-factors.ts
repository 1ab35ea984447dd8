// Second factors and recovery codes. The statement that consumes a code enforces single use.
import type { Database, Queries } from '../database.ts'

export type SecondFactorsTable = ReturnType<typeof createSecondFactorsTable>

export function createSecondFactorsTable(database: Database) {
  return {
    async begin(accountId: string, sealed: string) {
      await database.write('UPDATE accounts SET pending_second_factor = $2 WHERE id = $1 AND second_factor IS NULL', [
        accountId,
        sealed,
      ])
    },

    /** False when it was confirmed or restarted in the meantime. */
    confirm: (accountId: string, sealed: string, step: number, codeHashes: string[]) =>
      database.transaction(async (tx) => {
        const rows = await tx.query(
          `UPDATE accounts SET second_factor = $2, pending_second_factor = NULL, second_factor_step = $3
           WHERE id = $1 AND pending_second_factor = $2 AND second_factor IS NULL RETURNING id`,
          [accountId, sealed, step],
        )
        if (rows.length === 0) return false
        await replaceCodes(tx, accountId, codeHashes)
        return true
      }),

    /** False when the second factor is off. */
    renewCodes: (accountId: string, codeHashes: string[]) =>
      database.transaction(async (tx) => {
        // A write, so that it waits for a concurrent switch-off.
        const rows = await tx.query(
          'UPDATE accounts SET second_factor = second_factor WHERE id = $1 AND second_factor IS NOT NULL RETURNING id',
          [accountId],
        )
        if (rows.length > 0) await replaceCodes(tx, accountId, codeHashes)
        return rows.length > 0
      }),

    end: (accountId: string, sessions: 'keep sessions' | 'end sessions') =>
      database.transaction(async (tx) => {
        await endSecondFactor(tx, accountId)
        if (sessions === 'end sessions') await tx.query('DELETE FROM sessions WHERE account_id = $1', [accountId])
      }),

    /** False when a code of this step or a later one was already used. */
    async useStep(accountId: string, step: number) {
      const rows = await database.write(
        `UPDATE accounts SET second_factor_step = $2
         WHERE id = $1 AND (second_factor_step IS NULL OR second_factor_step < $2) RETURNING id`,
        [accountId, step],
      )
      return rows.length > 0
    },

    async useRecoveryCode(accountId: string, hash: string) {
      const rows = await database.write(
        'DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2 RETURNING hash',
        [accountId, hash],
      )
      return rows.length > 0
    },
  }
}

export async function endSecondFactor(tx: Queries, accountId: string) {
  await tx.query(
    `UPDATE accounts SET second_factor = NULL, pending_second_factor = NULL, second_factor_step = NULL
     WHERE id = $1`,
    [accountId],
  )
  await replaceCodes(tx, accountId, [])
}

async function replaceCodes(tx: Queries, accountId: string, hashes: string[]) {
  await tx.query('DELETE FROM recovery_codes WHERE account_id = $1', [accountId])
  for (const hash of hashes) {
    await tx.query('INSERT INTO recovery_codes (account_id, hash) VALUES ($1, $2)', [accountId, hash])
  }
}
