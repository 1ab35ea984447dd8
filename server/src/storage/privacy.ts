// Everyone who writes to a bot: widget visitors by id, and users as `user:` plus their id in the site's own system: in the
// chat API, and verified in the widget.

import type { VisitorLevel } from '@docent/contract'
import { timedIdsBefore } from '../ids.ts'
import { type Database, first, type Queries, type Row, type Value } from './database.ts'
import type { Channel } from './messages.ts'
import { eraseFromNotifications } from './notifications.ts'
import { DELETED_COLUMNS, type DeletedConversation, keepResolutions } from './resolutions.ts'
import { queryMany } from './statements.ts'

export interface PersonRecord {
  id: string
  channel: Channel
  /** Null: of the chat API. */
  level: VisitorLevel | null
  userId: string | null
  name: string | null
  email: string | null
  phone: string | null
  locale: string | null
  conversations: number
  firstSeenAt: number
  lastSeenAt: number
}

const USER = 'user:'
const NAMES = ['v.name_lower', 'l.name_lower']
const VISITOR_COLUMNS = `v.id AS id, 'widget' AS channel, CASE WHEN i.user_id IS NOT NULL THEN 'verified'
    WHEN coalesce(v.name, v.email, l.id) IS NOT NULL THEN 'claimed' ELSE 'anonymous' END AS level,
  i.user_id AS user_id, coalesce(v.name, l.name) AS name,
  coalesce(v.email, l.email) AS email, coalesce(i.phone, l.phone) AS phone, v.locale AS locale,
  v.created_at AS first_seen_at`
const VISITORS = `visitors v LEFT JOIN leads l ON l.bot_id = v.bot_id AND l.visitor_id = v.id
  LEFT JOIN visitor_identities i ON i.bot_id = v.bot_id AND i.visitor_id = v.id`
const USER_COLUMNS = `'${USER}' || c.user_id AS id, 'api' AS channel, NULL AS level, c.user_id AS user_id, NULL AS name,
  NULL AS email, NULL AS phone, NULL AS locale, min(c.created_at) AS first_seen_at`
// A verified visitor's conversations of the chat API are listed apart.
const API_USER = `CASE WHEN p.channel = 'api' THEN p.user_id END`
// The sum keeps SQLite from scanning all conversations by time.
const LAST_SEEN = `coalesce((SELECT count(*) FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = p.id), 0)
    + coalesce((SELECT count(*) FROM conversations c WHERE c.bot_id = $1 AND c.user_id = ${API_USER}), 0) AS conversations,
  coalesce((SELECT max(c.updated_at + 0) FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = p.id),
    (SELECT max(c.updated_at + 0) FROM conversations c WHERE c.bot_id = $1 AND c.user_id = ${API_USER}),
    p.first_seen_at) AS last_seen_at`

