import { type Database, first, type Queries, type Statement, type Stored } from './database.ts'
import { type ListQuery, listOrdered } from './lists.ts'
import { assignments } from './statements.ts'

export interface CuratedAnswerRecord {
  id: string
  question: string
  alternatives: string[]
  answer: string
  url: string | null
  createdAt: number
  updatedAt: number
  /** Of the question and its alternatives; null until computed. */
  vectors: { model: string; data: Uint8Array } | null
}

interface CuratedAnswerRow extends Stored<Omit<CuratedAnswerRecord, 'vectors'>> {
  model: string | null
  vectors: Uint8Array | null
}

const COLUMNS = 'id, question, alternatives, answer, url, created_at, updated_at'
const INCREMENT_VERSION = 'UPDATE bots SET curated_version = curated_version + 1 WHERE id = $1'

type CuratedChange = { updatedAt: number } & {
  [Field in 'question' | 'alternatives' | 'answer' | 'url']: CuratedAnswerRecord[Field] | undefined
}

const CHANGEABLE = ['question', 'alternatives', 'answer', 'url', 'updatedAt', 'model', 'vectors'] as const

export type CuratedAnswersTable = ReturnType<typeof openCuratedAnswersTable>

export function openCuratedAnswersTable(database: Database) {
  return {
    async put(botId: string, record: CuratedAnswerRecord) {
      await database.batch([upsertStatement(botId, record), { sql: INCREMENT_VERSION, values: [botId] }])
    },

    /** All or nothing. */
    putAll: (botId: string, records: CuratedAnswerRecord[]) =>
      database.transaction(async (tx) => {
        await tx.query(INCREMENT_VERSION, [botId])
        for (const record of records) {
          const { sql, values } = upsertStatement(botId, record)
          await tx.query(sql, values)
        }
      }),

    /** Undefined when there is no such answer. Clears its vectors. */
    update: (botId: string, id: string, { alternatives, ...rest }: CuratedChange) =>
      database.transaction(async (tx) => {
        const change = {
          ...rest,
          alternatives: alternatives && JSON.stringify(alternatives),
          model: null,
          vectors: null,
        }
        const statement = assignments('curated_answers', { botId, id }, CHANGEABLE, change)
        const [row] = await tx.query<CuratedAnswerRow>(
          `${statement?.sql} RETURNING ${COLUMNS}, model, vectors`,
          statement?.values,
        )
        if (row) await tx.query(INCREMENT_VERSION, [botId])
        return row && fromRow(row)
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<CuratedAnswerRow>(
          `SELECT ${COLUMNS}, model, vectors FROM curated_answers WHERE bot_id = $1 AND id = $2`,
          [botId, id],
        ),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<CuratedAnswerRow>(
        `SELECT ${COLUMNS}, model, vectors FROM curated_answers WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async search(botId: string, listQuery: ListQuery) {
      const source = {
        select: `SELECT ${COLUMNS}, NULL AS model, NULL AS vectors FROM curated_answers`,
        where: ['bot_id = $1'],
        values: [botId],
        searched: `lower(question || ' ' || alternatives || ' ' || answer)`,
        orders: { id: 'id', question: 'question', updated_at: 'updated_at' },
      }
      return (await listOrdered<CuratedAnswerRow>(database, source, listQuery)).map(fromRow)
    },

    /** Every question and alternative. */
    async listPhrasings(botId: string): Promise<string[]> {
      const rows = await database.query<{ question: string; alternatives: string }>(
        'SELECT question, alternatives FROM curated_answers WHERE bot_id = $1',
        [botId],
      )
      return rows.flatMap(({ question, alternatives }) => [question, ...(JSON.parse(alternatives) as string[])])
    },

    /** Stored only if the answer has not changed since its phrasings were read. */
    async storeVectors(botId: string, id: string, updatedAt: number, model: string, vectors: Uint8Array) {
      await database.write(
        'UPDATE curated_answers SET model = $4, vectors = $5 WHERE bot_id = $1 AND id = $2 AND updated_at = $3',
        [botId, id, updatedAt, model, vectors],
      )
    },

    async count(botId: string): Promise<number> {
      const row = await first(
        database.query<{ answers: number }>('SELECT count(*) AS answers FROM curated_answers WHERE bot_id = $1', [
          botId,
        ]),
      )
      return row?.answers ?? 0
    },

    async incrementVersion(botId: string) {
      await database.write(INCREMENT_VERSION, [botId])
    },

    /** Across all tenants: bots with curated answers that lack vectors of this model. */
    async listBotsMissing(model: string) {
      const rows = await database.query<{ botId: string }>(
        'SELECT DISTINCT bot_id FROM curated_answers WHERE model IS NULL OR model <> $1',
        [model],
      )
      return rows.map((row) => row.botId)
    },

    async remove(botId: string, id: string) {
      await database.batch([
        { sql: 'DELETE FROM curated_answers WHERE bot_id = $1 AND id = $2', values: [botId, id] },
        { sql: INCREMENT_VERSION, values: [botId] },
      ])
    },
  }
}

/** In the transaction of what it belongs to. */
export async function putAnswer(tx: Queries, botId: string, record: CuratedAnswerRecord): Promise<void> {
  const { sql, values } = upsertStatement(botId, record)
  await tx.query(sql, values)
  await tx.query(INCREMENT_VERSION, [botId])
}

function upsertStatement(botId: string, record: CuratedAnswerRecord): Statement {
  return {
    sql: `INSERT INTO curated_answers (bot_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
          ON CONFLICT (bot_id, id) DO UPDATE SET
            question = $3, alternatives = $4, answer = $5, url = $6, updated_at = $8, model = NULL, vectors = NULL`,
    values: [
      botId,
      record.id,
      record.question,
      JSON.stringify(record.alternatives),
      record.answer,
      record.url,
      record.createdAt,
      record.updatedAt,
    ],
  }
}

function fromRow({ model, vectors, ...row }: CuratedAnswerRow): CuratedAnswerRecord {
  const alternatives = JSON.parse(row.alternatives)
  return { ...row, alternatives, vectors: model && vectors ? { model, data: vectors } : null }
}
