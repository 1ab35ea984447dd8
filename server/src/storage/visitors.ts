import { type Database, first, type Queries } from './database.ts'

export interface VisitorRecord {
  botId: string
  id: string
  name: string | null
  email: string | null
  locale: string | null
  createdAt: number
}

const COLUMNS = 'bot_id, id, name, email, locale, created_at'

export type VisitorsTable = ReturnType<typeof openVisitorsTable>

export function openVisitorsTable(database: Database) {
  return {
    async findByToken(botId: string, tokenHash: string) {
      return first(
        database.query<VisitorRecord>(`SELECT ${COLUMNS} FROM visitors WHERE bot_id = $1 AND token_hash = $2`, [
          botId,
          tokenHash,
        ]),
      )
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

export type VisitorMailsTable = ReturnType<typeof openVisitorMailsTable>

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

    /** The visitor's verified address from the form, a message or the page. */
    async addressOf(botId: string, visitorId: string): Promise<string | null> {
      const row = await first(
        database.query<{ email: string | null }>(
          `SELECT coalesce(l.email, v.email) AS email FROM visitors v
           LEFT JOIN leads l ON l.bot_id = v.bot_id AND l.visitor_id = v.id AND l.email_verified = 1
           WHERE v.bot_id = $1 AND v.id = $2`,
          [botId, visitorId],
        ),
      )
      return row?.email ?? null
    },
  }
}
