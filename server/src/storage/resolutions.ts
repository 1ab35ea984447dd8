// How conversations ended. Each keeps its state in its row, changed in the write of each turn; what a row says depends on
// the time, because leaving after a good answer counts only after a day. Deleted conversations are added up by half hour.
import type { Resolution } from '@docent/contract'
import { DAY_MS } from '../days.ts'
import { HALF_HOUR_MS } from './activity.ts'
import type { Database, Queries, Statement, Value } from './database.ts'
import type { Channel } from './messages.ts'
import { queryMany, writeMany } from './statements.ts'

/** What a conversation's row says; `answered` becomes `pending` or `assumed`. Null: nothing was asked. */
type StoredOutcome = 'answered' | 'unresolved' | 'confirmed' | 'negative' | 'escalated'
type Outcome = keyof Pick<Resolution, 'confirmed' | 'assumed' | 'escalated' | 'negative' | 'unresolved' | 'pending'>

/** What a turn says about how its conversation goes. */
export interface TurnOutcome {
  /** When the bot replied to a question or ran an action; null: neither. */
  askedAt: number | null
  outcome: StoredOutcome | null
}

export interface ResolutionRecord {
  botId: string
  /** Index into the requested periods. */
  place: number
  channel: Channel
  language: string
  outcome: Outcome
  /** Whether the bot replied to a question. */
  involved: number
  conversations: number
}

/** Without another question for this long, a visitor who got a good answer counts as helped. */
export const SETTLED_MS = DAY_MS

/** The outcome of conversation `c`; `pendingAfter` is the placeholder or number of the time from which it may change. */
export function outcomeOf(pendingAfter: string): string {
  return `CASE WHEN c.requested_at IS NOT NULL OR c.accepted_at IS NOT NULL THEN 'escalated'
    WHEN c.outcome = 'answered' THEN CASE WHEN c.updated_at > ${pendingAfter} THEN 'pending' ELSE 'assumed' END
    ELSE c.outcome END`
}

const INVOLVED = 'CASE WHEN c.asked_at IS NULL THEN 0 ELSE 1 END'

/** For a conversation's update: a later question replaces everything but the wish for a person. */
export function outcomeAssignments(askedAt: string, outcome: string): string {
  const newOutcome = `CAST(${outcome} AS TEXT)`
  return `asked_at = coalesce(${askedAt}, asked_at), outcome = CASE
    WHEN outcome = 'escalated' OR ${newOutcome} IS NULL THEN outcome
    WHEN ${newOutcome} = 'confirmed' AND coalesce(outcome, '') <> 'answered' THEN outcome
    WHEN ${newOutcome} = 'negative' AND asked_at IS NULL THEN outcome
    ELSE ${newOutcome} END`
}

/** What a visitor's rating says. `since`: only if nothing was asked after this reply. */
export function ratingStatement(
  { botId, id }: { botId: string; id: string },
  verdict: 'confirmed' | 'negative',
  since: number | null = null,
): Statement {
  return {
    sql: `UPDATE conversations SET outcome = $3 WHERE bot_id = $1 AND id = $2 AND asked_at IS NOT NULL
      AND outcome <> 'escalated' AND asked_at <= coalesce(CAST($4 AS BIGINT), asked_at)`,
    values: [botId, id, verdict, since],
  }
}

