// Single-use link tokens. `accounts.ts` consumes them in the same transaction as the action they allow.
import { type Database, first } from '../database.ts'
import { MAKER_IS_OWNER } from './invitations.ts'

/** How somebody gets a link that resets a password. */
export interface ResetLinkOrigin {
  /** Sent to the account's address, and shown to nobody else. */
  isMailed: boolean
  /** Id of the member who made it. */
  createdBy: string | null
}

export type LinkTokensTable = ReturnType<typeof createLinkTokensTable>

export function createLinkTokensTable(database: Database) {
  return {
    /** Nodes that start together each insert one; using any deletes all. */
    async insertSetUp(hash: string, expiresAt: number) {
      await database.write(`INSERT INTO link_tokens (hash, purpose, expires_at) VALUES ($1, 'setup', $2)`, [
        hash,
        expiresAt,
      ])
    },

    async isSetUp(hash: string, now: number) {
      const rows = await database.query(
        `SELECT hash FROM link_tokens WHERE hash = $1 AND purpose = 'setup' AND expires_at > $2`,
        [hash, now],
      )
      return rows.length > 0
    },

    /** Replaces the account's earlier ones. */
    replaceReset: (hash: string, accountId: string, expiresAt: number, { isMailed, createdBy }: ResetLinkOrigin) =>
      database.transaction(async (tx) => {
        await tx.query(`DELETE FROM link_tokens WHERE account_id = $1 AND purpose = 'reset'`, [accountId])
        await tx.query(
          `INSERT INTO link_tokens (hash, purpose, account_id, expires_at, mailed, created_by)
           VALUES ($1, 'reset', $2, $3, $4, $5)`,
          [hash, accountId, expiresAt, isMailed ? 1 : 0, createdBy],
        )
      }),

    /** For a link to a new address. Replaces the account's earlier ones. */
    replaceEmail: (hash: string, accountId: string, email: string, expiresAt: number) =>
      database.transaction(async (tx) => {
        await tx.query(`DELETE FROM link_tokens WHERE account_id = $1 AND purpose = 'email'`, [accountId])
        await tx.query(
          `INSERT INTO link_tokens (hash, purpose, account_id, expires_at, email) VALUES ($1, 'email', $2, $3, $4)`,
          [hash, accountId, expiresAt, email],
        )
      }),

    async findReset(hash: string, now: number) {
      const row = await first(
        database.query<{ account_id: string }>(
          `SELECT account_id FROM link_tokens
           WHERE hash = $1 AND purpose = 'reset' AND expires_at > $2 AND ${MAKER_IS_OWNER}`,
          [hash, now],
        ),
      )
      return row?.account_id
    },

    async forget(before: number) {
      await database.write('DELETE FROM link_tokens WHERE expires_at < $1', [before])
    },
  }
}
