// Test questions with their last results, and the runs in which they are asked, each leased by one node at a time.
import { type Database, first, type Queries, type Stored } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'
import { assignments } from './statements.ts'

export type TestOutcome = 'passed' | 'failed' | 'worse' | 'better'

export interface TestReply {
  reply: string
  sources: { title: string; url: string }[]
  at: number
}

export interface TestQuestionRecord {
  id: string
  question: string
  expectedText: string | null
  expectedSource: string | null
  createdAt: number
  updatedAt: number
  /** Of the last run; null: not run yet. */
  outcome: TestOutcome | null
  result: TestReply | null
  lastPassed: TestReply | null
}

interface QuestionRow extends Omit<TestQuestionRecord, 'result' | 'lastPassed' | 'outcome'> {
  outcome: string | null
  reply: string | null
  sources: string | null
  ranAt: number | null
  passedReply: string | null
  passedSources: string | null
  passedAt: number | null
}

type QuestionChange = { updatedAt: number } & {
  [Field in 'question' | 'expectedText' | 'expectedSource']: TestQuestionRecord[Field] | undefined
}

const CHANGEABLE = ['question', 'expectedText', 'expectedSource', 'updatedAt'] as const
const CLEAR_RESULTS = `outcome = NULL, reply = NULL, sources = NULL, ran_at = NULL,
  passed_reply = NULL, passed_sources = NULL, passed_at = NULL`
// Differs from every version of content, so that the questions are due.
const MAKE_DUE = `INSERT INTO test_schedules (bot_id) VALUES ($1)
  ON CONFLICT (bot_id) DO UPDATE SET tested = '', seen = ''`