export function openPeopleTable(database: Database) {
  /** Conditions on a visitor and on a user. `value` adds a parameter and returns its placeholder. */
  function searchConditions(text: string, value: (parameter: Value) => string) {
    const whole = value(text)
    const part = value(`%${escapeLike(text.toLowerCase())}%`)
    const like = (column: string) => `${column} LIKE ${part} ESCAPE '\\'`
    const digits = phoneDigits(text)
    const phones = ['l.phone', 'i.phone'].map(bare)
    const phone = digits ? phones.map((column) => `${column} LIKE ${value(`%${digits}%`)}`) : []
    const texts = [...NAMES, 'lower(v.email)', 'lower(l.email)', 'lower(i.user_id)']
    const visitor = [`v.id = ${whole}`, `'${USER}' || i.user_id = ${whole}`, ...texts.map(like), ...phone]
    return {
      visitor: visitor.join(' OR '),
      user: [`'${USER}' || c.user_id = ${whole}`, like('lower(c.user_id)')].join(' OR '),
    }
  }

  async function find(botId: string, id: string): Promise<PersonRecord | undefined> {
    const { userId, visitorId } = await keysOf(database, botId, id)
    const one = (from: string, key: string) =>
      first(database.query<PersonRecord>(`SELECT p.*, ${LAST_SEEN} FROM (${from}) AS p`, [botId, key]))
    const visitor = visitorId
      ? await one(`SELECT ${VISITOR_COLUMNS} FROM ${VISITORS} WHERE v.bot_id = $1 AND v.id = $2`, visitorId)
      : undefined
    if (userId === null) return visitor
    const user = await one(
      `SELECT ${USER_COLUMNS} FROM conversations c WHERE c.bot_id = $1 AND c.user_id = $2 GROUP BY c.user_id`,
      userId,
    )
    if (!visitor || !user) return user ?? (visitor && { ...visitor, id })
    return {
      ...visitor,
      id,
      conversations: visitor.conversations + user.conversations,
      firstSeenAt: Math.min(visitor.firstSeenAt, user.firstSeenAt),
      lastSeenAt: Math.max(visitor.lastSeenAt, user.lastSeenAt),
    }
  }

  return {
    /** Newest first. */
    async list(botId: string, text: string, before: { firstSeenAt: number; id: string } | null, limit: number) {
      const values: Value[] = [botId, limit]
      const value = (parameter: Value) => `$${values.push(parameter)}`
      const match = text === '' ? { visitor: '1 = 1', user: '1 = 1' } : searchConditions(text, value)
      const older = before ? `WHERE (p.first_seen_at, p.id) < (${value(before.firstSeenAt)}, ${value(before.id)})` : ''
      return database.query<PersonRecord>(
        `SELECT p.*, ${LAST_SEEN} FROM (
           SELECT * FROM (
             SELECT ${VISITOR_COLUMNS} FROM ${VISITORS} WHERE v.bot_id = $1 AND (${match.visitor})
             UNION ALL
             SELECT ${USER_COLUMNS} FROM conversations c
             WHERE c.bot_id = $1 AND c.user_id IS NOT NULL AND (${match.user}) GROUP BY c.user_id) AS p
           ${older} ORDER BY p.first_seen_at DESC, p.id DESC LIMIT $2) AS p
         ORDER BY p.first_seen_at DESC, p.id DESC`,
        values,
      )
    },

    find,

    /** The ids that a person's data is stored under. */
    keysOf: (botId: string, id: string) => keysOf(database, botId, id),

    /** Deletes all data about a person, all or nothing. Returns whether there was any. */
    erase: (botId: string, id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const { userId, visitorId } = await keysOf(tx, botId, id)
        const conversations = await tx.query<{ id: string; sessionId: string }>(
          `SELECT id, session_id FROM conversations WHERE bot_id = $1 AND (visitor_id = $2 OR user_id = $3)`,
          [botId, visitorId, userId],
        )
        const ids = conversations.map((conversation) => conversation.id)
        const sessions = conversations.map((conversation) => conversation.sessionId)
        if (userId !== null) await removeAnswers(tx, botId, new Set(sessions))
        const about = [...ids, ...(userId === null ? [] : [id, ...sessions.map((session) => `session:${session}`)])]
        // First: this waits for a digest being built from them, so that its rows are removed below.
        const deletedConversations = await queryMany<DeletedConversation>(
          tx,
          `DELETE FROM conversations WHERE bot_id = $1 AND id IN ({list}) RETURNING ${DELETED_COLUMNS}`,
          [botId],
          ids,
        )
        await keepResolutions(tx, botId, deletedConversations)
        const leads = await tx.query('DELETE FROM leads WHERE bot_id = $1 AND visitor_id = $2 RETURNING id', [
          botId,
          visitorId,
        ])
        const visitors = await tx.query('DELETE FROM visitors WHERE bot_id = $1 AND id = $2 RETURNING id', [
          botId,
          visitorId,
        ])
        const deliveries = await queryMany(
          tx,
          'DELETE FROM deliveries WHERE bot_id = $1 AND about IN ({list}) RETURNING id',
          [botId],
          about,
        )
        await eraseFromNotifications(tx, botId, ids)
        return ids.length + deliveries.length + leads.length + visitors.length > 0
      }),

    /** Deletes a conversation with its events, and its visitor if it was their last. Returns whether it existed. */
    eraseConversation: (botId: string, id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const [conversation] = await tx.query<DeletedConversation & { sessionId: string; visitorId: string | null }>(
          `DELETE FROM conversations WHERE bot_id = $1 AND id = $2 RETURNING session_id, visitor_id, ${DELETED_COLUMNS}`,
          [botId, id],
        )
        if (!conversation) return false
        await keepResolutions(tx, botId, [conversation])
        const { sessionId: session, visitorId } = conversation
        if (visitorId === null) await removeAnswers(tx, botId, new Set([session]))
        await tx.query('DELETE FROM deliveries WHERE bot_id = $1 AND about IN ($2, $3)', [
          botId,
          id,
          `session:${session}`,
        ])
        await eraseFromNotifications(tx, botId, [id])
        await removeOrphanedVisitors(tx, botId, visitorId === null ? [] : [visitorId])
        // A lead of a visitor with other conversations stays, without the words that were deleted.
        await tx.query(
          `UPDATE leads SET message = CASE WHEN source = 'message' THEN NULL ELSE message END,
             conversation_id = (SELECT c.id FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = leads.visitor_id
               ORDER BY c.updated_at DESC, c.id DESC LIMIT 1)
           WHERE bot_id = $1 AND visitor_id = $2 AND conversation_id = $3`,
          [botId, visitorId, id],
        )
        return true
      }),
  }
}

