// Conversations as the team sees them.
import type { InboxStatus, SavedFilters } from '@docent/contract'
import { readResponseMinutes } from './bots.ts'
import { HANDOVER_COLUMNS, type HandoverRecord, type HandoverRow, handoverFromRow } from './conversations.ts'
import { type Database, first, type Queries, type Statement, type Stored, type Value } from './database.ts'
import { conditionsOf, type InboxFilter, indexedCondition, sourceOf } from './inbox-filter.ts'
import type { Channel, MessageRole } from './messages.ts'
import { queryMany, writeMany } from './statements.ts'
import { statusColumns, type VisitorStatus } from './visitors.ts'

export interface InboxRecord {
  botId: string
  id: string
  sessionId: string
  channel: Channel
  visitor: (VisitorStatus & { name: string | null; email: string | null }) | null
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  language: string | null
  messageCount: number
  lastMessage: { role: MessageRole; text: string } | null
  lastVisitorMessage: { text: string; createdAt: number; unverified: boolean } | null
  unanswered: boolean
  /** The visitor's rating of the whole conversation. */
  rating: { stars: number; reason: string | null } | null
  lowConfidence: boolean
  handover: HandoverRecord
  /** For a person; null while snoozed. */
  waiting: { since: number; dueAt: number | null } | null
  status: InboxStatus
  snoozedUntil: number | null
  /** As stored, even when it has expired. */
  storedSnooze: number | null
  assignee: { id: string; name: string } | null
  tags: string[]
  /** Whether a note mentions the reader. */
  mention: 'unread' | 'read' | null
  unread: boolean
  visitorSeenAt: number | null
  agentSeenAt: number | null
  createdAt: number
  updatedAt: number
}

type WaitingRecord = InboxRecord & { waiting: NonNullable<InboxRecord['waiting']> }

function isWaiting(conversation: InboxRecord): conversation is WaitingRecord {
  return conversation.waiting !== null
}

export interface NoteRecord {
  id: string
  text: string
  author: string
  createdAt: number
  /** Members, with the names as they are in the text. */
  mentions: { id: string; name: string }[]
}

function noteInsertion(botId: string, conversationId: string, note: NoteRecord): Statement {
  return {
    sql: `INSERT INTO conversation_notes (bot_id, conversation_id, id, text, author, created_at)
          VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [botId, conversationId, note.id, note.text, note.author, note.createdAt],
  }
}

/** Who mentions themselves has read it. */
function mentionInsertion(
  botId: string,
  conversationId: string,
  { id, createdAt }: NoteRecord,
  member: NoteRecord['mentions'][number],
  authorId: string,
): Statement {
  const readAt = member.id === authorId ? createdAt : null
  return {
    sql: `INSERT INTO note_mentions (bot_id, conversation_id, note_id, member_id, name, created_at, read_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [botId, conversationId, id, member.id, member.name, createdAt, readAt],
  }
}

/** Within which an equal note is a copy: of a message that arrived twice at once. */
const COPIES_MS = 10_000

/** Adds a note unless it was just added. Copies must come one after the other, as in turns of one conversation. */
export function onceNoteInsertion(
  botId: string,
  conversationId: string,
  note: Omit<NoteRecord, 'mentions'>,
): Statement {
  const { id, text, author, createdAt } = note
  return {
    sql: `INSERT INTO conversation_notes (bot_id, conversation_id, id, text, author, created_at)
          SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (
            SELECT 1 FROM conversation_notes WHERE bot_id = $1 AND conversation_id = $2 AND text = $4 AND created_at > $7)`,
    values: [botId, conversationId, id, text, author, createdAt, createdAt - COPIES_MS],
  }
}

/** Reader and time: unread and snoozed depend on them. */
export interface InboxView {
  readerId: string | null
  now: number
}

/** A position in the list. */
export interface InboxCursor {
  updatedAt: number
  id: string
}

/** A position among those that wait for a person. */
export interface WaitingCursor {
  since: number
  id: string
}

interface ConversationKey {
  botId: string
  id: string
  updatedAt: number
}

type Composed =
  | 'visitor'
  | 'lastMessage'
  | 'lastVisitorMessage'
  | 'rating'
  | 'handover'
  | 'waiting'
  | 'status'
  | 'storedSnooze'

interface InboxRow
  extends HandoverRow,
    Stored<Omit<InboxRecord, Composed | 'assignee' | 'tags' | 'mention' | 'unread'>> {
  visitorId: string | null
  visitorName: string | null
  visitorEmail: string | null
  level: VisitorStatus['level']
  visitorUserId: string | null
  lastRole: MessageRole | null
  lastText: string | null
  questionText: string | null
  questionAt: number | null
  questionUnverified: number | null
  stars: number | null
  starsReason: string | null
  inboxStatus: 'bot' | 'open' | 'resolved'
  assigneeId: string | null
  assigneeName: string | null
  readAt: number | null
  /** Null: not mentioned. */
  unreadMention: number | null
}

const BATCH_SIZE = 1000

/** How often a list is read again that changed while it was read. */
const MAX_ATTEMPTS = 5

const ofConversation = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `c.${column}`)
    .join(', ')

