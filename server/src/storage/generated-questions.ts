// Generating questions for passages: one row per bot, leased by one node at a time. Passages hold the questions.
import { type Database, first, makeFromRow, type Stored } from './database.ts'
import {
  fromPassageRow,
  incrementVersion,
  PASSAGE_COLUMNS,
  PASSAGE_EDITS,
  type PassageRecord,
  type PassageRow,
} from './documents.ts'
import { countStatement, type ModelUsageRecord } from './model-usage.ts'

// Enough for a usable average.
const SAMPLED_PASSAGES = 200
const DEFAULT_DAILY_CALLS = 500

interface GeneratedQuestionsRecord {
  enabled: boolean
  /** Maximum model calls per day. */
  dailyCalls: number
  /** Earliest next attempt. */
  dueAt: number
  /** Consecutive failures. */
  failures: number
  lastError: string | null
  lastErrorAt: number | null
  calls: number
  inputTokens: number
  outputTokens: number
  cost: number
}

const fromRow = makeFromRow<GeneratedQuestionsRecord>({ enabled: 'flag' })

export type Section = PassageRecord
export function openGeneratedQuestionsTable(database: Database) {
  const due = `SELECT q.bot_id FROM question_writing q JOIN bots b ON b.id = q.bot_id
    WHERE q.enabled = 1 AND q.due_at <= $1 AND q.leased_until <= $1 AND b.language_model IS NOT NULL
      AND EXISTS (SELECT 1 FROM passages p WHERE p.bot_id = q.bot_id AND p.questions IS NULL)
    ORDER BY q.due_at, q.bot_id LIMIT 1`
  // Lets nodes that claim at the same time take different bots. SQLite has one writer anyway.
  const skipLocked = database.engine === 'postgres' ? 'FOR UPDATE OF q SKIP LOCKED' : ''

  return {
    async find(botId: string): Promise<GeneratedQuestionsRecord> {
      const row = await first(
        database.query<Stored<GeneratedQuestionsRecord>>('SELECT * FROM question_writing WHERE bot_id = $1', [botId]),
      )
      return row ? fromRow(row) : { ...neverUsed }
    },

    /** Absent fields stay unchanged. Ends any wait after a failure. */
    async change(
      botId: string,
      { enabled, dailyCalls }: { enabled?: boolean | undefined; dailyCalls?: number | undefined },
    ) {
      const enabledFlag = enabled === undefined ? null : Number(enabled)
      await database.write(
        `INSERT INTO question_writing (bot_id, enabled, daily_calls) VALUES ($1, coalesce($2, 0), coalesce($3, ${DEFAULT_DAILY_CALLS}))
         ON CONFLICT (bot_id) DO UPDATE SET enabled = coalesce($2, question_writing.enabled),
           daily_calls = coalesce($3, question_writing.daily_calls), due_at = 0, failures = 0, last_error = NULL,
           last_error_at = NULL`,
        [botId, enabledFlag, dailyCalls ?? null],
      )
    },

    /** Deletes all generated questions and switches generating off. */
    clear: (botId: string) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        await tx.query('UPDATE question_writing SET enabled = 0 WHERE bot_id = $1', [botId])
        const documentsWithQuestions = 'SELECT document_id FROM passages WHERE bot_id = $1 AND questions IS NOT NULL'
        await tx.query(`UPDATE documents SET version = $2 WHERE bot_id = $1 AND id IN (${documentsWithQuestions})`, [
          botId,
          version,
        ])
        await tx.query(
          `UPDATE document_vectors SET outdated = 1 WHERE bot_id = $1 AND document_id IN (${documentsWithQuestions})`,
          [botId],
        )
        await tx.query('UPDATE passages SET questions = NULL WHERE bot_id = $1 AND questions IS NOT NULL', [botId])
      }),

    /** Passages without questions, and their average length. */
    async countWaiting(botId: string): Promise<{ passages: number; averageCharacters: number }> {
      const count = await first(
        database.query<{ n: number }>('SELECT count(*) AS n FROM passages WHERE bot_id = $1 AND questions IS NULL', [
          botId,
        ]),
      )
      const sample = await first(
        database.query<{ characters: number | null }>(
          `SELECT avg(length(headings) + length(text)) AS characters FROM (
             SELECT headings, text FROM passages WHERE bot_id = $1 AND questions IS NULL LIMIT ${SAMPLED_PASSAGES}
           ) AS sampled`,
          [botId],
        ),
      )
      return { passages: count?.n ?? 0, averageCharacters: sample?.characters ?? 0 }
    },

    /** Leases the bot that has waited longest. */
    async claim(lease: string, now: number, until: number): Promise<string | undefined> {
      // Polled constantly and mostly empty: a read first, since readers block nobody.
      if ((await database.query(due, [now])).length === 0) return undefined
      const row = await first(
        database.write<{ botId: string }>(
          `UPDATE question_writing SET lease = $2, leased_until = $3, due_at = $1 WHERE bot_id IN (${due} ${skipLocked})
           RETURNING bot_id`,
          [now, lease, until],
        ),
      )
      return row?.botId
    },

    /** After the clock was set back: caps waits and leases at what they would be from now. */
    async capWaits(now: number, { leaseMs, retryMs }: { leaseMs: number; retryMs: number }) {
      // Separately: a batch is one statement on PostgreSQL, which can change a row only once.
      await database.transaction(async (tx) => {
        await tx.query('UPDATE question_writing SET leased_until = $1 WHERE leased_until > $1', [now + leaseMs])
        await tx.query('UPDATE question_writing SET due_at = $1 WHERE due_at > $1', [now + retryMs])
      })
    },

    /** Extends the lease; returns whether the caller still held it and the bot is switched on. */
    async renew(botId: string, lease: string, until: number): Promise<boolean> {
      const rows = await database.writeRelaxed(
        'UPDATE question_writing SET leased_until = $3 WHERE bot_id = $1 AND lease = $2 AND enabled = 1 RETURNING bot_id',
        [botId, lease, until],
      )
      return rows.length > 0
    },

    /** Counts a call before it is made; false when the daily limit is reached. */
    async countGenerationCall(botId: string, lease: string, day: number): Promise<boolean> {
      const rows = await database.write(
        `UPDATE question_writing SET day = $3, calls_today = CASE WHEN day = $3 THEN calls_today + 1 ELSE 1 END
         WHERE bot_id = $1 AND lease = $2 AND enabled = 1 AND (day <> $3 OR calls_today < daily_calls)
         RETURNING bot_id`,
        [botId, lease, day],
      )
      return rows.length > 0
    },

    async listWaiting(botId: string, limit: number): Promise<Section[]> {
      const rows = await database.query<PassageRow>(
        `SELECT ${PASSAGE_COLUMNS} FROM passages p JOIN documents d ON d.bot_id = p.bot_id AND d.id = p.document_id
         ${PASSAGE_EDITS} WHERE p.bot_id = $1 AND p.questions IS NULL ORDER BY p.document_id, p.ordinal LIMIT $2`,
        [botId, limit],
      )
      return rows.map(fromPassageRow)
    },

    /** Records what a call cost, whatever its outcome. */
    async spend(botId: string, usage: ModelUsageRecord) {
      const { inputTokens, outputTokens, cost } = usage
      await database.batch([
        {
          sql: `UPDATE question_writing SET calls = calls + 1, input_tokens = input_tokens + $2,
                  output_tokens = output_tokens + $3, cost = cost + $4 WHERE bot_id = $1`,
          values: [botId, inputTokens, outputTokens, cost],
        },
        countStatement(botId, usage),
      ])
    },

    /** Stores questions of passages that have not changed, and has every index pick them up. */
    store: (botId: string, lease: string, sections: { section: Section; questions: string[] }[]) =>
      database.transaction(async (tx) => {
        const version = await incrementVersion(tx, botId)
        const heldLeases = await tx.query(
          `UPDATE question_writing SET failures = 0, last_error = NULL, last_error_at = NULL
           WHERE bot_id = $1 AND lease = $2 AND enabled = 1 RETURNING bot_id`,
          [botId, lease],
        )
        if (heldLeases.length === 0) return
        for (const { section, questions } of sections) {
          const { documentId, ordinal, pageText, headings } = section
          await tx.query(
            `UPDATE passages SET questions = $4
             WHERE bot_id = $1 AND document_id = $2 AND ordinal = $3 AND text = $5 AND headings = $6`,
            [botId, documentId, ordinal, JSON.stringify(questions), pageText, JSON.stringify(headings)],
          )
        }
        for (const id of new Set(sections.map(({ section }) => section.documentId))) {
          await tx.query('UPDATE documents SET version = $3 WHERE bot_id = $1 AND id = $2', [botId, id, version])
          await tx.query('UPDATE document_vectors SET outdated = 1 WHERE bot_id = $1 AND document_id = $2', [botId, id])
        }
      }),

    async fail(botId: string, lease: string, failure: { failures: number; reason: string; at: number }) {
      const { failures, reason, at } = failure
      await database.write(
        `UPDATE question_writing SET failures = $3, last_error = $4, last_error_at = $5
         WHERE bot_id = $1 AND lease = $2 AND enabled = 1`,
        [botId, lease, failures, reason, at],
      )
    },

    /** Returns the bot to the queue, due at `dueAt`; at once if its settings changed in the meantime. */
    async release(botId: string, lease: string, dueAt: number) {
      await database.write(
        `UPDATE question_writing SET lease = NULL, leased_until = 0, due_at = CASE WHEN due_at = 0 THEN due_at ELSE $3 END
         WHERE bot_id = $1 AND lease = $2`,
        [botId, lease, dueAt],
      )
    },

    /** At start on a single-node database: no earlier lease holder is alive. */
    async forgetLeases() {
      if (database.engine === 'sqlite')
        await database.write('UPDATE question_writing SET leased_until = 0 WHERE leased_until > 0')
    },
  }
}

const neverUsed: GeneratedQuestionsRecord = {
  enabled: false,
  dailyCalls: DEFAULT_DAILY_CALLS,
  dueAt: 0,
  failures: 0,
  lastError: null,
  lastErrorAt: null,
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
}
