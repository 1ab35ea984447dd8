// The actions of a bot, and the log of their runs.
import type { ActionFailure, ActionInput, ActionRequest } from '@docent/contract'
import { timedIdsBefore } from '../ids.ts'
import { type Database, first, makeFromRow, type Queries, type Statement, type Stored } from './database.ts'

/** What an owner defines, but for the name and the secrets. */
interface ActionDefinition {
  kind: 'http' | 'lead'
  description: string
  examples: string[]
  notFor: string[]
  inputs: ActionInput[]
  /** Null for a lead. */
  request: ActionRequest | null
  answerTemplate: string | null
  audience: 'everyone' | 'verified'
  confirm: boolean
  /** A response to test with. */
  sample: unknown
}

/** How a request authenticates, without its secret. */
interface AuthShape {
  type: 'bearer' | 'header' | 'basic'
  name: string | null
}

export interface ActionRecord extends ActionDefinition {
  botId: string
  id: string
  name: string
  state: 'draft' | 'live'
  authShape: AuthShape | null
  /** Sealed; null: none, or left behind by an export. */
  auth: string | null
  /** Sealed; signs the requests. */
  secret: string
  previousSecret: string | null
  previousUntil: number | null
  createdAt: number
  updatedAt: number
}

interface ActionRow {
  botId: string
  id: string
  name: string
  state: 'draft' | 'live'
  definition: string
  authShape: string | null
  auth: string | null
  secret: string
  previousSecret: string | null
  previousUntil: number | null
  createdAt: number
  updatedAt: number
}

/** The phrasings of an action as the classifier of curated answers reads them. */
interface PhrasingsRecord {
  id: string
  question: string
  alternatives: string[]
  updatedAt: number
  vectors: { model: string; data: Uint8Array } | null
}

const COLUMNS = `bot_id, id, name, state, definition, auth_shape, auth, secret, previous_secret, previous_until,
  created_at, updated_at`
const INCREMENT_VERSION = 'UPDATE bots SET actions_version = actions_version + 1 WHERE id = $1'
/** Ends the id of what an action is not for, which is matched as a rival. */
const NOT_FOR = ':not'

/** The action whose `not_for` this is, or null. */
export function notForId(id: string): string | null {
  return id.endsWith(NOT_FOR) ? id.slice(0, -NOT_FOR.length) : null
}

export type ActionsTable = ReturnType<typeof openActionsTable>

