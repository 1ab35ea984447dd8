import type { VisitorLevel } from '@docent/contract'
import { type Database, first, type Queries } from './database.ts'
import { mergeLeads } from './leads.ts'

export interface VisitorRecord {
  botId: string
  id: string
  name: string | null
  email: string | null
  locale: string | null
  createdAt: number
}

/** How much is known about who a visitor is. */
export interface VisitorStatus {
  id: string
  level: VisitorLevel
  /** In the site's own system, for verified ones. */
  userId: string | null
}

export interface KnownVisitor extends VisitorRecord, VisitorStatus {}

/** The level and user id of a visitor, given by two columns. */
export function statusColumns(botId: string, visitorId: string, userId = 'visitor_user_id'): string {
  const has = (table: string, id: string, also = '') =>
    `EXISTS (SELECT 1 FROM ${table} s WHERE s.bot_id = ${botId} AND s.${id} = ${visitorId}${also})`
  return `CASE WHEN ${has('visitor_identities', 'visitor_id')} THEN 'verified'
      WHEN ${has('visitors', 'id', ' AND (s.email IS NOT NULL OR s.name IS NOT NULL)')}
        OR ${has('leads', 'visitor_id')} THEN 'claimed' ELSE 'anonymous' END AS level,
    (SELECT s.user_id FROM visitor_identities s WHERE s.bot_id = ${botId} AND s.visitor_id = ${visitorId})
      AS ${userId}`
}

const COLUMNS = `v.bot_id, v.id, v.name, v.email, v.locale, v.created_at, ${statusColumns('v.bot_id', 'v.id', 'user_id')}`
// Enough for one person; a new device signs out the oldest.
const MAX_DEVICES = 20

export type VisitorsTable = ReturnType<typeof openVisitorsTable>

export function openVisitorsTable(database: Database) {
  return {
    async findByToken(botId: string, tokenHash: string) {
      return first(
        database.query<KnownVisitor>(
          `SELECT ${COLUMNS} FROM visitors v WHERE v.bot_id = $1 AND v.id = coalesce(
             (SELECT o.id FROM visitors o WHERE o.bot_id = $1 AND o.token_hash = $2),
             (SELECT t.visitor_id FROM visitor_tokens t WHERE t.bot_id = $1 AND t.token_hash = $2))`,
          [botId, tokenHash],
        ),
      )
    },

    async find(botId: string, id: string) {
      return first(
        database.query<KnownVisitor>(`SELECT ${COLUMNS} FROM visitors v WHERE v.bot_id = $1 AND v.id = $2`, [
          botId,
          id,
        ]),
      )
    },

    /** Gives a visitor's further device a token. */
    async addToken(tx: Queries, botId: string, visitorId: string, tokenHash: string, now: number) {
      await tx.query(
        'INSERT INTO visitor_tokens (bot_id, token_hash, visitor_id, created_at) VALUES ($1, $2, $3, $4)',
        [botId, tokenHash, visitorId, now],
      )
      await tx.query(
        `DELETE FROM visitor_tokens WHERE bot_id = $1 AND token_hash IN (
           SELECT token_hash FROM visitor_tokens WHERE bot_id = $1 AND visitor_id = $2
           ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ${MAX_DEVICES})`,
        [botId, visitorId],
      )
    },

    /** Makes a new token the only one of a visitor. */
    async replaceTokens(tx: Queries, botId: string, visitorId: string, tokenHash: string) {
      await tx.query('DELETE FROM visitor_tokens WHERE bot_id = $1 AND visitor_id = $2', [botId, visitorId])
      await tx.query('UPDATE visitors SET token_hash = $3 WHERE bot_id = $1 AND id = $2', [botId, visitorId, tokenHash])
    },

    /** Moves everything of one visitor to another, and deletes the first with its tokens. */
    async merge(tx: Queries, botId: string, from: string, into: string) {
      await tx.query('UPDATE conversations SET visitor_id = $3 WHERE bot_id = $1 AND visitor_id = $2', [
        botId,
        from,
        into,
      ])
      await mergeLeads(tx, botId, from, into)
      await tx.query('DELETE FROM visitor_tokens WHERE bot_id = $1 AND visitor_id = $2', [botId, from])
      await tx.query('DELETE FROM visitors WHERE bot_id = $1 AND id = $2', [botId, from])
    },

    /** Adds a visitor; a known one keeps its token and gains new details. */
    async put(tx: Queries, visitor: VisitorRecord, tokenHash: string) {
      await tx.query(
        `INSERT INTO visitors (bot_id, id, token_hash, name, email, locale, created_at, name_lower)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (bot_id, id) DO UPDATE SET name = coalesce($4, visitors.name),
           email = coalesce($5, visitors.email), locale = coalesce($6, visitors.locale),
           name_lower = coalesce($8, visitors.name_lower)`,
        [
          visitor.botId,
          visitor.id,
          tokenHash,
          visitor.name,
          visitor.email,
          visitor.locale,
          visitor.createdAt,
          visitor.name?.toLowerCase() ?? null,
        ],
      )
    },
  }
}

