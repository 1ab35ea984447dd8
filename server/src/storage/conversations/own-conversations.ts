// Visitors' access to their own conversations, and their ratings.
import type { Database, Row } from '../database.ts'
import type { MessageRole } from './messages.ts'

interface OwnRow extends Row {
  session_id: string
  updated_at: number
  role: MessageRole
  text: string
}

export type OwnConversationsTable = ReturnType<typeof createOwnConversationsTable>

export function createOwnConversationsTable(database: Database) {
  return {
    async rateChat(botId: string, id: string, stars: number, reason: string | null) {
      await database.write('UPDATE conversations SET stars = $3, stars_reason = $4 WHERE bot_id = $1 AND id = $2', [
        ...[botId, id, stars, reason],
      ])
    },

    /** Newest first, each with its last verified message. */
    async listOf(botId: string, visitorId: string, limit: number) {
      const rows = await database.query<OwnRow>(
        `SELECT c.session_id, c.updated_at, m.role, substr(m.text, 1, 200) AS text FROM conversations c
         JOIN messages m ON m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.id = (
           SELECT max(l.id) FROM messages l
           WHERE l.bot_id = c.bot_id AND l.conversation_id = c.id AND l.unverified = 0)
         WHERE c.bot_id = $1 AND c.visitor_id = $2 ORDER BY c.updated_at DESC, c.id DESC LIMIT $3`,
        [botId, visitorId, limit],
      )
      return rows.map(({ session_id, updated_at, role, text }) => ({
        sessionId: session_id,
        updatedAt: updated_at,
        lastMessage: { role, text },
      }))
    },
  }
}