const WAITING_SINCE = 'coalesce(c.requested_at, c.created_at)'

/** $1 is the reader. */
const SELECT = `SELECT c.bot_id, c.id, c.session_id, c.channel, c.visitor_id, c.user_id, c.page_url, c.metadata,
    c.language, c.message_count, c.unanswered, c.low_confidence, c.stars, c.stars_reason, c.created_at, c.updated_at,
    ${ofConversation(`${HANDOVER_COLUMNS}, inbox_status, snoozed_until, assignee_id, assignee_name`)},
    c.visitor_seen_at, c.agent_seen_at, v.name AS visitor_name, v.email AS visitor_email,
    ${statusColumns('c.bot_id', 'c.visitor_id')},
    m.role AS last_role, substr(m.text, 1, 300) AS last_text,
    q.created_at AS question_at, substr(q.text, 1, 300) AS question_text,
    q.unverified AS question_unverified, r.read_at, (
      SELECT max(CASE WHEN n.read_at IS NULL THEN 1 ELSE 0 END) FROM note_mentions n
      WHERE n.bot_id = c.bot_id AND n.conversation_id = c.id AND n.member_id = $1) AS unread_mention
  FROM conversations c
  LEFT JOIN visitors v ON v.bot_id = c.bot_id AND v.id = c.visitor_id
  LEFT JOIN messages m ON m.bot_id = c.bot_id AND m.conversation_id = c.id AND m.id = (
    SELECT max(l.id) FROM messages l WHERE l.bot_id = c.bot_id AND l.conversation_id = c.id)
  LEFT JOIN messages q ON q.bot_id = c.bot_id AND q.conversation_id = c.id AND q.id = (
    SELECT l.id FROM messages l WHERE l.bot_id = c.bot_id AND l.conversation_id = c.id AND l.role = 'user'
    ORDER BY l.id DESC LIMIT 1)
  LEFT JOIN conversation_reads r ON r.bot_id = c.bot_id AND r.conversation_id = c.id AND r.reader_id = $1`

export type InboxTable = ReturnType<typeof openInboxTable>

