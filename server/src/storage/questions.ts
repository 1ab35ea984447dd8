// Questions grouped by key; each shows the latest spelling.

import type { Database, Value } from './database.ts'
import { queryMany } from './statements.ts'

export interface QuestionRecord {
  key: string
  /** Latest spelling. */
  text: string
  count: number
  /** Answered with confidence. */
  answered: number
  lowConfidence: number
  lastAskedAt: number
  /** Where it was last asked. */
  conversationId: string
}

/** A position in a list ordered by count. */
export interface QuestionPosition {
  count: number
  lastAskedAt: number
  key: string
}

/** Condition on a reply `m`. */
export const CONFIDENT_REPLY = `m.answered = 1 AND coalesce(m.decision, '') <> 'suggest'`
// Lists show no more of a question.
const SHOWN_LENGTH = 500

export function openQuestionsTable(database: Database) {
  /** `which` filters replies `m`, `having` filters groups. */
  async function list(which: string, having: string, values: Value[]): Promise<QuestionRecord[]> {
    const order = 'count DESC, last_asked_at DESC, key DESC'
    // Not a join: SQLite would scan all replies to find those of a few groups.
    const latest = (column: string) => `(SELECT m.${column} FROM messages m
      WHERE m.bot_id = $1 AND m.question_key IS NOT NULL AND m.question_key = g.key
        AND m.created_at = g.last_asked_at AND ${which} ORDER BY m.id DESC LIMIT 1)`
    return database.query<QuestionRecord>(
      `SELECT l.key, l.count, l.answered, l.low_confidence, l.last_asked_at, l.conversation_id, coalesce((
         SELECT substr(q.text, 1, ${SHOWN_LENGTH}) FROM messages r
         JOIN messages q ON q.bot_id = r.bot_id AND q.conversation_id = r.conversation_id AND q.id = r.question_id
         WHERE r.bot_id = $1 AND r.conversation_id = l.conversation_id AND r.id = l.reply_id), '') AS text
       FROM (
         SELECT g.*, ${latest('conversation_id')} AS conversation_id, ${latest('id')} AS reply_id
         FROM (
           SELECT m.question_key AS key, count(*) AS count, sum(CASE WHEN ${CONFIDENT_REPLY} THEN 1 ELSE 0 END) AS answered,
             sum(CASE WHEN m.decision = 'suggest' THEN 1 ELSE 0 END) AS low_confidence,
             max(m.created_at) AS last_asked_at
           FROM messages m WHERE m.bot_id = $1 AND m.question_key IS NOT NULL AND ${which}
           GROUP BY m.question_key ${having} ORDER BY ${order} LIMIT $2) AS g) AS l
       ORDER BY ${order}`,
      values,
    )
  }

  return {
    /** The most frequent questions of a period. */
    listTop: (botId: string, from: number, until: number, limit: number) =>
      list('m.created_at >= $3 AND m.created_at < $4', '', [botId, limit, from, until]),

    /** Unanswered and not dismissed, most frequent first. */
    listUnanswered(botId: string, after: QuestionPosition | null, limit: number) {
      const open = `NOT (${CONFIDENT_REPLY}) AND NOT EXISTS (SELECT 1 FROM dismissed_questions d
        WHERE d.bot_id = m.bot_id AND d.question_key = m.question_key)`
      const later = `HAVING count(*) < $3 OR (count(*) = $3 AND (max(m.created_at) < $4
        OR (max(m.created_at) = $4 AND m.question_key < $5)))`
      if (!after) return list(open, '', [botId, limit])
      return list(open, later, [botId, limit, after.count, after.lastAskedAt, after.key])
    },

    /** Languages in which unanswered questions were asked. */
    listLanguages: (botId: string, keys: string[]) =>
      queryMany<{ key: string; language: string }>(
        database,
        `SELECT DISTINCT question_key AS key, question_language AS language FROM messages m
         WHERE bot_id = $1 AND question_key IS NOT NULL AND NOT (${CONFIDENT_REPLY}) AND question_key IN ({list})
         ORDER BY language`,
        [botId],
        keys,
      ),

    async dismiss(botId: string, key: string, now: number) {
      await database.write(
        `INSERT INTO dismissed_questions (bot_id, question_key, dismissed_at) VALUES ($1, $2, $3)
         ON CONFLICT (bot_id, question_key) DO NOTHING`,
        [botId, key, now],
      )
    },

    async restore(botId: string, key: string) {
      await database.write('DELETE FROM dismissed_questions WHERE bot_id = $1 AND question_key = $2', [botId, key])
    },
  }
}
