import type { HandoverStatus } from '@docent/contract'
import { activityCountStatement, turnCountStatements } from './activity.ts'
import {
  type Database,
  first,
  type Queries,
  retryWhenChanged,
  type Statement,
  StorageError,
  type Stored,
} from './database.ts'
import { type Channel, type MessageRecord, type MessageRole, messageInsertion, type Rating } from './messages.ts'
import { citationInsertions } from './passages.ts'
import { outcomeAssignments, ratingStatement, type TurnOutcome } from './resolutions.ts'
import { queryMany } from './statements.ts'
import { statusColumns, type VisitorStatus } from './visitors.ts'

// Whether the bot or a person handles a conversation. Each transition is one compare-and-set statement, so that of two
// people who act at once only one succeeds.

export type HandoverReason = 'visitor_request' | 'low_confidence' | 'rule'

export interface HandoverRecord {
  status: HandoverStatus
  reason: HandoverReason | null
  agentId: string | null
  agentName: string | null
  requestedAt: number | null
  acceptedAt: number | null
  closedAt: number | null
}

export interface HandoverRow {
  handoverStatus: HandoverStatus
  handoverReason: HandoverReason | null
  agentId: string | null
  agentName: string | null
  requestedAt: number | null
  acceptedAt: number | null
  closedAt: number | null
}

export const HANDOVER_COLUMNS =
  'handover_status, handover_reason, agent_id, agent_name, requested_at, accepted_at, closed_at'

/**
 * Writes the new state unless the old state or agent has changed; returns whether it did. Waiting and active
 * handovers are open in the inbox.
 */
