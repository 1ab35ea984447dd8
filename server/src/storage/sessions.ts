import type { Role, TeamLanguage } from '@docent/contract'
import { type Database, first } from './database.ts'

export interface SessionRecord {
  accountId: string
  id: string
  hash: string
  /** The workspace that management calls act in. */
  workspaceId: string | null
  createdAt: number
  lastSeenAt: number
  ip: string
  userAgent: string
}

/** A session as presented by a request, with the current role in its workspace. */
export interface PresentedSession {
  id: string
  createdAt: number
  lastSeenAt: number
  /** When the person last entered their password. */
  confirmedAt: number
  workspaceId: string | null
  account: {
    id: string
    email: string
    name: string
    language: TeamLanguage | null
    instanceOwner: boolean
    twoFactor: boolean
    sso: boolean
  }
  /** Null when the account is not a member of that workspace. */
  member: { id: string; role: Role } | null
}

interface PresentedRow extends Omit<PresentedSession, 'account' | 'member'> {
  accountId: string
  email: string
  name: string
  language: TeamLanguage | null
  instanceOwner: number
  twoFactor: number
  sso: number
  memberId: string | null
  role: Role | null
}

export function openSessionsTable(database: Database) {
  return {
    async insert(session: SessionRecord, confirmedAt: number) {
      await database.write(
        `INSERT INTO sessions (account_id, id, hash, workspace_id, created_at, last_seen_at, ip, user_agent, confirmed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          session.accountId,
          session.id,
          session.hash,
          session.workspaceId,
          session.createdAt,
          session.lastSeenAt,
          session.ip,
          session.userAgent,
          confirmedAt,
        ],
      )
    },

    /** The only lookup by secret. Reads the role too, so that a change applies from the next request. */
    async findPresented(hash: string): Promise<PresentedSession | undefined> {
      const row = await first(
        database.query<PresentedRow>(
          `SELECT s.id, s.created_at, s.last_seen_at, s.confirmed_at, s.workspace_id, a.id AS account_id, a.email, a.name,
             a.language, a.instance_owner, CASE WHEN a.second_factor IS NULL THEN 0 ELSE 1 END AS two_factor,
             CASE WHEN a.oidc_subject IS NULL THEN 0 ELSE 1 END AS sso,
             m.id AS member_id, m.role
           FROM sessions s JOIN accounts a ON a.id = s.account_id
           LEFT JOIN members m ON m.workspace_id = s.workspace_id AND m.account_id = a.id
           WHERE s.hash = $1`,
          [hash],
        ),
      )
      return row && fromPresentedRow(row)
    },

    async touch(accountId: string, id: string, now: number) {
      await database.write('UPDATE sessions SET last_seen_at = $3 WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
        now,
      ])
    },

    async confirm(accountId: string, id: string, now: number) {
      await database.write('UPDATE sessions SET confirmed_at = $3 WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
        now,
      ])
    },

    async selectWorkspace(accountId: string, id: string, workspaceId: string) {
      await database.write('UPDATE sessions SET workspace_id = $3 WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
        workspaceId,
      ])
    },

    async list(accountId: string, createdAfter: number, seenAfter: number, after: string, limit: number) {
      return database.query<SessionRecord>(
        `SELECT * FROM sessions WHERE account_id = $1 AND created_at > $2 AND last_seen_at > $3 AND id > $4
         ORDER BY id LIMIT $5`,
        [accountId, createdAfter, seenAfter, after, limit],
      )
    },

    async remove(accountId: string, id: string) {
      const rows = await database.write('DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING id', [
        accountId,
        id,
      ])
      return rows.length > 0
    },

    /** Across all accounts: removes expired sessions. */
    async forget(createdBefore: number, seenBefore: number) {
      await database.write('DELETE FROM sessions WHERE created_at <= $1 OR last_seen_at <= $2', [
        createdBefore,
        seenBefore,
      ])
    },
  }
}

function fromPresentedRow(row: PresentedRow): PresentedSession {
  return {
    id: row.id,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    confirmedAt: row.confirmedAt,
    workspaceId: row.workspaceId,
    account: {
      id: row.accountId,
      email: row.email,
      name: row.name,
      language: row.language,
      instanceOwner: row.instanceOwner === 1,
      twoFactor: row.twoFactor === 1,
      sso: row.sso === 1,
    },
    member: row.memberId !== null && row.role !== null ? { id: row.memberId, role: row.role } : null,
  }
}
