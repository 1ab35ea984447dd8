import type { Decision } from '@docent/contract'
import { timedId } from '../ids.ts'
import { type Database, makeFromRow, type Statement, type Stored } from './database.ts'

/** How a conversation is held. */
export type Channel = 'api' | 'widget'

export type MessageRole = 'user' | 'assistant' | 'agent'

/** A passage that an answer came from. */
export interface Citation {
  documentId: string
  passageId: string
}

export interface MessageRecord {
  id: string
  role: MessageRole
  text: string
  sources: { title: string; url: string }[]
  /** Sources of an answer. */
  documentIds: string[]
  /** Passages that a new answer came from. */
  citations?: Citation[] | undefined
  /** Products named in an answer. */
  productIds: string[]
  confidence: number | null
  answered: boolean | null
  /** For replies: how it came about; null if not recorded. */
  decision?: Decision | null | undefined
  createdAt: number
  /** The agent who wrote it. */
  agentName?: string | null | undefined
  agentId?: string | null | undefined
  /** Their picture, as it is by now. */
  agentAvatar?: string | null | undefined
  rating?: Rating | null | undefined
  ratingReason?: string | null | undefined
  /** Cards and buttons shown with it. */
  shown?: string | null | undefined
  /** For replies: what an action has collected so far, as JSON. */
  action?: string | null | undefined
  /** The model call made for this message, even if its text was not used. */
  modelCall?: { model: string; inputTokens: number; outputTokens: number } | undefined
  /** The turn came without the visitor's token and may be somebody else's. */
  unverified?: boolean | undefined
  /** For replies: the question it replies to, if any. */
  question?: AskedQuestion | null | undefined
}

/** With what an answer has left empty. */
export function newMessage(role: MessageRole, text: string, createdAt: number, fields: Partial<MessageRecord> = {}) {
  const empty = { sources: [], documentIds: [], productIds: [], confidence: null, answered: null }
  const message: MessageRecord = { id: timedId('msg', createdAt), role, text, ...empty, createdAt, ...fields }
  return message
}

export interface AskedQuestion {
  /** Identical for questions that differ only in spelling. */
  key: string
  /** Id of the message that asked. */
  id: string
  language: string
}

export type Rating = 'up' | 'down'

type FoundReply = Pick<MessageRecord, 'documentIds' | 'productIds' | 'answered'>
type StoredMessage = Omit<MessageRecord, 'citations' | 'modelCall' | 'question'>

const foundReply = { documentIds: 'list', productIds: 'list', answered: 'flag' } as const
const fromReplyRow = makeFromRow<FoundReply>(foundReply)
const fromRow = makeFromRow<StoredMessage>({ ...foundReply, sources: 'list', unverified: 'flag' })

const COLUMNS = `id, role, text, sources, document_ids, product_ids, confidence, answered, created_at, agent_name,
  agent_id, rating, rating_reason, shown, unverified, decision, action, CASE WHEN agent_id IS NOT NULL THEN (
    SELECT a.id FROM bots b JOIN member_avatars a ON a.workspace_id = b.workspace_id
    WHERE b.id = messages.bot_id AND a.member_id = messages.agent_id) END AS agent_avatar`

/** 'verified' omits messages sent without a visitor token, and their replies. */
type Senders = 'anybody' | 'verified'
const conditions: Record<Senders, string> = { anybody: '', verified: 'AND unverified = 0' }

// An answer to a question hardly changes; many rows of a frequent question need not be compared.
const COMPARED_REPLIES = 50

/** In a conversation that is done. */
export interface PastMessage {
  conversationId: string
  id: string
  role: Extract<MessageRole, 'user' | 'agent'>
  text: string
  agentName: string | null
  createdAt: number
}

const PAST_CONVERSATIONS = 300
// A conversation longer than this is a chat, and reading it would take long.
const LONGEST_PAST_CONVERSATION = 100
// Of all conversations together, the newest.
const PAST_MESSAGES = 2000
const PAST_CHARACTERS = 2000
// What is asked stands at the beginning, and every question is compared.
const PAST_QUESTION_CHARACTERS = 300