export function openTestQuestionsTable(database: Database) {
  return {
    async insert(botId: string, record: TestQuestionRecord) {
      const { id, question, expectedText, expectedSource, createdAt, updatedAt } = record
      await database.batch([
        {
          sql: `INSERT INTO test_questions (bot_id, id, question, expected_text, expected_source, created_at, updated_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          values: [botId, id, question, expectedText, expectedSource, createdAt, updatedAt],
        },
        { sql: MAKE_DUE, values: [botId] },
      ])
    },

    /** Forgets the results. Undefined when there is no such question. */
    update: (botId: string, id: string, change: QuestionChange) =>
      database.transaction(async (tx) => {
        const statement = assignments('test_questions', { botId, id }, CHANGEABLE, change)
        const rows = await tx.query(`${statement?.sql} RETURNING id`, statement?.values)
        if (rows.length === 0) return undefined
        const [row] = await tx.query<QuestionRow>(
          `UPDATE test_questions SET ${CLEAR_RESULTS} WHERE bot_id = $1 AND id = $2 RETURNING *`,
          [botId, id],
        )
        await tx.query(MAKE_DUE, [botId])
        return row && fromRow(row)
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<QuestionRow>('SELECT * FROM test_questions WHERE bot_id = $1 AND id = $2', [botId, id]),
      )
      return row && fromRow(row)
    },

    async search(botId: string, listQuery: ListQuery) {
      const source = {
        select: 'SELECT * FROM test_questions',
        where: ['bot_id = $1'],
        values: [botId],
        searched: 'lower(question)',
        orders: { id: 'id', question: 'question', updated_at: 'updated_at' },
      }
      return (await listOrdered<QuestionRow>(database, source, listQuery)).map(fromRow)
    },

    async count(botId: string): Promise<number> {
      return countQuestions(database, botId)
    },

    async remove(botId: string, id: string) {
      await database.write('DELETE FROM test_questions WHERE bot_id = $1 AND id = $2', [botId, id])
    },
  }
}

export interface TestRunRecord {
  botId: string
  id: string
  cause: 'request' | 'content'
  /** Questions when it began; at its end, those that were asked. */
  total: number
  createdAt: number
  finishedAt: number | null
  counts: Record<TestOutcome, number>
  isLeased: boolean
}

interface TestResultRecord {
  questionId: string
  question: string
  outcome: TestOutcome
  reply: string
  sources: TestReply['sources']
  /** What it is compared with, if it became better or worse. */
  before: TestReply | null
}

interface RunRow extends Omit<TestRunRecord, 'counts' | 'isLeased' | 'cause'>, Record<TestOutcome, number> {
  cause: string
  leasedUntil: number
}

interface ResultRow extends Omit<Stored<TestResultRecord>, 'before'> {
  beforeReply: string | null
  beforeSources: string | null
  beforeAt: number | null
}

/** A bot whose content, or a test question, has changed since its last run. */
interface ChangedBot {
  botId: string
  /** The versions of its content now. */
  current: string
  /** Those noticed last. */
  seen: string
  changedAt: number | null
  dueAt: number
}

const KEPT_RUNS = 10
const OUTCOMES = ['passed', 'failed', 'worse', 'better'] as const
const CURRENT_VERSION = `b.knowledge_version || '.' || b.curated_version || '.' || b.product_version`
const IS_AUTOMATIC = 'coalesce(s.automatic, CASE WHEN b.language_model IS NULL THEN 1 ELSE 0 END)'
const SELECT_RUNS = `SELECT r.bot_id, r.id, r.cause, r.total, r.created_at, r.finished_at, r.leased_until,
  ${OUTCOMES.map((each) => `coalesce(sum(CASE WHEN o.outcome = '${each}' THEN 1 ELSE 0 END), 0) AS ${each}`).join(', ')}
  FROM test_runs r LEFT JOIN test_results o ON o.bot_id = r.bot_id AND o.run_id = r.id`
const GROUP_BY_RUN = 'GROUP BY r.bot_id, r.id'

export function openTestRunsTable(database: Database) {
  // Lets nodes that claim at the same time take different runs. SQLite has one writer anyway.
  const skipLocked = database.engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''
  const due = `SELECT bot_id, id FROM test_runs WHERE finished_at IS NULL AND due_at <= $1 AND leased_until <= $1
    ORDER BY due_at, id LIMIT 1`

  async function find(botId: string, id: string): Promise<TestRunRecord | undefined> {
    const rows = await database.query<RunRow>(`${SELECT_RUNS} WHERE r.bot_id = $1 AND r.id = $2 ${GROUP_BY_RUN}`, [
      botId,
      id,
    ])
    return rows.map(fromRunRow)[0]
  }

  return {
    find,

    /** The last ones, newest first. */
    async list(botId: string): Promise<TestRunRecord[]> {
      const rows = await database.query<RunRow>(
        `${SELECT_RUNS} WHERE r.bot_id = $1 ${GROUP_BY_RUN} ORDER BY r.id DESC LIMIT ${KEPT_RUNS}`,
        [botId],
      )
      return rows.map(fromRunRow)
    },

    async listResults(botId: string, runId: string): Promise<TestResultRecord[]> {
      const rows = await database.query<ResultRow>(
        `SELECT question_id, question, outcome, reply, sources, before_reply, before_sources, before_at
         FROM test_results WHERE bot_id = $1 AND run_id = $2
         ORDER BY CASE outcome WHEN 'worse' THEN 0 WHEN 'failed' THEN 1 WHEN 'better' THEN 2 ELSE 3 END, question_id`,
        [botId, runId],
      )
      return rows.map(({ beforeReply, beforeSources, beforeAt, ...row }) => ({
        ...row,
        outcome: row.outcome as TestOutcome,
        sources: JSON.parse(row.sources),
        before: toReply(beforeReply, beforeSources, beforeAt),
      }))
    },

    /** The id of the bot's run that has not ended: a new one, or the one that there is. Undefined: no questions. */
    start: (botId: string, run: { id: string; cause: TestRunRecord['cause']; now: number }) =>
      database.transaction(async (tx) => {
        const total = await countQuestions(tx, botId)
        if (total === 0) return undefined
        const newRuns = await tx.query(
          `INSERT INTO test_runs (bot_id, id, cause, total, created_at, due_at) VALUES ($1, $2, $3, $4, $5, 0)
           ON CONFLICT DO NOTHING RETURNING id`,
          [botId, run.id, run.cause, total, run.now],
        )
        if (newRuns.length > 0) {
          await tx.query(
            `UPDATE test_schedules SET changed_at = NULL, tested = (SELECT ${CURRENT_VERSION} FROM bots b WHERE b.id = $1)
             WHERE bot_id = $1`,
            [botId],
          )
          await tx.query(
            `DELETE FROM test_runs WHERE bot_id = $1 AND id NOT IN (
               SELECT id FROM test_runs WHERE bot_id = $1 ORDER BY id DESC LIMIT ${KEPT_RUNS})`,
            [botId],
          )
        }
        const [open] = await tx.query<{ id: string }>(
          'SELECT id FROM test_runs WHERE bot_id = $1 AND finished_at IS NULL',
          [botId],
        )
        return open?.id
      }),

    async isAutomatic(botId: string): Promise<boolean> {
      const row = await first(
        database.query<{ automatic: number }>(
          `SELECT ${IS_AUTOMATIC} AS automatic FROM bots b LEFT JOIN test_schedules s ON s.bot_id = b.id WHERE b.id = $1`,
          [botId],
        ),
      )
      return row?.automatic === 1
    },

    async setAutomatic(botId: string, automatic: boolean) {
      await database.write(
        `INSERT INTO test_schedules (bot_id, automatic) VALUES ($1, $2)
         ON CONFLICT (bot_id) DO UPDATE SET automatic = $2`,
        [botId, Number(automatic)],
      )
    },

    /** Across all tenants: bots to be run by themselves. */
    listChanged: () =>
      database.query<ChangedBot>(
        `SELECT s.bot_id, s.seen, s.changed_at, s.due_at, ${CURRENT_VERSION} AS current
         FROM test_schedules s JOIN bots b ON b.id = s.bot_id
         WHERE s.tested <> ${CURRENT_VERSION} AND ${IS_AUTOMATIC} = 1
           AND EXISTS (SELECT 1 FROM test_questions q WHERE q.bot_id = s.bot_id)
           AND NOT EXISTS (SELECT 1 FROM test_runs r WHERE r.bot_id = s.bot_id AND r.finished_at IS NULL)`,
      ),

    /** Notes a change, and until when to wait for another. */
    async notice({ botId, seen, current }: ChangedBot, { changedAt, dueAt }: { changedAt: number; dueAt: number }) {
      await database.write(
        'UPDATE test_schedules SET seen = $3, changed_at = $4, due_at = $5 WHERE bot_id = $1 AND seen = $2',
        [botId, seen, current, changedAt, dueAt],
      )
    },

    /** Leases the run that has waited longest. */
    async claim(lease: string, now: number, until: number): Promise<{ botId: string; id: string } | undefined> {
      // Polled constantly and mostly empty: a read first, since readers block nobody.
      if ((await database.query(due, [now])).length === 0) return undefined
      return first(
        database.write<{ botId: string; id: string }>(
          `UPDATE test_runs SET lease = $2, leased_until = $3 WHERE (bot_id, id) IN (${due} ${skipLocked})
           RETURNING bot_id, id`,
          [now, lease, until],
        ),
      )
    },

    /** The next question of a run; undefined at its end. */
    async nextQuestion(botId: string, runId: string): Promise<TestQuestionRecord | undefined> {
      const row = await first(
        database.query<QuestionRow>(
          `SELECT q.* FROM test_questions q WHERE q.bot_id = $1 AND NOT EXISTS (
             SELECT 1 FROM test_results o WHERE o.bot_id = q.bot_id AND o.run_id = $2 AND o.question_id = q.id)
           ORDER BY q.id LIMIT 1`,
          [botId, runId],
        ),
      )
      return row && fromRow(row)
    },

    /** Extends the lease; returns whether the caller still held it. */
    async renew(botId: string, id: string, lease: string, until: number): Promise<boolean> {
      const rows = await database.writeRelaxed(
        `UPDATE test_runs SET leased_until = $4 WHERE bot_id = $1 AND id = $2 AND lease = $3 AND finished_at IS NULL
         RETURNING id`,
        [botId, id, lease, until],
      )
      return rows.length > 0
    },

    /** Records a result, unless the question has changed since or another node runs the questions now. */
    record: (
      { botId, id: runId }: { botId: string; id: string },
      lease: string,
      question: TestQuestionRecord,
      { outcome, result, before }: { outcome: TestOutcome; result: TestReply; before: TestReply | null },
    ) =>
      database.transaction(async (tx) => {
        const heldLeases = await tx.query(
          'UPDATE test_runs SET lease = lease WHERE bot_id = $1 AND id = $2 AND lease = $3 RETURNING id',
          [botId, runId, lease],
        )
        if (heldLeases.length === 0) return
        const lastPassed = outcome === 'passed' || outcome === 'better' ? result : question.lastPassed
        const sources = JSON.stringify(result.sources)
        const changedQuestions = await tx.query(
          `UPDATE test_questions SET outcome = $4, reply = $5, sources = $6, ran_at = $7,
             passed_reply = $8, passed_sources = $9, passed_at = $10
           WHERE bot_id = $1 AND id = $2 AND updated_at = $3 RETURNING id`,
          [
            ...[botId, question.id, question.updatedAt, outcome, result.reply, sources, result.at],
            ...(lastPassed
              ? [lastPassed.reply, JSON.stringify(lastPassed.sources), lastPassed.at]
              : [null, null, null]),
          ],
        )
        if (changedQuestions.length === 0) return
        await tx.query(
          `INSERT INTO test_results (bot_id, run_id, question_id, question, outcome, reply, sources,
             before_reply, before_sources, before_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [
            ...[botId, runId, question.id, question.question, outcome, result.reply, sources],
            ...(before ? [before.reply, JSON.stringify(before.sources), before.at] : [null, null, null]),
          ],
        )
      }),

    async finish(botId: string, id: string, lease: string, now: number) {
      await database.write(
        `UPDATE test_runs SET lease = NULL, leased_until = 0, finished_at = $4, total = (
           SELECT count(*) FROM test_results WHERE bot_id = $1 AND run_id = $2)
         WHERE bot_id = $1 AND id = $2 AND lease = $3`,
        [botId, id, lease, now],
      )
    },

    /** Returns an interrupted run to the queue. */
    async release(botId: string, id: string, lease: string, dueAt: number) {
      await database.write(
        `UPDATE test_runs SET lease = NULL, leased_until = 0, due_at = $4
         WHERE bot_id = $1 AND id = $2 AND lease = $3`,
        [botId, id, lease, dueAt],
      )
    },

    /** At start on a single-node database: no earlier lease holder is alive. */
    async forgetLeases() {
      if (database.engine === 'sqlite')
        await database.write('UPDATE test_runs SET leased_until = 0 WHERE leased_until > 0')
    },
  }
}

async function countQuestions(queries: Queries, botId: string): Promise<number> {
  const [row] = await queries.query<{ questions: number }>(
    'SELECT count(*) AS questions FROM test_questions WHERE bot_id = $1',
    [botId],
  )
  return row?.questions ?? 0
}

function fromRow(row: QuestionRow): TestQuestionRecord {
  const { reply, sources, ranAt, passedReply, passedSources, passedAt, outcome, ...question } = row
  return {
    ...question,
    outcome: outcome as TestOutcome | null,
    result: toReply(reply, sources, ranAt),
    lastPassed: toReply(passedReply, passedSources, passedAt),
  }
}

function toReply(reply: string | null, sources: string | null, at: number | null): TestReply | null {
  return reply === null || sources === null || at === null ? null : { reply, sources: JSON.parse(sources), at }
}

function fromRunRow({ passed, failed, worse, better, leasedUntil, cause, ...run }: RunRow): TestRunRecord {
  return {
    ...run,
    cause: cause as TestRunRecord['cause'],
    counts: { passed, failed, worse, better },
    isLeased: leasedUntil > 0,
  }
}