export function openInboxTable(database: Database) {
  /** With tags, and when a reply is due. */
  async function complete(rows: InboxRow[], now: number): Promise<InboxRecord[]> {
    const tags = new Map<string, string[]>()
    for (const botId of new Set(rows.map(({ botId }) => botId))) {
      const tagRows = await queryMany<{ conversationId: string; tag: string }>(
        database,
        'SELECT conversation_id, tag FROM conversation_tags WHERE bot_id = $1 AND conversation_id IN ({list})',
        [botId],
        rows.filter((row) => row.botId === botId).map(({ id }) => id),
      )
      for (const [id, some] of Map.groupBy(tagRows, ({ conversationId }) => conversationId))
        tags.set(id, some.map(({ tag }) => tag).sort())
    }
    const waiting = rows.filter(({ handoverStatus }) => handoverStatus === 'requested')
    const minutes = await readResponseMinutes(database, [...new Set(waiting.map(({ botId }) => botId))])
    return rows.map((row) => fromRow(row, tags.get(row.id) ?? [], minutes.get(row.botId) ?? null, now))
  }

  /** Conversations after `before`, up to and including `until`. */
  async function findKeysBetween(
    botId: string,
    filter: InboxFilter,
    now: number,
    between: { before: InboxCursor | null; until: InboxCursor | null },
    limit: number,
  ): Promise<ConversationKey[]> {
    const { before, until } = between
    const values: Value[] = [botId, limit]
    const value = (parameter: Value) => `$${values.push(parameter)}`
    const { tables, joined } = sourceOf(filter, value)
    const where = [...joined, ...conditionsOf(filter, now, value)]
    if (before) where.push(`(c.updated_at, c.id) < (${value(before.updatedAt)}, ${value(before.id)})`)
    if (until) where.push(`(c.updated_at, c.id) >= (${value(until.updatedAt)}, ${value(until.id)})`)
    return database.query<ConversationKey>(
      `SELECT c.bot_id, c.id, c.updated_at FROM ${tables} WHERE ${where.join(' AND ')}
       ORDER BY c.updated_at DESC, c.id DESC LIMIT $2`,
      values,
    )
  }

  /** The position one batch further down; null when fewer remain. */
  async function findBatchEnd(
    botId: string,
    filter: InboxFilter,
    from: InboxCursor | null,
  ): Promise<InboxCursor | null> {
    const values: Value[] = [botId, BATCH_SIZE - 1]
    const value = (parameter: Value) => `$${values.push(parameter)}`
    const indexCondition = indexedCondition(filter, value)
    const { tables, joined } = sourceOf(filter, value)
    const where = [...joined, ...(indexCondition ? [indexCondition] : [])]
    if (from) where.push(`(c.updated_at, c.id) < (${value(from.updatedAt)}, ${value(from.id)})`)
    const row = await first(
      database.query<{ updatedAt: number; id: string }>(
        `SELECT c.updated_at, c.id FROM ${tables} WHERE ${where.join(' AND ')}
         ORDER BY c.updated_at DESC, c.id DESC LIMIT 1 OFFSET $2`,
        values,
      ),
    )
    return row ? { updatedAt: row.updatedAt, id: row.id } : null
  }

  async function findKeys(botId: string, filter: InboxFilter, now: number, before: InboxCursor | null, limit: number) {
    const keys: ConversationKey[] = []
    // Nearly all match `waiting: false`.
    const isFiltered = Object.values({ ...filter, waiting: filter.waiting || undefined }).some(
      (each) => each !== undefined,
    )
    // Matches may be rare: search in batches and yield between them.
    for (let from = before; ; await new Promise(setImmediate)) {
      const until = isFiltered ? await findBatchEnd(botId, filter, from) : null
      keys.push(...(await findKeysBetween(botId, filter, now, { before: from, until }, limit - keys.length)))
      if (!until || keys.length >= limit) return keys
      from = until
    }
  }

  async function readRows(keys: ConversationKey[], readerId: string | null): Promise<InboxRow[]> {
    const rows = new Map<string, InboxRow>()
    for (const [botId, some] of Map.groupBy(keys, ({ botId }) => botId)) {
      const ids = some.map(({ id }) => id)
      const sql = `${SELECT} WHERE c.bot_id = $2 AND c.id IN ({list})`
      for (const row of await queryMany<InboxRow>(database, sql, [readerId ?? '', botId], ids))
        rows.set(`${botId} ${row.id}`, row)
    }
    return keys.flatMap(({ botId, id, updatedAt }) => {
      const row = rows.get(`${botId} ${id}`)
      // The time it was picked by: with a later one the next page would start at the top again.
      return row ? [{ ...row, updatedAt }] : []
    })
  }

  /** Newest message first, starting below `before`. */
  async function list(
    botIds: readonly string[],
    filter: InboxFilter,
    view: InboxView,
    before: InboxCursor | null,
    limit: number,
  ): Promise<InboxRecord[]> {
    const all: ConversationKey[] = []
    // One bot at a time, in index order; all at once would need a full sort.
    for (const botId of botIds) {
      all.push(...(await findKeys(botId, filter, view.now, before, limit)))
      if (botIds.length > 1) await new Promise(setImmediate)
    }
    all.sort((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1))
    const keys = all.slice(0, limit)
    const rows = await readRows(keys, view.readerId)
    // Rows were deleted in between. Retry: a short page would look like the end of the list.
    if (rows.length < keys.length) return list(botIds, filter, view, before, limit)
    return complete(rows, view.now)
  }

  /** The longest waiting first, starting below `after`. */
  async function listWaiting(
    botIds: readonly string[],
    filter: InboxFilter,
    view: InboxView,
    after: WaitingCursor | null,
    limit: number,
    attempts = MAX_ATTEMPTS,
  ): Promise<WaitingRecord[]> {
    const values: Value[] = [limit]
    const value = (parameter: Value) => `$${values.push(parameter)}`
    const where = conditionsOf({ ...filter, waiting: true }, view.now, value)
    if (after) where.push(`(${WAITING_SINCE}, c.id) > (${value(after.since)}, ${value(after.id)})`)
    // All bots at once: few wait.
    const all = await queryMany<ConversationKey & { since: number }>(
      database,
      `SELECT c.bot_id, c.id, c.updated_at, ${WAITING_SINCE} AS since FROM conversations c
       WHERE ${where.join(' AND ')} AND c.bot_id IN ({list}) ORDER BY since, c.id LIMIT $1`,
      values,
      botIds,
    )
    all.sort((one, other) => one.since - other.since || (one.id < other.id ? -1 : 1))
    const keys = all.slice(0, limit)
    const waiting = (await complete(await readRows(keys, view.readerId), view.now)).filter(isWaiting)
    if (waiting.length === keys.length || attempts === 1) return waiting
    // Some were deleted or taken over in between.
    return listWaiting(botIds, filter, view, after, limit, attempts - 1)
  }

  /** First those that wait for a person, then by newest message. */
  async function listWaitingFirst(
    botIds: readonly string[],
    filter: InboxFilter,
    view: InboxView,
    after: WaitingCursor | InboxCursor | null,
    limit: number,
    attempts = MAX_ATTEMPTS,
  ): Promise<InboxRecord[]> {
    const below = after && 'updatedAt' in after ? after : null
    const waiting =
      below || filter.waiting === false
        ? []
        : await listWaiting(botIds, filter, view, after as WaitingCursor | null, limit)
    if (waiting.length === limit || filter.waiting) return waiting
    const rest = await list(botIds, { ...filter, waiting: false }, view, below, limit - waiting.length)
    if (attempts === 1 || !rest.some(isWaiting)) return [...waiting, ...rest]
    // One that began to wait in between belongs to the top.
    return listWaitingFirst(botIds, filter, view, after, limit, attempts - 1)
  }

  return {
    async find(botId: string, id: string, view: InboxView) {
      const rows = await database.query<InboxRow>(`${SELECT} WHERE c.bot_id = $2 AND c.id = $3`, [
        view.readerId ?? '',
        botId,
        id,
      ])
      const [conversation] = await complete(rows, view.now)
      return conversation
    },

    list,
    listWaiting,
    listWaitingFirst,

    async addNote(botId: string, conversationId: string, note: NoteRecord, authorId: string) {
      await database.batch([
        noteInsertion(botId, conversationId, note),
        ...note.mentions.map((each) => mentionInsertion(botId, conversationId, note, each, authorId)),
      ])
    },

    async listNotes(botId: string, conversationId: string): Promise<NoteRecord[]> {
      const [notes, mentions] = await Promise.all([
        database.query<Omit<NoteRecord, 'mentions'>>(
          `SELECT id, text, author, created_at FROM conversation_notes WHERE bot_id = $1 AND conversation_id = $2
           ORDER BY id`,
          [botId, conversationId],
        ),
        database.query<{ noteId: string; id: string; name: string }>(
          `SELECT note_id, member_id AS id, name FROM note_mentions WHERE bot_id = $1 AND conversation_id = $2
           ORDER BY note_id, name, member_id`,
          [botId, conversationId],
        ),
      ])
      const byNote = Map.groupBy(mentions, ({ noteId }) => noteId)
      return notes.map((note) => ({
        ...note,
        mentions: (byNote.get(note.id) ?? []).map(({ id, name }) => ({ id, name })),
      }))
    },
  }
}