export function openMessagesTable(database: Database) {
  return {
    /** What the newest reply with this text to a question was about, whoever asked. */
    async findReply(botId: string, questionKey: string, text: string) {
      const [row] = await database.query<Stored<FoundReply>>(
        `SELECT document_ids, product_ids, answered FROM (
           SELECT text, document_ids, product_ids, answered, created_at FROM messages
           WHERE bot_id = $1 AND question_key = $2 ORDER BY created_at DESC LIMIT ${COMPARED_REPLIES}) AS replies
         WHERE text = $3 ORDER BY created_at DESC LIMIT 1`,
        [botId, questionKey, text],
      )
      return row && fromReplyRow(row)
    },

    async find(botId: string, conversationId: string, id: string): Promise<MessageRecord | undefined> {
      const [row] = await database.query<Stored<StoredMessage>>(
        `SELECT ${COLUMNS} FROM messages WHERE bot_id = $1 AND conversation_id = $2 AND id = $3`,
        [botId, conversationId, id],
      )
      return row && fromRow(row)
    },

    /** The newest messages, oldest first. */
    async list(botId: string, conversationId: string, limit: number, before?: string, from: Senders = 'anybody') {
      const rows = await database.query<Stored<StoredMessage>>(
        `SELECT ${COLUMNS} FROM messages WHERE bot_id = $1 AND conversation_id = $2 ${conditions[from]}
         ${before === undefined ? '' : 'AND id < $4'} ORDER BY id DESC LIMIT $3`,
        before === undefined ? [botId, conversationId, limit] : [botId, conversationId, limit, before],
      )
      return rows.reverse().map(fromRow)
    },

    /** Messages after `after`, oldest first. */
    async listAfter(botId: string, conversationId: string, after: string, limit: number, from: Senders = 'anybody') {
      const rows = await database.query<Stored<StoredMessage>>(
        `SELECT ${COLUMNS} FROM messages WHERE bot_id = $1 AND conversation_id = $2 AND id > $3 ${conditions[from]}
         ORDER BY id LIMIT $4`,
        [botId, conversationId, after, limit],
      )
      return rows.map(fromRow)
    },

    /** What visitors and agents wrote in the conversations closed last, in order; without files. */
    async listPast(botId: string, exceptId: string): Promise<PastMessage[]> {
      const newest = await database.query<PastMessage>(
        `SELECT conversation_id, id, role, agent_name, created_at,
           substr(text, 1, CASE WHEN role = 'user' THEN ${PAST_QUESTION_CHARACTERS} ELSE ${PAST_CHARACTERS} END) AS text
         FROM messages WHERE bot_id = $1 AND unverified = 0 AND conversation_id IN (
             SELECT id FROM conversations WHERE bot_id = $1 AND accepted_at IS NOT NULL AND closed_at IS NOT NULL
               AND id <> $2 AND message_count <= ${LONGEST_PAST_CONVERSATION} ORDER BY closed_at DESC LIMIT ${PAST_CONVERSATIONS})
           AND (role = 'user' OR (role = 'agent' AND shown IS NULL))
         ORDER BY id DESC LIMIT ${PAST_MESSAGES}`,
        [botId, exceptId],
      )
      return newest.reverse()
    },
  }
}

export function messageInsertion(botId: string, conversationId: string, message: MessageRecord): Statement {
  return {
    sql: `INSERT INTO messages (bot_id, conversation_id, id, role, text, sources, document_ids, confidence, answered,
            created_at, model, input_tokens, output_tokens, product_ids, agent_name, shown,
            question_key, question_id, question_language, unverified, decision, agent_id, action)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
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
      message.agentName ?? null,
      message.shown ?? null,
      message.question?.key ?? null,
      message.question?.id ?? null,
      message.question?.language ?? null,
      Number(message.unverified ?? false),
      message.decision ?? null,
      message.agentId ?? null,
      message.action ?? null,
    ],
  }
}
