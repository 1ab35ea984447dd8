// Conversations as the people behind the bot see them.
import type { HandoverStatus } from '@docent/contract'
import { type Database, first, type Value } from '../database.ts'
import { type HandoverRecord, type HandoverRow, handoverColumns, handoverFromRow } from './handovers.ts'
import { type HappenedFilter, happened } from './happened.ts'
import type { Channel } from './messages.ts'

export interface InboxRecord {
  botId: string
  id: string
  sessionId: string
  channel: Channel
  visitor: { id: string; name: string | null; email: string | null } | null
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  language: string | null
  messageCount: number
  lastMessage: { role: 'user' | 'assistant' | 'agent'; text: string } | null
  unanswered: boolean
  handover: HandoverRecord
  createdAt: number
  updatedAt: number
}

export interface InboxFilter extends HappenedFilter {
  channel?: Channel | undefined
  handover?: HandoverStatus | 'open' | undefined
  unanswered?: boolean | undefined
  visitorId?: string | undefined
  userId?: string | undefined
  text?: string | undefined
}

export interface NoteRecord {
  id: string
  text: string
  author: string
  createdAt: number
}

/** In the order of the list. */
interface Place {
  updatedAt: number
  id: string
}

interface InboxRow extends HandoverRow {
  bot_id: string
  id: string
  session_id: string
  channel: Channel
  visitor_id: string | null
  visitor_name: string | null
  visitor_email: string | null
  user_id: string | null
  page_url: string | null
  metadata: string | null
  language: string | null
  message_count: number
  last_role: 'user' | 'assistant' | 'agent' | null
  last_text: string | null
  unanswered: number
  created_at: number
  updated_at: number
}

const SEARCHED_AT_ONCE = 1000

const selected = `SELECT c.bot_id, c.id, c.session_id, c.channel, c.visitor_id, c.user_id, c.page_url, c.metadata,
    c.language, c.message_count, c.unanswered, c.created_at, c.updated_at,
    ${handoverColumns
      .split(', ')
      .map((column) => `c.${column}`)
      .join(', ')},
    v.name AS visitor_name, v.email AS visitor_email, m.role AS last_role, substr(m.text, 1, 300) AS last_text
  FROM conversations c
  LEFT JOIN visitors v ON v.bot_id = c.bot_id AND v.id = c.visitor_id
  LEFT JOIN messages m ON m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.id = (
    SELECT max(l.id) FROM messages l WHERE l.bot_id = c.bot_id AND l.conversation_id = c.id)`

export type InboxTable = ReturnType<typeof createInboxTable>

export function createInboxTable(database: Database) {
  /** Before one place and down to another, which is still among them. */
  async function listBetween(
    botId: string,
    filter: InboxFilter,
    before: Place | null,
    until: Place | null,
    limit: number,
  ): Promise<InboxRecord[]> {
    const values: Value[] = [botId, limit]
    const value = (given: Value) => `$${values.push(given)}`
    const where = ['c.bot_id = $1']
    if (filter.channel) where.push(`c.channel = ${value(filter.channel)}`)
    if (filter.handover === 'open') where.push(`c.handover_status IN ('requested', 'active')`)
    else if (filter.handover) where.push(`c.handover_status = ${value(filter.handover)}`)
    if (filter.unanswered !== undefined) where.push(`c.unanswered = ${value(Number(filter.unanswered))}`)
    if (filter.visitorId) where.push(`c.visitor_id = ${value(filter.visitorId)}`)
    if (filter.userId) where.push(`c.user_id = ${value(filter.userId)}`)
    where.push(...happened(filter, value))
    if (filter.text) {
      const pattern = `%${filter.text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      // Not EXISTS, of which PostgreSQL makes a join with all messages for each piece.
      where.push(`(SELECT max(CASE WHEN lower(s.text) LIKE ${value(pattern)} ESCAPE '\\' THEN 1 ELSE 0 END)
        FROM messages s WHERE s.bot_id = c.bot_id AND s.conversation_id = c.id) = 1`)
    }
    if (before) where.push(`(c.updated_at, c.id) < (${value(before.updatedAt)}, ${value(before.id)})`)
    if (until) where.push(`(c.updated_at, c.id) >= (${value(until.updatedAt)}, ${value(until.id)})`)
    const rows = await database.query<InboxRow>(
      `${selected} WHERE ${where.join(' AND ')} ORDER BY c.updated_at DESC, c.id DESC LIMIT $2`,
      values,
    )
    return rows.map(fromRow)
  }

  /** So many further down; null when there are fewer. */
  async function placeAfter(botId: string, from: Place | null, count: number): Promise<Place | null> {
    const below = from ? 'AND (updated_at, id) < ($3, $4)' : ''
    const row = await first(
      database.query<{ updated_at: number; id: string }>(
        `SELECT updated_at, id FROM conversations WHERE bot_id = $1 ${below}
         ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET $2`,
        [botId, count - 1, ...(from ? [from.updatedAt, from.id] : [])],
      ),
    )
    return row ? { updatedAt: row.updated_at, id: row.id } : null
  }

  return {
    async find(botId: string, id: string) {
      const row = await first(database.query<InboxRow>(`${selected} WHERE c.bot_id = $1 AND c.id = $2`, [botId, id]))
      return row && fromRow(row)
    },

    /** Those with the newest message first, older than a place in the list if one is given. */
    async list(botId: string, filter: InboxFilter, before: Place | null, limit: number): Promise<InboxRecord[]> {
      if (!filter.text) return listBetween(botId, filter, before, null, limit)
      const found: InboxRecord[] = []
      // A search reads every message; in pieces, so that others run between them.
      for (let from = before; ; await new Promise(setImmediate)) {
        const until = await placeAfter(botId, from, SEARCHED_AT_ONCE)
        found.push(...(await listBetween(botId, filter, from, until, limit - found.length)))
        if (!until || found.length >= limit) return found
        from = until
      }
    },

    async addNote(botId: string, conversationId: string, note: NoteRecord) {
      await database.write(
        `INSERT INTO conversation_notes (bot_id, conversation_id, id, text, author, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [botId, conversationId, note.id, note.text, note.author, note.createdAt],
      )
    },

    async listNotes(botId: string, conversationId: string): Promise<NoteRecord[]> {
      const rows = await database.query<{ id: string; text: string; author: string; created_at: number }>(
        `SELECT id, text, author, created_at FROM conversation_notes WHERE bot_id = $1 AND conversation_id = $2
         ORDER BY id`,
        [botId, conversationId],
      )
      return rows.map(({ created_at, ...note }) => ({ ...note, createdAt: created_at }))
    },
  }
}

function fromRow(row: InboxRow): InboxRecord {
  const { visitor_id: visitorId, last_role: lastRole } = row
  return {
    botId: row.bot_id,
    id: row.id,
    sessionId: row.session_id,
    channel: row.channel,
    visitor: visitorId === null ? null : { id: visitorId, name: row.visitor_name, email: row.visitor_email },
    userId: row.user_id,
    pageUrl: row.page_url,
    metadata: row.metadata,
    language: row.language,
    messageCount: row.message_count,
    lastMessage: lastRole === null ? null : { role: lastRole, text: row.last_text ?? '' },
    unanswered: row.unanswered === 1,
    handover: handoverFromRow(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
