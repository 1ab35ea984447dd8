import type { Role } from '@docent/contract'
import { type Database, first } from './database.ts'

export interface TokenRecord {
  workspaceId: string
  memberId: string
  id: string
  name: string
  hash: string
  lastFour: string
  /** Id of the member who made it; null: made with ADMIN_TOKEN, or by the instance owner. */
  createdBy: string | null
  createdAt: number
  expiresAt: number | null
}

interface CallerRow {
  workspaceId: string
  memberId: string
  role: Role
  expiresAt: number | null
  email: string
  name: string
  makerId: string | null
  makerEmail: string | null
}

export type ManagementTokensTable = ReturnType<typeof openManagementTokensTable>

export function openManagementTokensTable(database: Database) {
  return {
    async insert(token: TokenRecord) {
      await database.write(
        `INSERT INTO management_tokens (workspace_id, member_id, id, name, hash, last_four, created_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          token.workspaceId,
          token.memberId,
          token.id,
          token.name,
          token.hash,
          token.lastFour,
          token.createdBy,
          token.createdAt,
          token.expiresAt,
        ],
      )
    },

    /** The only lookup by secret: determines the caller and tenant. */
    async findCaller(hash: string) {
      const row = await first(
        database.query<CallerRow>(
          `SELECT t.workspace_id, t.member_id, m.role, t.expires_at, m.email, t.name,
             c.id AS maker_id, c.email AS maker_email
           FROM management_tokens t JOIN members m ON m.workspace_id = t.workspace_id AND m.id = t.member_id
           LEFT JOIN members c ON c.workspace_id = t.workspace_id AND c.id = t.created_by
           WHERE t.hash = $1 AND (t.created_by IS NULL OR t.created_by = t.member_id OR c.role = 'owner')`,
          [hash],
        ),
      )
      return (
        row && {
          workspaceId: row.workspaceId,
          memberId: row.memberId,
          role: row.role,
          expiresAt: row.expiresAt,
          email: row.email,
          tokenName: row.name,
          maker: row.makerId !== null && row.makerEmail !== null ? { id: row.makerId, email: row.makerEmail } : null,
        }
      )
    },

    async list(workspaceId: string, memberId: string, after: string, limit: number) {
      return database.query<TokenRecord>(
        `SELECT * FROM management_tokens WHERE workspace_id = $1 AND member_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
        [workspaceId, memberId, after, limit],
      )
    },

    /** Tells what was removed. */
    async remove(workspaceId: string, memberId: string, id: string) {
      const [token] = await database.write<{ id: string; name: string }>(
        'DELETE FROM management_tokens WHERE workspace_id = $1 AND member_id = $2 AND id = $3 RETURNING id, name',
        [workspaceId, memberId, id],
      )
      return token
    },
  }
}