export function openResolutionsTable(database: Database) {
  return {
    /** Conversations that started in each period, deleted ones included. */
    async list(botIds: readonly string[], times: { since: number; until: number }[], now: number) {
      const timesTemplate = 'WITH times (place, since, until) AS (VALUES {times})'
      const timesStartingAt = (first: number) =>
        timesTemplate.replace(
          '{times}',
          times
            .map((_, at) => `(${at}, CAST($${at * 2 + first} AS BIGINT), CAST($${at * 2 + first + 1} AS BIGINT))`)
            .join(', '),
        )
      const bounds = (unit: number) =>
        times.flatMap(({ since, until }) => [Math.ceil(since / unit), Math.ceil(until / unit)])
      const outcome = outcomeOf('CAST($1 AS BIGINT)')
      const [keptRecords, deletedRecords] = await Promise.all([
        queryMany<ResolutionRecord>(
          database,
          `${timesStartingAt(2)} SELECT c.bot_id, t.place, c.channel, coalesce(c.language, '') AS language, ${outcome} AS outcome,
             ${INVOLVED} AS involved, count(*) AS conversations
           FROM times t JOIN conversations c ON c.created_at >= t.since AND c.created_at < t.until AND c.bot_id IN ({list})
           WHERE ${outcome} IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
          [now - SETTLED_MS, ...bounds(1)],
          botIds,
        ),
        queryMany<ResolutionRecord>(
          database,
          `${timesStartingAt(1)} SELECT r.bot_id, t.place, r.channel, r.language, r.outcome, r.involved,
             sum(r.conversations) AS conversations
           FROM times t JOIN resolutions r ON r.half_hour >= t.since AND r.half_hour < t.until AND r.bot_id IN ({list})
           GROUP BY 1, 2, 3, 4, 5, 6`,
          bounds(HALF_HOUR_MS),
          botIds,
        ),
      ])
      return [...keptRecords, ...deletedRecords]
    },

    /** By page, without query and fragment, most frequent first. Deleted conversations are missing. */
    listByPage(botId: string, period: { since: number; until: number }, now: number, limit: number) {
      const textBefore = (text: string, mark: string) =>
        database.engine === 'postgres'
          ? `split_part(${text}, '${mark}', 1)`
          : `substr(${text}, 1, instr(${text} || '${mark}', '${mark}') - 1)`
      return database.query<{ url: string; started: number } & Counted>(
        `SELECT p.url, count(*) AS started, ${COUNTS} FROM (
           SELECT ${textBefore(textBefore('c.page_url', '?'), '#')} AS url, ${outcomeOf('CAST($5 AS BIGINT)')} AS outcome, ${INVOLVED} AS involved
           FROM conversations c
           WHERE c.bot_id = $1 AND c.created_at >= $2 AND c.created_at < $3 AND c.page_url IS NOT NULL) AS p
         GROUP BY p.url ORDER BY 2 DESC, 1 LIMIT $4`,
        [botId, period.since, period.until, limit, now - SETTLED_MS],
      )
    },

    /** By question asked in the period, each conversation once. */
    listByQuestion: (botId: string, keys: readonly string[], period: { since: number; until: number }, now: number) =>
      queryMany<{ key: string } & Counted>(
        database,
        `SELECT p.key, ${COUNTS} FROM (
           SELECT DISTINCT m.question_key AS key, c.id, ${outcomeOf('CAST($4 AS BIGINT)')} AS outcome, ${INVOLVED} AS involved
           FROM messages m JOIN conversations c ON c.bot_id = m.bot_id AND c.id = m.conversation_id
           WHERE m.bot_id = $1 AND m.created_at >= $2 AND m.created_at < $3 AND m.question_key IS NOT NULL
             AND m.question_key IN ({list})) AS p
         GROUP BY p.key`,
        [botId, period.since, period.until, now - SETTLED_MS],
        keys,
      ),

    /** The visitor asked the same again elsewhere: the answer that they left with did not help. */
    async takeBack(
      { botId, id, visitorId, userId }: { botId: string; id: string; visitorId: string | null; userId: string | null },
      questionKey: string,
      now: number,
    ) {
      const [column, person] = visitorId === null ? ['user_id', userId] : ['visitor_id', visitorId]
      if (person === null) return
      await database.write(
        `UPDATE conversations SET outcome = 'unresolved'
         WHERE bot_id = $1 AND ${column} = $2 AND updated_at > $3 AND id <> $4 AND outcome = 'answered' AND EXISTS (
           SELECT 1 FROM messages m WHERE m.bot_id = conversations.bot_id AND m.conversation_id = conversations.id
             AND m.question_key = $5)`,
        [botId, person, now - SETTLED_MS, id, questionKey],
      )
    },
  }
}

/** Sums over conversations with a known outcome. */
export type Counted = { conversations: number; involved: number } & Record<Outcome, number>

export const OUTCOMES = ['confirmed', 'assumed', 'escalated', 'negative', 'unresolved', 'pending'] as const

const COUNTS = [
  'count(p.outcome) AS conversations',
  'sum(CASE WHEN p.outcome IS NULL THEN 0 ELSE p.involved END) AS involved',
  ...OUTCOMES.map((name) => `sum(CASE WHEN p.outcome = '${name}' AND p.involved = 1 THEN 1 ELSE 0 END) AS ${name}`),
].join(', ')

/** What a deleted conversation leaves behind, for `RETURNING`. Nobody can reopen it, so nothing is pending. */
export const DELETED_COLUMNS = `created_at, channel, language, asked_at,
  CASE WHEN requested_at IS NOT NULL OR accepted_at IS NOT NULL THEN 'escalated'
    WHEN outcome = 'answered' THEN 'assumed' ELSE outcome END AS outcome`

export interface DeletedConversation {
  createdAt: number
  channel: Channel
  language: string | null
  askedAt: number | null
  outcome: Outcome | null
}

/** Keeps the figures of conversations that are deleted in this transaction. */
export async function keepResolutions(tx: Queries, botId: string, deletedConversations: DeletedConversation[]) {
  const rows = new Map<string, { key: Value[]; count: number }>()
  for (const { createdAt, channel, language, askedAt, outcome } of deletedConversations) {
    if (outcome === null) continue
    const involvedFlag = Number(askedAt !== null)
    const key = [botId, Math.floor(createdAt / HALF_HOUR_MS), channel, language ?? '', outcome, involvedFlag]
    const row = rows.get(key.join(' ')) ?? { key, count: 0 }
    rows.set(key.join(' '), { key, count: row.count + 1 })
  }
  await writeMany(
    tx,
    `INSERT INTO resolutions (bot_id, half_hour, channel, language, outcome, involved, conversations) VALUES {rows}
     ON CONFLICT (bot_id, half_hour, channel, language, outcome, involved)
     DO UPDATE SET conversations = resolutions.conversations + excluded.conversations`,
    // In one order, so that two deletions do not wait for each other.
    [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { key, count }]) => [...key, count]),
  )
}
