// Everyone who writes to a bot: widget visitors by id, chat API users as `user:` plus their name.

import { timedIdsBefore } from '../ids.ts'
import { type Database, first, type Queries, type Row, type Value } from './database.ts'
import type { Channel } from './messages.ts'
import { eraseFromNotifications } from './notifications.ts'
import { queryMany } from './statements.ts'

export interface PersonRecord {
  id: string
  channel: Channel
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
const VISITOR_COLUMNS = `v.id AS id, 'widget' AS channel, NULL AS user_id, coalesce(v.name, l.name) AS name,
  coalesce(v.email, l.email) AS email, l.phone AS phone, v.locale AS locale, v.created_at AS first_seen_at`
const VISITORS = `visitors v LEFT JOIN leads l ON l.bot_id = v.bot_id AND l.visitor_id = v.id`
const USER_COLUMNS = `'${USER}' || c.user_id AS id, 'api' AS channel, c.user_id AS user_id, NULL AS name, NULL AS email,
  NULL AS phone, NULL AS locale, min(c.created_at) AS first_seen_at`
// The sum keeps SQLite from scanning all conversations by time.
const LAST_SEEN = `coalesce((SELECT count(*) FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = p.id), 0)
    + coalesce((SELECT count(*) FROM conversations c WHERE c.bot_id = $1 AND c.user_id = p.user_id), 0) AS conversations,
  coalesce((SELECT max(c.updated_at + 0) FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = p.id),
    (SELECT max(c.updated_at + 0) FROM conversations c WHERE c.bot_id = $1 AND c.user_id = p.user_id),
    p.first_seen_at) AS last_seen_at`

export type PeopleTable = ReturnType<typeof openPeopleTable>

export function openPeopleTable(database: Database) {
  /** Conditions on a visitor and on a user. `value` adds a parameter and returns its placeholder. */
  function matching(text: string, value: (given: Value) => string) {
    const whole = value(text)
    const part = value(`%${escapeLike(text.toLowerCase())}%`)
    const like = (column: string) => `${column} LIKE ${part} ESCAPE '\\'`
    const digits = phoneDigits(text)
    const phone = digits ? [`${bare('l.phone')} LIKE ${value(`%${digits}%`)}`] : []
    const visitor = [`v.id = ${whole}`, ...[...NAMES, 'lower(v.email)', 'lower(l.email)'].map(like), ...phone]
    return {
      visitor: visitor.join(' OR '),
      user: [`'${USER}' || c.user_id = ${whole}`, like('lower(c.user_id)')].join(' OR '),
    }
  }

  return {
    /** Newest first. */
    async list(botId: string, text: string, before: { firstSeenAt: number; id: string } | null, limit: number) {
      const values: Value[] = [botId, limit]
      const value = (given: Value) => `$${values.push(given)}`
      const match = text === '' ? { visitor: '1 = 1', user: '1 = 1' } : matching(text, value)
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

    async find(botId: string, id: string) {
      const userId = userOf(id)
      const one =
        userId === null
          ? `SELECT ${VISITOR_COLUMNS} FROM ${VISITORS} WHERE v.bot_id = $1 AND v.id = $2`
          : `SELECT ${USER_COLUMNS} FROM conversations c WHERE c.bot_id = $1 AND c.user_id = $2 GROUP BY c.user_id`
      return first(database.query<PersonRecord>(`SELECT p.*, ${LAST_SEEN} FROM (${one}) AS p`, [botId, userId ?? id]))
    },

    /** Deletes all data about a person, all or nothing. Returns whether there was any. */
    erase: (botId: string, id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const userId = userOf(id)
        const conversations = await tx.query<{ id: string; sessionId: string }>(
          `SELECT id, session_id FROM conversations
           WHERE bot_id = $1 AND ${userId === null ? 'visitor_id' : 'user_id'} = $2`,
          [botId, userId ?? id],
        )
        const ids = conversations.map((conversation) => conversation.id)
        const sessions = conversations.map((conversation) => conversation.sessionId)
        if (userId !== null) await removeAnswers(tx, botId, new Set(sessions))
        const about = [...ids, ...(userId === null ? [] : [id, ...sessions.map((session) => `session:${session}`)])]
        // First: this waits for a digest being built from them, so that its rows are removed below.
        await queryMany(tx, 'DELETE FROM conversations WHERE bot_id = $1 AND id IN ({list})', [botId], ids)
        const leads = await tx.query('DELETE FROM leads WHERE bot_id = $1 AND visitor_id = $2 RETURNING id', [
          botId,
          id,
        ])
        const known = await tx.query('DELETE FROM visitors WHERE bot_id = $1 AND id = $2 RETURNING id', [botId, id])
        const deliveries = await queryMany(
          tx,
          'DELETE FROM deliveries WHERE bot_id = $1 AND about IN ({list}) RETURNING id',
          [botId],
          about,
        )
        await eraseFromNotifications(tx, botId, ids)
        return ids.length + deliveries.length + leads.length + known.length > 0
      }),

    /** Deletes a conversation with its events, and its visitor if it was their last. Returns whether it existed. */
    eraseConversation: (botId: string, id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const [conversation] = await tx.query<{ sessionId: string; visitorId: string | null }>(
          'DELETE FROM conversations WHERE bot_id = $1 AND id = $2 RETURNING session_id, visitor_id',
          [botId, id],
        )
        if (!conversation) return false
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

/** Null for a widget visitor. */
export function userOf(id: string): string | null {
  return id.startsWith(USER) ? id.slice(USER.length) : null
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

export type RetentionTable = ReturnType<typeof openRetentionTable>

export function openRetentionTable(database: Database) {
  return {
    /** Across all tenants: bots with a retention period whose last run was before `lookedBefore`. */
    listDue: (lookedBefore: number, limit: number) =>
      database.query<{ botId: string; retentionDays: number }>(
        `SELECT b.id AS bot_id, b.retention_days FROM bots b LEFT JOIN retention_runs r ON r.bot_id = b.id
         WHERE b.retention_days > 0 AND (r.claimed_at IS NULL OR r.claimed_at <= $1) LIMIT $2`,
        [lookedBefore, limit],
      ),

    /** Succeeds on one node only. */
    async claim(botId: string, now: number, lookedBefore: number): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO retention_runs (bot_id, claimed_at) SELECT id, CAST($2 AS BIGINT) FROM bots WHERE id = $1
         ON CONFLICT (bot_id) DO UPDATE SET claimed_at = $2 WHERE retention_runs.claimed_at <= $3
         RETURNING bot_id`,
        [botId, now, lookedBefore],
      )
      return rows.length > 0
    },

    /** Only for the claim's holder: a slow run must not overwrite a later one. */
    async finish(botId: string, claimedAt: number, removed: number) {
      await database.write(
        'UPDATE retention_runs SET finished_at = $2, removed = $3 WHERE bot_id = $1 AND claimed_at = $2',
        [botId, claimedAt, removed],
      )
    },

    /** One batch, with dependent rows and visitors and leads left without a conversation. Returns how many. */
    removeQuiet: (botId: string, before: number, most: number): Promise<number> =>
      database.transaction(async (tx) => {
        const rows = await tx.query<{ visitorId: string | null }>(
          `DELETE FROM conversations WHERE bot_id = $1 AND updated_at < $2 AND id IN (
             SELECT id FROM conversations WHERE bot_id = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3)
           RETURNING visitor_id`,
          [botId, before, most],
        )
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
export async function removeOrphanedVisitors(tx: Queries, botId: string, visitorIds: readonly string[]) {
  const gone = (column: string) =>
    `${column} IN ({list}) AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.bot_id = $1 AND c.visitor_id = ${column})`
  await queryMany(tx, `DELETE FROM leads WHERE bot_id = $1 AND ${gone('leads.visitor_id')}`, [botId], visitorIds)
  await queryMany(tx, `DELETE FROM visitors WHERE bot_id = $1 AND ${gone('visitors.id')}`, [botId], visitorIds)
}