function fromRow(row: InboxRow, tags: string[], responseMinutes: number | null, now: number): InboxRecord {
  const { visitorId, lastRole, questionAt: askedAt, snoozedUntil, assigneeId } = row
  const isUnverified = row.questionUnverified === 1
  const isAsleep = snoozedUntil !== null && snoozedUntil > now
  const isSnoozed = row.inboxStatus === 'open' && isAsleep
  const status = isSnoozed ? 'snoozed' : row.inboxStatus
  // The end of a snooze counts as unread.
  const newsAt = Math.max(askedAt ?? 0, snoozedUntil ?? 0)
  return {
    botId: row.botId,
    id: row.id,
    sessionId: row.sessionId,
    channel: row.channel,
    visitor: visitorId === null ? null : visitorFromRow(row, visitorId),
    userId: row.userId,
    pageUrl: row.pageUrl,
    metadata: row.metadata,
    language: row.language,
    messageCount: row.messageCount,
    lastMessage: lastRole === null ? null : { role: lastRole, text: row.lastText ?? '' },
    lastVisitorMessage:
      askedAt === null ? null : { text: row.questionText ?? '', createdAt: askedAt, unverified: isUnverified },
    unanswered: row.unanswered === 1,
    rating: row.stars === null ? null : { stars: row.stars, reason: row.starsReason },
    lowConfidence: row.lowConfidence === 1,
    handover: handoverFromRow(row),
    // The same condition as of the filter, which the list relies on.
    waiting: row.handoverStatus === 'requested' && !isAsleep ? waitingFromRow(row, responseMinutes) : null,
    status,
    snoozedUntil: isSnoozed ? snoozedUntil : null,
    storedSnooze: snoozedUntil,
    assignee: assigneeId === null ? null : { id: assigneeId, name: row.assigneeName ?? '' },
    tags,
    mention: row.unreadMention === null ? null : row.unreadMention === 1 ? 'unread' : 'read',
    unread: status === 'open' && (lastRole !== 'agent' || snoozedUntil !== null) && newsAt > (row.readAt ?? 0),
    visitorSeenAt: row.visitorSeenAt,
    agentSeenAt: row.agentSeenAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

function waitingFromRow({ requestedAt, createdAt }: InboxRow, responseMinutes: number | null): InboxRecord['waiting'] {
  const since = requestedAt ?? createdAt
  return { since, dueAt: responseMinutes === null ? null : since + responseMinutes * 60_000 }
}

function visitorFromRow(row: InboxRow, id: string): InboxRecord['visitor'] {
  return { id, name: row.visitorName, email: row.visitorEmail, level: row.level, userId: row.visitorUserId }
}

// Changes by team members that post no message.

interface Ids {
  botId: string
  id: string
}

export interface InboxState {
  status: 'bot' | 'open' | 'resolved'
  snoozedUntil: number | null
  assignee: { id: string; name: string } | null
}

/** Writes the new state unless the conversation has changed since it was read; returns whether it did. */
export async function updateInboxState(
  tx: Queries,
  { botId, id }: Ids,
  from: Pick<InboxRecord, 'status' | 'assignee' | 'handover' | 'storedSnooze'>,
  to: InboxState,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE conversations SET inbox_status = $3, snoozed_until = $4, assignee_id = $5, assignee_name = $6
     WHERE bot_id = $1 AND id = $2 AND inbox_status = $7 AND coalesce(assignee_id, '') = $8
       AND handover_status = $9 AND coalesce(snoozed_until, 0) = $10 RETURNING id`,
    [
      botId,
      id,
      to.status,
      to.snoozedUntil,
      to.assignee?.id ?? null,
      to.assignee?.name ?? null,
      from.status === 'snoozed' ? 'open' : from.status,
      from.assignee?.id ?? '',
      from.handover.status,
      from.storedSnooze ?? 0,
    ],
  )
  return rows.length > 0
}

export async function readAssignee(tx: Queries, { botId, id }: Ids): Promise<string | null> {
  const row = await first(
    tx.query<{ assigneeId: string | null }>('SELECT assignee_id FROM conversations WHERE bot_id = $1 AND id = $2', [
      botId,
      id,
    ]),
  )
  return row?.assigneeId ?? null
}

/** In a transaction that has changed the conversation before, so that nobody else assigns it meanwhile. */
export async function assign(tx: Queries, { botId, id }: Ids, to: { id: string; name: string }): Promise<void> {
  await tx.query('UPDATE conversations SET assignee_id = $3, assignee_name = $4 WHERE bot_id = $1 AND id = $2', [
    botId,
    id,
    to.id,
    to.name,
  ])
}

/** Reopens a resolved conversation, or moves one of the bot's to the team. */
export async function openInInbox(tx: Queries, { botId, id }: Ids): Promise<void> {
  await tx.query(`UPDATE conversations SET inbox_status = 'open', snoozed_until = NULL WHERE bot_id = $1 AND id = $2`, [
    botId,
    id,
  ])
}

export async function changeTags(tx: Queries, { botId, id }: Ids, add: string[], remove: string[]): Promise<void> {
  await queryMany(
    tx,
    'DELETE FROM conversation_tags WHERE bot_id = $1 AND conversation_id = $2 AND tag IN ({list})',
    [botId, id],
    remove,
  )
  await writeMany(
    tx,
    'INSERT INTO conversation_tags (bot_id, conversation_id, tag) VALUES {rows} ON CONFLICT DO NOTHING',
    [...new Set(add)].map((tag) => [botId, id, tag]),
  )
}

export function openInboxChangesTable(database: Database) {
  return {
    async markRead({ botId, id }: Ids, readerId: string, until: number) {
      await database.batch([
        {
          sql: `INSERT INTO conversation_reads (bot_id, conversation_id, reader_id, read_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (bot_id, conversation_id, reader_id) DO UPDATE SET read_at = excluded.read_at
                WHERE conversation_reads.read_at < excluded.read_at`,
          values: [botId, id, readerId, until],
        },
        {
          sql: `UPDATE note_mentions SET read_at = $4
                WHERE bot_id = $1 AND conversation_id = $2 AND member_id = $3 AND read_at IS NULL AND created_at <= $4`,
          values: [botId, id, readerId, until],
        },
      ])
    },

    /** Conversations with a note that mentions the member, not read yet. */
    async countUnreadMentions(botIds: readonly string[], memberId: string): Promise<number> {
      const rows = await queryMany<{ count: number }>(
        database,
        `SELECT count(DISTINCT conversation_id) AS count FROM note_mentions
         WHERE member_id = $1 AND read_at IS NULL AND bot_id IN ({list})`,
        [memberId],
        botIds,
      )
      return rows.reduce((sum, { count }) => sum + count, 0)
    },

    /** Returns whether this is later than the stored time. */
    async markSeen({ botId, id }: Ids, by: 'visitor' | 'agent', until: number): Promise<boolean> {
      const column = by === 'visitor' ? 'visitor_seen_at' : 'agent_seen_at'
      const rows = await database.write(
        `UPDATE conversations SET ${column} = $3
         WHERE bot_id = $1 AND id = $2 AND coalesce(${column}, 0) < $3 RETURNING id`,
        [botId, id, until],
      )
      return rows.length > 0
    },

    countOpen: (botIds: readonly string[]) => countOpen(database, botIds),

    /** Conversations per tag. */
    async countTags(botIds: readonly string[]): Promise<Map<string, number>> {
      const rows = await queryMany<{ tag: string; count: number }>(
        database,
        'SELECT tag, count(*) AS count FROM conversation_tags WHERE bot_id IN ({list}) GROUP BY tag',
        [],
        botIds,
      )
      return sumUp(rows.map(({ tag, count }) => [tag, count]))
    },
  }
}

/** Open conversations per assignee. */
export async function countOpen(tx: Queries, botIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queryMany<{ assigneeId: string; count: number }>(
    tx,
    `SELECT assignee_id, count(*) AS count FROM conversations
     WHERE inbox_status = 'open' AND assignee_id IS NOT NULL AND bot_id IN ({list}) GROUP BY assignee_id`,
    [],
    botIds,
  )
  return sumUp(rows.map(({ assigneeId, count }) => [assigneeId, count]))
}

function sumUp(counts: [string, number][]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

type Filters = SavedFilters['filters']

/** Saved inbox filters, one list per person. */
export function openSavedFiltersTable(database: Database) {
  return {
    async find(workspaceId: string, ownerId: string): Promise<Filters> {
      const row = await first(
        database.query<{ filters: string }>(
          'SELECT filters FROM saved_filters WHERE workspace_id = $1 AND owner_id = $2',
          [workspaceId, ownerId],
        ),
      )
      return row ? (JSON.parse(row.filters) as Filters) : []
    },

    async replace(workspaceId: string, ownerId: string, filters: Filters) {
      await database.write(
        `INSERT INTO saved_filters (workspace_id, owner_id, filters) VALUES ($1, $2, $3)
         ON CONFLICT (workspace_id, owner_id) DO UPDATE SET filters = excluded.filters`,
        [workspaceId, ownerId, JSON.stringify(filters)],
      )
    },
  }
}
