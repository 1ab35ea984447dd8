import type { Role } from '@docent/contract'
import { type Database, first } from './database.ts'

export interface InvitationRecord {
  workspaceId: string
  id: string
  email: string
  name: string | null
  role: Role
  hash: string
  /** Id of the member who made it; null: made with ADMIN_TOKEN, or by the instance owner. */
  createdBy: string | null
  /** What the invited person is told about who invites; null: not a person. */
  invitedBy: string | null
  createdAt: number
  expiresAt: number
}

export type PresentedInvitation = InvitationRecord & { workspaceName: string }

/** Made by somebody who may still invite. Whoever took the right away may run an earlier version, which keeps invitations. */
export const MAKER_IS_OWNER = `(created_by IS NULL OR EXISTS (
  SELECT 1 FROM members maker WHERE maker.id = created_by AND maker.role = 'owner'))`

export type InvitationsTable = ReturnType<typeof openInvitationsTable>

export function openInvitationsTable(database: Database) {
  return {
    /** Replaces any earlier invitation of this address. */
    async put(invitation: InvitationRecord) {
      const { workspaceId, id, email, name, role, hash, createdBy, createdAt, expiresAt, invitedBy } = invitation
      await database.write(
        `INSERT INTO invitations (workspace_id, id, email, name, role, hash, created_at, expires_at, created_by,
           invited_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (workspace_id, email) DO UPDATE
         SET id = $2, name = $4, role = $5, hash = $6, created_at = $7, expires_at = $8, created_by = $9,
           invited_by = $10`,
        [workspaceId, id, email, name, role, hash, createdAt, expiresAt, createdBy, invitedBy],
      )
    },

    /** The only lookup by secret. */
    async findPresented(hash: string, now: number) {
      return first(
        database.query<PresentedInvitation>(
          `SELECT invitations.*, (SELECT w.name FROM workspaces w WHERE w.id = workspace_id) AS workspace_name
           FROM invitations WHERE hash = $1 AND expires_at > $2 AND ${MAKER_IS_OWNER}`,
          [hash, now],
        ),
      )
    },

    async list(workspaceId: string, now: number, after: string, limit: number) {
      return database.query<InvitationRecord>(
        'SELECT * FROM invitations WHERE workspace_id = $1 AND expires_at > $2 AND id > $3 ORDER BY id LIMIT $4',
        [workspaceId, now, after, limit],
      )
    },

    /** Across all tenants: invitations of an address. */
    async listOf(email: string, now: number) {
      return database.query<InvitationRecord>(
        `SELECT * FROM invitations WHERE email = $1 AND expires_at > $2 AND ${MAKER_IS_OWNER}`,
        [email, now],
      )
    },

    async remove(workspaceId: string, id: string) {
      const row = await first(
        database.write<{ email: string }>(
          'DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING email',
          [workspaceId, id],
        ),
      )
      return row?.email
    },

    /** Across all tenants: removes expired rows. */
    async forget(before: number) {
      await database.write('DELETE FROM invitations WHERE expires_at < $1', [before])
    },
  }
}

// Single-use link tokens. `accounts.ts` consumes them in the same transaction as the action they allow.

/** How somebody gets a link that resets a password. */
export interface ResetLinkOrigin {
  /** Sent to the account's address, and shown to nobody else. */
  isMailed: boolean
  /** Id of the member who made it. */
  createdBy: string | null
}

export function openLinkTokensTable(database: Database) {
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
        database.query<{ accountId: string }>(
          `SELECT account_id FROM link_tokens
           WHERE hash = $1 AND purpose = 'reset' AND expires_at > $2 AND ${MAKER_IS_OWNER}`,
          [hash, now],
        ),
      )
      return row?.accountId
    },

    async forget(before: number) {
      await database.write('DELETE FROM link_tokens WHERE expires_at < $1', [before])
    },
  }
}