export async function updateHandover(
  tx: Queries,
  conversation: { botId: string; id: string },
  { status: from, agentId: fromAgent }: Pick<HandoverRecord, 'status' | 'agentId'>,
  to: HandoverRecord,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE conversations SET handover_status = $3, handover_reason = $4, agent_id = $5, agent_name = $6,
       requested_at = $7, accepted_at = $8, closed_at = $9,
       inbox_status = CASE WHEN $3 <> 'closed' THEN 'open' WHEN inbox_status = 'resolved' THEN 'resolved' ELSE 'bot' END, snoozed_until = NULL,
       assignee_id = CASE WHEN $3 = 'active' THEN $5 ELSE assignee_id END,
       assignee_name = CASE WHEN $3 = 'active' THEN $6 ELSE assignee_name END
     WHERE bot_id = $1 AND id = $2 AND handover_status = $10 AND coalesce(agent_id, '') = $11 RETURNING id`,
    [
      conversation.botId,
      conversation.id,
      to.status,
      to.reason,
      to.agentId,
      to.agentName,
      to.requestedAt,
      to.acceptedAt,
      to.closedAt,
      from,
      fromAgent ?? '',
    ],
  )
  if (rows.length === 0) return false
  // A transfer between agents is the same handover.
  const isAccepted = to.status === 'active' && from !== 'active'
  const widgetConversation = { ...conversation, channel: 'widget' as const }
  if (to.status === 'requested')
    await count(tx, activityCountStatement(widgetConversation, to.requestedAt ?? 0, { handoversRequested: 1 }))
  if (isAccepted)
    await count(tx, activityCountStatement(widgetConversation, to.acceptedAt ?? 0, { handoversAccepted: 1 }))
  return true
}

const count = (tx: Queries, { sql, values }: ReturnType<typeof activityCountStatement>) => tx.query(sql, values)

export function handoverFromRow(row: HandoverRow): HandoverRecord {
  return {
    status: row.handoverStatus,
    reason: row.handoverReason,
    agentId: row.agentId,
    agentName: row.agentName,
    requestedAt: row.requestedAt,
    acceptedAt: row.acceptedAt,
    closedAt: row.closedAt,
  }
}

export interface ConversationRecord {
  botId: string
  id: string
  channel: Channel
  sessionId: string
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  visitorId?: string | null | undefined
  /** Null: of the chat API. */
  visitor: VisitorStatus | null
  /** Language of the latest message. */
  language?: string | null | undefined
  createdAt: number
  /** Whether this turn creates it. */
  isNew: boolean
  /** Left out if the bot had no part in this turn. */
  turn?: TurnOutcome | undefined
}

/** An existing conversation. */
export interface KnownConversation {
  botId: string
  id: string
  sessionId: string
  visitorId: string | null
  visitor: VisitorStatus | null
  /** Whether the last question got no answer. */
  unanswered: boolean
  language: string | null
  /** Where the last message was written. */
  pageUrl: string | null
  handover: HandoverRecord
  /** When an agent last read it. */
  agentSeenAt: number | null
}

export type ConversationsTable = ReturnType<typeof openConversationsTable>

export function openConversationsTable(database: Database) {
  return {
    /** How long the latest visitors who asked for a person waited for a reply; null: they got none. */
    async listWaits(botId: string, since: number, limit: number): Promise<(number | null)[]> {
      const rows = await database.query<{ waitMs: number | null }>(
        `SELECT (SELECT min(m.created_at) FROM messages m WHERE m.bot_id = c.bot_id AND m.conversation_id = c.id
             AND m.role = 'agent' AND m.created_at >= c.requested_at) - c.requested_at AS wait_ms
         FROM conversations c WHERE c.bot_id = $1 AND c.requested_at IS NOT NULL AND c.requested_at >= $2
         ORDER BY c.requested_at DESC LIMIT $3`,
        [botId, since, limit],
      )
      return rows.map(({ waitMs }) => waitMs)
    },

    async find(botId: string, channel: Channel, sessionId: string) {
      const row = await first(
        database.query<KnownRow>(
          `SELECT ${KNOWN_COLUMNS} FROM conversations WHERE bot_id = $1 AND channel = $2 AND session_id = $3`,
          [botId, channel, sessionId],
        ),
      )
      return row && fromKnownRow(row)
    },

    /** Only its visitor may add to it: an agent took part, or it is known who the visitor is. */
    async isPersonal(botId: string, id: string) {
      const rows = await database.query(
        `SELECT 1 AS one FROM conversations c WHERE c.bot_id = $1 AND c.id = $2 AND (
           c.accepted_at IS NOT NULL
           OR EXISTS (SELECT 1 FROM visitors v WHERE v.bot_id = $1 AND v.id = c.visitor_id AND v.email IS NOT NULL)
           OR EXISTS (SELECT 1 FROM visitor_identities i WHERE i.bot_id = $1 AND i.visitor_id = c.visitor_id)
           OR EXISTS (SELECT 1 FROM leads l WHERE l.bot_id = $1 AND l.visitor_id = c.visitor_id)
           OR EXISTS (SELECT 1 FROM messages m WHERE m.bot_id = $1 AND m.conversation_id = $2 AND m.role = 'agent'))`,
        [botId, id],
      )
      return rows.length > 0
    },

    /** Whether none of them has been deleted. */
    async areStored(botId: string, ids: readonly string[]): Promise<boolean> {
      const distinct = [...new Set(ids)]
      const sql = 'SELECT id FROM conversations WHERE bot_id = $1 AND id IN ({list})'
      return (await queryMany(database, sql, [botId], distinct)).length === distinct.length
    },

    /** The conversation the visitor wrote in last. */
    async findNewestOf(botId: string, visitorId: string) {
      const row = await first(
        database.query<KnownRow>(
          `SELECT ${KNOWN_COLUMNS} FROM conversations WHERE bot_id = $1 AND visitor_id = $2
           ORDER BY updated_at DESC, id DESC LIMIT 1`,
          [botId, visitorId],
        ),
      )
      return row && fromKnownRow(row)
    },

    /**
     * Writes one turn, all or nothing: the conversation with its counts, the messages and related rows. Statements that must
     * read first come in `also`. A conversation deleted in the meantime is not recreated.
     */
    async recordTurn(
      conversation: ConversationRecord,
      messages: MessageRecord[],
      together: Statement[],
      also?: (tx: Queries) => Promise<void>,
    ) {
      const { botId, id } = conversation
      const statements = [
        conversation.isNew ? insertion(conversation, messages) : continuation(conversation, messages),
        ...messages.map((message) => messageInsertion(botId, id, message)),
        ...messages.flatMap((message) => citationInsertions(botId, id, message.id, message.citations ?? [])),
        ...together,
      ]
      // Contended rows come last, to hold their locks briefly. PostgreSQL runs a batch from its end.
      const counts = turnCountStatements(conversation, messages, database.engine)
      if (!also) return database.batch([...counts.toReversed(), ...statements])
      await database.transaction(async (tx) => {
        const [head, ...others] = statements
        if (head && (await tx.query(head.sql, head.values)).length === 0)
          throw new StorageError('foreign_key', 'the conversation was removed')
        for (const { sql, values } of others) await tx.query(sql, values)
        await also(tx)
        for (const { sql, values } of counts) await tx.query(sql, values)
      })
    },

    /** Returns the message's conversation; undefined when the visitor has no such bot message. */
    async rate(
      tx: Queries,
      { botId, visitorId, messageId }: { botId: string; visitorId: string; messageId: string },
      rating: Rating,
      reason: string | null,
    ) {
      const [row] = await tx.query<KnownRow>(
        `SELECT ${KNOWN_COLUMNS} FROM conversations WHERE bot_id = $1 AND visitor_id = $2 AND EXISTS (
           SELECT 1 FROM messages m WHERE m.bot_id = conversations.bot_id AND m.conversation_id = conversations.id
             AND m.id = $3 AND m.role = 'assistant')`,
        [botId, visitorId, messageId],
      )
      if (!row) return undefined
      await writeRating(tx, { botId, id: row.id, channel: 'widget' }, messageId, rating, reason)
      return fromKnownRow(row)
    },

    /** Ends conversations idle since `before`, in batches, each together with the statement that reports it. */
    async endIdle(before: number, most: number, now: number, report: (conversation: EndedConversation) => Statement) {
      const idle = 'ended_at IS NULL AND updated_at < $1'
      const some = await database.query(`SELECT 1 AS one FROM conversations WHERE ${idle} LIMIT 1`, [before])
      if (some.length === 0) return []
      return database.transaction(async (tx) => {
        const rows = await tx.query<Omit<EndedConversation, 'visitor'> & VisitorRow>(
          `UPDATE conversations SET ended_at = $3
           WHERE ${idle} AND (bot_id, id) IN (
             SELECT bot_id, id FROM conversations WHERE ${idle}
             ORDER BY updated_at LIMIT $2)
           RETURNING bot_id, id, channel, session_id, message_count, created_at, updated_at, ${VISITOR_COLUMNS}`,
          [before, most, now],
        )
        const endedConversations = rows.map((row) => ({ ...row, visitor: visitorFromRow(row) }))
        for (const conversation of endedConversations) {
          const { sql, values } = report(conversation)
          await tx.query(sql, values)
        }
        return endedConversations
      })
    },
  }
}

/** The latest rating wins. */
async function writeRating(
  tx: Queries,
  conversation: { botId: string; id: string; channel: Channel },
  messageId: string,
  rating: Rating,
  reason: string | null,
) {
  const key = [conversation.botId, conversation.id, messageId]
  const isWritten = await retryWhenChanged(async () => {
    const [old] = await tx.query<{ rating: Rating | null; createdAt: number }>(
      'SELECT rating, created_at FROM messages WHERE bot_id = $1 AND conversation_id = $2 AND id = $3',
      key,
    )
    if (!old) return true
    const ratedRows = await tx.query(
      `UPDATE messages SET rating = $4, rating_reason = coalesce($5, CASE WHEN rating = $4 THEN rating_reason END)
       WHERE bot_id = $1 AND conversation_id = $2 AND id = $3 AND coalesce(rating, '') = $6 RETURNING id`,
      [...key, rating, reason, old.rating ?? ''],
    )
    if (ratedRows.length === 0) return null
    const change = (which: Rating) => Number(rating === which) - Number(old.rating === which)
    if (old.rating === rating) return true
    const { sql, values } = activityCountStatement(conversation, old.createdAt, {
      ratingsUp: change('up'),
      ratingsDown: change('down'),
    })
    await tx.query(sql, values)
    const statement = ratingStatement(conversation, rating === 'up' ? 'confirmed' : 'negative', old.createdAt)
    await tx.query(statement.sql, statement.values)
    return true
  })
  if (!isWritten) throw new Error('the rating changed with every attempt')
}

type KnownRow = HandoverRow & VisitorRow & Stored<Omit<KnownConversation, 'handover' | 'visitor' | 'visitorId'>>

interface VisitorRow {
  visitorId: string | null
  level: VisitorStatus['level']
  visitorUserId: string | null
}

const VISITOR_COLUMNS = `visitor_id, ${statusColumns('conversations.bot_id', 'conversations.visitor_id')}`
const KNOWN_COLUMNS = `bot_id, id, session_id, unanswered, language, page_url, agent_seen_at, ${HANDOVER_COLUMNS}, ${VISITOR_COLUMNS}`

function visitorFromRow({ visitorId: id, level, visitorUserId: userId }: VisitorRow): VisitorStatus | null {
  return id === null ? null : { id, level, userId }
}

function fromKnownRow(row: KnownRow): KnownConversation {
  return {
    botId: row.botId,
    id: row.id,
    sessionId: row.sessionId,
    visitorId: row.visitorId,
    visitor: visitorFromRow(row),
    unanswered: row.unanswered === 1,
    language: row.language,
    pageUrl: row.pageUrl,
    handover: handoverFromRow(row),
    agentSeenAt: row.agentSeenAt,
  }
}

interface EndedConversation {
  botId: string
  id: string
  channel: Channel
  sessionId: string
  visitor: VisitorStatus | null
  messageCount: number
  createdAt: number
  updatedAt: number
}

function insertion(conversation: ConversationRecord, messages: MessageRecord[]): Statement {
  const { botId, id, channel, sessionId, createdAt, visitorId = null } = conversation
  return {
    sql: `INSERT INTO conversations
            (bot_id, id, message_count, updated_at, user_id, page_url, metadata, language, unanswered, low_confidence,
             asked_at, outcome, channel, session_id, created_at, visitor_id)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, 0), coalesce($10, 0), $11, $12, $13, $14, $15, $16)
          RETURNING id`,
    values: [botId, id, ...turnValues(conversation, messages), channel, sessionId, createdAt, visitorId],
  }
}

function continuation(conversation: ConversationRecord, messages: MessageRecord[]): Statement {
  // Sent without the visitor's token: it may be from somebody else, who must not change the visitor's conversation.
  if (messages.length > 0 && messages.every(({ unverified }) => unverified))
    return {
      sql: `UPDATE conversations SET message_count = message_count + $3, updated_at = $4
            WHERE bot_id = $1 AND id = $2 RETURNING id`,
      values: [conversation.botId, conversation.id, messages.length, messages.at(-1)?.createdAt ?? 0],
    }
  return {
    sql: `UPDATE conversations SET
            message_count = message_count + $3, updated_at = $4, ended_at = NULL, user_id = coalesce($5, user_id),
            page_url = coalesce($6, page_url), metadata = coalesce($7, metadata), language = coalesce($8, language),
            unanswered = coalesce($9, unanswered), low_confidence = coalesce($10, low_confidence),
            ${outcomeAssignments('$11', '$12')},
            snoozed_until = CASE WHEN $13 > 0 OR snoozed_until <= $4 THEN NULL ELSE snoozed_until END
          WHERE bot_id = $1 AND id = $2 RETURNING id`,
    values: [
      conversation.botId,
      conversation.id,
      ...turnValues(conversation, messages),
      // A visitor's message ends the snooze.
      messages.filter(({ role }) => role === 'user').length,
    ],
  }
}

/** The columns a turn changes. */
function turnValues(
  { userId, pageUrl, metadata, language = null, createdAt, isNew, turn }: ConversationRecord,
  messages: MessageRecord[],
) {
  const updatedAt = messages.at(-1)?.createdAt ?? createdAt
  // Thanks or anger in a first message are about nothing that the bot said.
  const isOpinion = turn?.outcome === 'confirmed' || turn?.outcome === 'negative'
  const turnFields = isNew && isOpinion ? [null, null] : [turn?.askedAt ?? null, turn?.outcome ?? null]
  return [messages.length, updatedAt, userId, pageUrl, metadata, language, ...outcome(messages), ...turnFields]
}

/** Null leaves the flag unchanged: the turn had no question for the bot. What a person writes is an answer. */
function outcome(messages: MessageRecord[]): [unanswered: number | null, lowConfidence: number | null] {
  if (messages.some(({ role }) => role === 'agent')) return [0, 0]
  const reply = messages.find(({ role, answered }) => role === 'assistant' && answered !== null)
  if (!reply || reply.decision === 'person' || reply.decision === 'small_talk') return [null, null]
  return [Number(!reply.answered), Number(reply.decision === 'suggest')]
}

// Visitors' access to their own conversations, and their ratings.

const GOOD_STARS = 4
const BAD_STARS = 2

interface OwnRow {
  sessionId: string
  updatedAt: number
  role: MessageRole
  text: string
  firstQuestion: string | null
}

export function openOwnConversationsTable(database: Database) {
  return {
    async rateChat(botId: string, id: string, stars: number, reason: string | null) {
      const verdict = stars >= GOOD_STARS ? 'confirmed' : stars <= BAD_STARS ? 'negative' : null
      await database.batch([
        {
          sql: 'UPDATE conversations SET stars = $3, stars_reason = $4 WHERE bot_id = $1 AND id = $2',
          values: [botId, id, stars, reason],
        },
        ...(verdict ? [ratingStatement({ botId, id }, verdict)] : []),
      ])
    },

    /** Newest first, each with its first question and its last message, if they are verified. */
    async listOf(botId: string, visitorId: string, limit: number) {
      const rows = await database.query<OwnRow>(
        `SELECT c.session_id, c.updated_at, m.role, substr(m.text, 1, 200) AS text, (
           SELECT substr(q.text, 1, 200) FROM messages q WHERE q.bot_id = c.bot_id AND q.conversation_id = c.id
             AND q.unverified = 0 AND q.role = 'user' ORDER BY q.id LIMIT 1) AS first_question FROM conversations c
         JOIN messages m ON m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.id = (
           SELECT max(l.id) FROM messages l
           WHERE l.bot_id = c.bot_id AND l.conversation_id = c.id AND l.unverified = 0)
         WHERE c.bot_id = $1 AND c.visitor_id = $2 ORDER BY c.updated_at DESC, c.id DESC LIMIT $3`,
        [botId, visitorId, limit],
      )
      return rows.map(({ sessionId, updatedAt, role, text, firstQuestion }) => ({
        sessionId,
        updatedAt,
        firstQuestion,
        lastMessage: { role, text },
      }))
    },
  }
}
