import { type Database, first, type Queries, type Row } from '../database.ts'

export interface VisitorRecord {
  botId: string
  id: string
  name: string | null
  email: string | null
  locale: string | null
  createdAt: number
}

interface VisitorRow extends Row {
  bot_id: string
  id: string
  name: string | null
  email: string | null
  locale: string | null
  created_at: number
}

const columns = 'bot_id, id, name, email, locale, created_at'

export type VisitorsTable = ReturnType<typeof createVisitorsTable>

export function createVisitorsTable(database: Database) {
  return {
    async findByToken(botId: string, tokenHash: string) {
      const row = await first(
        database.query<VisitorRow>(`SELECT ${columns} FROM visitors WHERE bot_id = $1 AND token_hash = $2`, [
          botId,
          tokenHash,
        ]),
      )
      return row && fromRow(row)
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
          ...[visitor.botId, visitor.id, tokenHash, visitor.name, visitor.email, visitor.locale, visitor.createdAt],
          visitor.name?.toLowerCase() ?? null,
        ],
      )
    },
  }
}

function fromRow(row: VisitorRow): VisitorRecord {
  return {
    botId: row.bot_id,
    id: row.id,
    name: row.name,
    email: row.email,
    locale: row.locale,
    createdAt: row.created_at,
  }
}
