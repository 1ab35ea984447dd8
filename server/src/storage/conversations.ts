import { type Database, first, type Row, type Statement } from './database.ts'

export type Channel = 'api' | 'widget'

export interface ConversationRecord {
  botId: string
  id: string
  channel: Channel
  sessionId: string
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  createdAt: number
}

export interface MessageRecord {
  id: string
  role: 'user' | 'assistant'
  text: string
  sources: { title: string; url: string }[]
  /** Documents that an answer came from. */
  documentIds: string[]
  /** Products that an answer named. */
  productIds: string[]
  confidence: number | null
  answered: boolean | null
  createdAt: number
  /** What a language model was asked for this message, whether it wrote it or not. */
  modelCall?: { model: string; inputTokens: number; outputTokens: number } | undefined
}

interface MessageRow extends Row {
  id: string
  role: 'user' | 'assistant'
  text: string
  sources: string | null
  document_ids: string | null
  product_ids: string | null
  confidence: number | null
  answered: number | null
  created_at: number
}

export type ConversationsTable = ReturnType<typeof conversationsTable>

export function conversationsTable(database: Database) {
  return {
    async findId(botId: string, channel: Channel, sessionId: string) {
      const row = await first(
        database.query<{ id: string }>(
          'SELECT id FROM conversations WHERE bot_id = $1 AND channel = $2 AND session_id = $3',
          [botId, channel, sessionId],
        ),
      )
      return row?.id
    },

    /** The newest messages, oldest first. */
    async listMessages(botId: string, conversationId: string, limit: number) {
      const rows = await database.query<MessageRow>(
        `SELECT id, role, text, sources, document_ids, product_ids, confidence, answered, created_at FROM messages
         WHERE bot_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT $3`,
        [botId, conversationId, limit],
      )
      return rows.reverse().map(fromRow)
    },

    /** One turn, all or nothing: the conversation with its count, the messages, and what else belongs to it. */
    async recordTurn(conversation: ConversationRecord, messages: MessageRecord[], together: Statement[]) {
      const { botId, id } = conversation
      await database.batch([
        upsert(conversation, messages),
        ...messages.map((message) => insertion(botId, id, message)),
        ...together,
      ])
    },

    /** Ends conversations without a message since a time, some at once, each together with what reports it. */
    async endIdle(before: number, most: number, now: number, report: (ended: EndedConversation) => Statement) {
      const idle = 'ended_at IS NULL AND updated_at < $1'
      const some = await database.query(`SELECT 1 AS one FROM conversations WHERE ${idle} LIMIT 1`, [before])
      if (some.length === 0) return []
      return database.transaction(async (tx) => {
        const rows = await tx.query<EndedRow>(
          `UPDATE conversations SET ended_at = $3
           WHERE ${idle} AND (bot_id, id) IN (
             SELECT bot_id, id FROM conversations WHERE ${idle}
             ORDER BY updated_at LIMIT $2)
           RETURNING bot_id, id, channel, session_id, message_count, created_at, updated_at`,
          [before, most, now],
        )
        const ended = rows.map(fromEndedRow)
        for (const conversation of ended) {
          const { sql, values } = report(conversation)
          await tx.query(sql, values)
        }
        return ended
      })
    },
  }
}

interface EndedRow extends Row {
  bot_id: string
  id: string
  channel: Channel
  session_id: string
  message_count: number
  created_at: number
  updated_at: number
}

export interface EndedConversation {
  botId: string
  id: string
  channel: Channel
  sessionId: string
  messageCount: number
  createdAt: number
  updatedAt: number
}

function fromEndedRow(row: EndedRow): EndedConversation {
  return {
    botId: row.bot_id,
    id: row.id,
    channel: row.channel,
    sessionId: row.session_id,
    messageCount: row.message_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function upsert(conversation: ConversationRecord, messages: MessageRecord[]): Statement {
  return {
    sql: `INSERT INTO conversations
            (bot_id, id, channel, session_id, user_id, page_url, metadata, message_count, created_at, updated_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
          ON CONFLICT (bot_id, id) DO UPDATE SET
            message_count = conversations.message_count + $8, updated_at = $10, ended_at = NULL,
            user_id = coalesce($5, conversations.user_id), page_url = coalesce($6, conversations.page_url),
            metadata = coalesce($7, conversations.metadata)`,
    values: [
      conversation.botId,
      conversation.id,
      conversation.channel,
      conversation.sessionId,
      conversation.userId,
      conversation.pageUrl,
      conversation.metadata,
      messages.length,
      conversation.createdAt,
      messages.at(-1)?.createdAt ?? conversation.createdAt,
    ],
  }
}

function insertion(botId: string, conversationId: string, message: MessageRecord): Statement {
  return {
    sql: `INSERT INTO messages (bot_id, conversation_id, id, role, text, sources, document_ids, confidence, answered,
            created_at, model, input_tokens, output_tokens, product_ids)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      botId,
      conversationId,
      message.id,
      message.role,
      message.text,
      message.sources.length > 0 ? JSON.stringify(message.sources) : null,
      message.documentIds.length > 0 ? JSON.stringify(message.documentIds) : null,
      message.confidence,
      message.answered === null ? null : Number(message.answered),
      message.createdAt,
      message.modelCall?.model ?? null,
      message.modelCall?.inputTokens ?? null,
      message.modelCall?.outputTokens ?? null,
      message.productIds.length > 0 ? JSON.stringify(message.productIds) : null,
    ],
  }
}

function fromRow(row: MessageRow): MessageRecord {
  return {
    id: row.id,
    role: row.role,
    text: row.text,
    sources: row.sources ? JSON.parse(row.sources) : [],
    documentIds: row.document_ids ? JSON.parse(row.document_ids) : [],
    productIds: row.product_ids ? JSON.parse(row.product_ids) : [],
    confidence: row.confidence,
    answered: row.answered === null ? null : row.answered === 1,
    createdAt: row.created_at,
  }
}