export function openActionsTable(database: Database) {
  return {
    /** False when the bot has reached its limit. */
    insert: (action: ActionRecord, most: number) =>
      database.transaction(async (tx) => {
        // First, to lock the bot's row: concurrent inserts then see each other.
        await tx.query(INCREMENT_VERSION, [action.botId])
        const [row] = await tx.query<{ count: number }>('SELECT count(*) AS count FROM actions WHERE bot_id = $1', [
          action.botId,
        ])
        if ((row?.count ?? 0) >= most) return false
        await tx.query(
          `INSERT INTO actions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          toValues(action),
        )
        return true
      }),

    /** Applies a change to the stored action. Undefined when there is none. */
    update: (botId: string, id: string, change: (old: ActionRecord) => ActionRecord) =>
      database.transaction(async (tx) => {
        const old = await lock(tx, botId, id)
        if (!old) return undefined
        const changedAction = change(old)
        const hasPhrasings = samePhrasings(old, changedAction)
        await tx.query(
          `UPDATE actions SET name = $3, state = $4, definition = $5, auth_shape = $6, auth = $7, secret = $8,
             previous_secret = $9, previous_until = $10, updated_at = $11
             ${hasPhrasings ? '' : ', model = NULL, vectors = NULL, not_for_vectors = NULL'}
           WHERE bot_id = $1 AND id = $2`,
          toValues(changedAction).toSpliced(10, 1),
        )
        await tx.query(INCREMENT_VERSION, [botId])
        return changedAction
      }),

    async find(botId: string, id: string) {
      const row = await first(
        database.query<ActionRow>(`SELECT ${COLUMNS} FROM actions WHERE bot_id = $1 AND id = $2`, [botId, id]),
      )
      return row && fromRow(row)
    },

    async list(botId: string, after: string, limit: number) {
      const rows = await database.query<ActionRow>(
        `SELECT ${COLUMNS} FROM actions WHERE bot_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [botId, after, limit],
      )
      return rows.map(fromRow)
    },

    async remove(botId: string, id: string) {
      await database.batch([
        { sql: 'DELETE FROM actions WHERE bot_id = $1 AND id = $2', values: [botId, id] },
        { sql: INCREMENT_VERSION, values: [botId] },
      ])
    },

    /** Two entries for an action that also says what it is not for. */
    async listPhrasings(botId: string): Promise<PhrasingsRecord[]> {
      const rows = await database.query<{
        id: string
        definition: string
        updatedAt: number
        model: string | null
        vectors: Uint8Array | null
        notForVectors: Uint8Array | null
      }>(
        `SELECT id, definition, updated_at, model, vectors, not_for_vectors FROM actions WHERE bot_id = $1 ORDER BY id`,
        [botId],
      )
      return rows.flatMap(({ id, definition, updatedAt, model, vectors, notForVectors }) => {
        const { examples, notFor } = JSON.parse(definition) as ActionDefinition
        const entry = (name: string, phrases: string[], data: Uint8Array | null) => {
          const [question = '', ...alternatives] = phrases
          return { id: name, question, alternatives, updatedAt, vectors: model && data ? { model, data } : null }
        }
        const rivals = notFor.length > 0 ? [entry(`${id}${NOT_FOR}`, notFor, notForVectors)] : []
        return [entry(id, examples, vectors), ...rivals]
      })
    },

    /** Stored only if the action has not changed since its phrasings were read. */
    async storeVectors(botId: string, id: string, updatedAt: number, model: string, vectors: Uint8Array) {
      const [column, other] = notForId(id) === null ? ['vectors', 'not_for_vectors'] : ['not_for_vectors', 'vectors']
      // Both belong to one model: those of another must not be taken for this one's.
      await database.write(
        `UPDATE actions SET model = $4, ${column} = $5, ${other} = CASE WHEN model = $4 THEN ${other} END
         WHERE bot_id = $1 AND id = $2 AND updated_at = $3`,
        [botId, notForId(id) ?? id, updatedAt, model, vectors],
      )
    },

    async incrementVersion(botId: string) {
      await database.write(INCREMENT_VERSION, [botId])
    },

    /** Across all tenants: bots with actions that lack vectors of this model. */
    async listBotsMissing(model: string) {
      const rows = await database.query<{ botId: string }>(
        `SELECT DISTINCT bot_id FROM actions
         WHERE model IS NULL OR model <> $1 OR vectors IS NULL OR (not_for_vectors IS NULL AND definition LIKE $2)`,
        [model, '%"notFor":["%'],
      )
      return rows.map((row) => row.botId)
    },
  }
}

/** Locks the row until the transaction ends. */
async function lock(tx: Queries, botId: string, id: string): Promise<ActionRecord | undefined> {
  const [row] = await tx.query<ActionRow>(
    `UPDATE actions SET name = name WHERE bot_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [botId, id],
  )
  return row && fromRow(row)
}

function samePhrasings(a: ActionRecord, b: ActionRecord): boolean {
  return JSON.stringify([a.examples, a.notFor]) === JSON.stringify([b.examples, b.notFor])
}

function toValues(action: ActionRecord) {
  const { botId, id, name, state, authShape, auth, secret, previousSecret, previousUntil, createdAt, updatedAt } =
    action
  const { kind, description, examples, notFor, inputs, request, answerTemplate, audience, confirm, sample } = action
  const definition: ActionDefinition = {
    kind,
    description,
    examples,
    notFor,
    inputs,
    request,
    answerTemplate,
    audience,
    confirm,
    sample,
  }
  return [
    botId,
    id,
    name,
    state,
    JSON.stringify(definition),
    authShape && JSON.stringify(authShape),
    auth,
    secret,
    previousSecret,
    previousUntil,
    createdAt,
    updatedAt,
  ]
}

function fromRow({ definition, authShape, ...row }: ActionRow): ActionRecord {
  return { ...JSON.parse(definition), ...row, authShape: authShape && JSON.parse(authShape) }
}

export interface ActionRunRecord {
  botId: string
  id: string
  actionId: string
  /** Null for tests, and until the turn is written. */
  conversationId: string | null
  outcome: 'started' | 'completed' | 'failed'
  failure: ActionFailure | null
  status: number | null
  durationMs: number | null
  /** Masked. */
  inputs: Record<string, string>
  isTest: boolean
  createdAt: number
}

interface NewRun extends Omit<ActionRunRecord, 'outcome' | 'failure' | 'status' | 'durationMs'> {
  /** At most one run has it; null: as many as are wanted. */
  onceKey: string | null
}

const runFromRow = makeFromRow<ActionRunRecord>({ inputs: 'json', isTest: 'flag' })

/** The end of a run. */
type ActionRunResult = Pick<ActionRunRecord, 'failure' | 'status' | 'durationMs'>

export interface RunCounts {
  total: number
  failed: number
}

export type ActionRunsTable = ReturnType<typeof openActionRunsTable>

export function openActionRunsTable(database: Database) {
  return {
    /** False when a run with this id or key has already started: what changes something never runs twice. */
    async start(run: NewRun): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO action_runs (bot_id, id, action_id, conversation_id, outcome, inputs, is_test, created_at, once_key)
         VALUES ($1, $2, $3, $4, 'started', $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
        [
          run.botId,
          run.id,
          run.actionId,
          run.conversationId,
          JSON.stringify(run.inputs),
          Number(run.isTest),
          run.createdAt,
          run.onceKey,
        ],
      )
      return rows.length > 0
    },

    async finish(botId: string, id: string, result: ActionRunResult) {
      const { sql, values } = finishStatement(botId, id, result, null)
      await database.write(sql, values)
    },

    /** To be written with the turn that reports it. */
    finishStatement,

    /** Newest first. */
    async list(botId: string, actionId: string, before: string, limit: number): Promise<ActionRunRecord[]> {
      const rows = await database.query<Stored<ActionRunRecord>>(
        `SELECT * FROM action_runs WHERE bot_id = $1 AND action_id = $2 ${before === '' ? '' : 'AND id < $4'}
         ORDER BY id DESC LIMIT $3`,
        before === '' ? [botId, actionId, limit] : [botId, actionId, limit, before],
      )
      return rows.map(runFromRow)
    },

    /** Without tests, by action. */
    async countSince(botId: string, since: number): Promise<Map<string, RunCounts>> {
      const rows = await database.query<RunCounts & { actionId: string }>(
        `SELECT action_id, count(*) AS total, count(CASE WHEN outcome = 'failed' THEN 1 END) AS failed
         FROM action_runs WHERE bot_id = $1 AND id > $2 AND is_test = 0 GROUP BY action_id`,
        [botId, timedIdsBefore('run', since)],
      )
      return new Map(rows.map(({ actionId, total, failed }) => [actionId, { total, failed }]))
    },
  }
}

function finishStatement(
  botId: string,
  id: string,
  { failure, status, durationMs }: ActionRunResult,
  conversationId: string | null,
): Statement {
  return {
    sql: `UPDATE action_runs SET outcome = $3, failure = $4, status = $5, duration_ms = $6,
            conversation_id = coalesce($7, conversation_id) WHERE bot_id = $1 AND id = $2`,
    values: [botId, id, failure === null ? 'completed' : 'failed', failure, status, durationMs, conversationId],
  }
}