// Queue of emails to visitors: one row per conversation and kind.

export type VisitorMailKind = 'replies' | 'transcript'

export interface VisitorMail {
  botId: string
  conversationId: string
  kind: VisitorMailKind
  /** Times of the first and last message it covers. */
  since: number
  until: number
  /** The only permitted recipient; null: the visitor's address at sending time. */
  address: string | null
  attempts: number
}

export function openVisitorMailsTable(database: Database) {
  const one = 'bot_id = $1 AND conversation_id = $2 AND kind = $3'

  /** Drops what was read or sent up to `until`; later messages stay queued. */
  async function settle(botId: string, conversationId: string, kind: VisitorMailKind, until: number) {
    await database.write(`UPDATE visitor_mails SET since = $4, attempts = 0 WHERE ${one} AND since < $4`, [
      botId,
      conversationId,
      kind,
      until + 1,
    ])
    await database.write(`DELETE FROM visitor_mails WHERE ${one} AND until <= $4`, [botId, conversationId, kind, until])
  }

  return {
    settle,

    /** Further messages join the queued mail. */
    async schedule(tx: Queries, mail: Omit<VisitorMail, 'attempts'>, dueAt: number) {
      const { botId, conversationId, kind, since, until, address } = mail
      await tx.query(
        `INSERT INTO visitor_mails (bot_id, conversation_id, kind, since, until, address, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (bot_id, conversation_id, kind) DO UPDATE SET until = excluded.until, address = excluded.address`,
        [botId, conversationId, kind, since, until, address, dueAt],
      )
    },

    /** Leases due mails; due again at `dueAgainAt` unless settled. */
    lease: (now: number, dueAgainAt: number, most: number) =>
      database.write<VisitorMail>(
        `UPDATE visitor_mails SET due_at = $2, attempts = attempts + 1
         WHERE due_at <= $1 AND (bot_id, conversation_id, kind) IN (
           SELECT bot_id, conversation_id, kind FROM visitor_mails WHERE due_at <= $1 ORDER BY due_at LIMIT $3)
         RETURNING bot_id, conversation_id, kind, since, until, address, attempts`,
        [now, dueAgainAt, most],
      ),

    async delay({ botId, conversationId, kind }: VisitorMail, dueAt: number) {
      await database.write(`UPDATE visitor_mails SET due_at = $4 WHERE ${one}`, [botId, conversationId, kind, dueAt])
    },

    /** The visitor's address: as the site signed it, or else from the form, a message or the page. */
    async addressOf(botId: string, visitorId: string): Promise<string | null> {
      const row = await first(
        database.query<{ email: string | null }>(
          `SELECT coalesce(i.email, l.email, v.email) AS email FROM visitors v
           LEFT JOIN visitor_identities i ON i.bot_id = v.bot_id AND i.visitor_id = v.id
           LEFT JOIN leads l ON l.bot_id = v.bot_id AND l.visitor_id = v.id AND l.email_verified = 1
           WHERE v.bot_id = $1 AND v.id = $2`,
          [botId, visitorId],
        ),
      )
      return row?.email ?? null
    },
  }
}
