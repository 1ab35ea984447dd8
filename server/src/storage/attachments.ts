import type { AttachmentType } from '@docent/contract'
import { type Database, first, type Queries } from './database.ts'

export interface AttachmentRecord {
  botId: string
  id: string
  conversationId: string
  name: string
  type: AttachmentType
  sizeBytes: number
  createdAt: number
}

const COLUMNS = 'bot_id, id, conversation_id, name, type, size_bytes, created_at'
// Columns before the content: to get to later ones, SQLite reads all of it.
const QUICK_COLUMNS = 'bot_id, id, conversation_id, name, type, size_bytes'

export function openAttachmentsTable(database: Database) {
  return {
    async insert(tx: Queries, attachment: AttachmentRecord, content: Uint8Array) {
      const { botId, id, conversationId, name, type, sizeBytes, createdAt } = attachment
      await tx.query(`INSERT INTO attachments (${COLUMNS}, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
        botId,
        id,
        conversationId,
        name,
        type,
        sizeBytes,
        createdAt,
        content,
      ])
    },

    async find(botId: string, id: string) {
      return first(
        database.query<Omit<AttachmentRecord, 'createdAt'>>(
          `SELECT ${QUICK_COLUMNS} FROM attachments WHERE bot_id = $1 AND id = $2`,
          [botId, id],
        ),
      )
    },

    async readPiece(botId: string, id: string, offset: number, lengthBytes: number) {
      const row = await first(
        database.queryLarge<{ piece: Uint8Array }>(
          'SELECT substr(content, $3, $4) AS piece FROM attachments WHERE bot_id = $1 AND id = $2',
          [botId, id, offset + 1, lengthBytes],
        ),
      )
      return row?.piece
    },

    async listOf(botId: string, conversationId: string) {
      return database.query<AttachmentRecord>(
        `SELECT ${COLUMNS} FROM attachments WHERE bot_id = $1 AND conversation_id = $2 ORDER BY created_at, id`,
        [botId, conversationId],
      )
    },
  }
}