/** Idempotent answers kept for replay name their session. */
async function removeAnswers(tx: Queries, botId: string, sessions: Set<string>) {
  const [only] = sessions.size === 1 ? sessions : []
  const pattern = only === undefined ? '%' : `%${escapeLike(JSON.stringify(only))}%`
  const calls = await tx.query<{ keyId: string; idempotencyKey: string; answer: string }>(
    `SELECT key_id, idempotency_key, answer FROM idempotent_calls WHERE bot_id = $1 AND answer LIKE $2 ESCAPE '\\'`,
    [botId, pattern],
  )
  for (const { keyId, idempotencyKey, answer } of calls) {
    if (!sessions.has((JSON.parse(answer) as { session_id: string }).session_id)) continue
    await tx.query('DELETE FROM idempotent_calls WHERE bot_id = $1 AND key_id = $2 AND idempotency_key = $3', [
      botId,
      keyId,
      idempotencyKey,
    ])
  }
}

/** A user may also be a verified visitor. */
async function keysOf(tx: Pick<Queries, 'query'>, botId: string, id: string) {
  const userId = id.startsWith(USER) ? id.slice(USER.length) : null
  if (userId === null) return { userId, visitorId: id }
  const [identity] = await tx.query<{ visitorId: string }>(
    'SELECT visitor_id FROM visitor_identities WHERE bot_id = $1 AND user_id = $2',
    [botId, userId],
  )
  return { userId, visitorId: identity?.visitorId ?? null }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The digits that do not depend on notation: "0664 / 123" matches "+43664123". Null: not a number. */
function phoneDigits(text: string): string | null {
  if (!/^[+\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}

function bare(column: string): string {
  return [' ', '-', '/', '(', ')', '.'].reduce((text, sign) => `replace(${text}, '${sign}', '')`, column)
}

// Deletes conversations idle for longer than their bot's retention period, and records the run.

export function openRetentionTable(database: Database) {
  return {
    /** Across all tenants: bots with a retention period whose last run was before `claimedBefore`. */
    listDue: (claimedBefore: number, limit: number) =>
      database.query<{ botId: string; retentionDays: number }>(
        `SELECT b.id AS bot_id, b.retention_days FROM bots b LEFT JOIN retention_runs r ON r.bot_id = b.id
         WHERE b.retention_days > 0 AND (r.claimed_at IS NULL OR r.claimed_at <= $1) LIMIT $2`,
        [claimedBefore, limit],
      ),

    /** Succeeds on one node only. */
    async claim(botId: string, now: number, claimedBefore: number): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO retention_runs (bot_id, claimed_at) SELECT id, CAST($2 AS BIGINT) FROM bots WHERE id = $1
         ON CONFLICT (bot_id) DO UPDATE SET claimed_at = $2 WHERE retention_runs.claimed_at <= $3
         RETURNING bot_id`,
        [botId, now, claimedBefore],
      )
      return rows.length > 0
    },

    /** Only for the claim's holder: a slow run must not overwrite a later one. */
    async finish(botId: string, claimedAt: number, removedCount: number) {
      await database.write(
        'UPDATE retention_runs SET finished_at = $2, removed = $3 WHERE bot_id = $1 AND claimed_at = $2',
        [botId, claimedAt, removedCount],
      )
    },

    /** One batch, with dependent rows and visitors and leads left without a conversation. Returns how many. */
    removeQuiet: (botId: string, before: number, most: number): Promise<number> =>
      database.transaction(async (tx) => {
        const rows = await tx.query<DeletedConversation & { visitorId: string | null }>(
          `DELETE FROM conversations WHERE bot_id = $1 AND updated_at < $2 AND id IN (
             SELECT id FROM conversations WHERE bot_id = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3)
           RETURNING visitor_id, ${DELETED_COLUMNS}`,
          [botId, before, most],
        )
        await keepResolutions(tx, botId, rows)
        const visitorIds = [...new Set(rows.flatMap(({ visitorId }) => visitorId ?? []))]
        await removeOrphanedVisitors(tx, botId, visitorIds)
        return rows.length
      }),

    /** Removes finished deliveries of events before a time, one batch. Returns how many. */
    async removeDeliveries(botId: string, before: number, most: number): Promise<number> {
      const rows = await database.write(
        `DELETE FROM deliveries WHERE bot_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE bot_id = $1 AND id < $2 AND state <> 'pending' LIMIT $3)
         RETURNING id`,
        [botId, timedIdsBefore('evt', before), most],
      )
      return rows.length
    },

    /** Removes runs of actions without a conversation, such as tests, before a time. Returns how many. */
    async removeRuns(botId: string, before: number, most: number): Promise<number> {
      const rows = await database.write(
        `DELETE FROM action_runs WHERE bot_id = $1 AND id IN (
           SELECT id FROM action_runs WHERE bot_id = $1 AND conversation_id IS NULL AND created_at < $2 LIMIT $3)
         RETURNING id`,
        [botId, before, most],
      )
      return rows.length
    },

    async describe(botId: string) {
      const row = await first(
        database.query<Row & { finishedAt: number | null; removed: number | null; oldest: number | null }>(
          `SELECT (SELECT finished_at FROM retention_runs WHERE bot_id = $1) AS finished_at,
             (SELECT removed FROM retention_runs WHERE bot_id = $1) AS removed,
             (SELECT min(updated_at) FROM conversations WHERE bot_id = $1) AS oldest`,
          [botId],
        ),
      )
      return { lastRunAt: row?.finishedAt ?? null, lastRemoved: row?.removed ?? 0, oldestAt: row?.oldest ?? null }
    },
  }
}

/** Removes those of the visitors who have no conversation left, with their leads. */
async function removeOrphanedVisitors(tx: Queries, botId: string, visitorIds: readonly string[]) {
  const orphanCondition = (column: string) =>
    `${column} IN ({list}) AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = ${column})`
  await queryMany(
    tx,
    `DELETE FROM leads WHERE bot_id = $1 AND ${orphanCondition('leads.visitor_id')}`,
    [botId],
    visitorIds,
  )
  await queryMany(
    tx,
    `DELETE FROM visitors WHERE bot_id = $1 AND ${orphanCondition('visitors.id')}`,
    [botId],
    visitorIds,
  )
}
