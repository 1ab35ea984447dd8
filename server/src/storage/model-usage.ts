import type { Database, Statement } from './database.ts'

/** Outcome of a call that wrote questions for passages. */
export const QUESTIONS_WRITTEN = 'questions_written'
export const DRAFT_WRITTEN = 'draft_written'

/** Outcomes of the calls for a message that did not fail. */
export const WORKING_OUTCOMES = [
  'answered',
  'partly',
  'no_answer',
  'restated',
  'action_chosen',
  'result_worded',
] as const

export interface ModelUsageRecord {
  /** Days since 1970, UTC. */
  day: number
  /** One of `WORKING_OUTCOMES`, `questions_written`, or why it failed. */
  outcome: string
  inputTokens: number
  outputTokens: number
  cost: number
}

export type ModelUsageDaysTable = ReturnType<typeof openModelUsageDaysTable>

export function openModelUsageDaysTable(database: Database) {
  return {
    /** Counts one call; write it together with the turn that made the call. */
    countStatement,

    async count(botId: string, usage: ModelUsageRecord) {
      await database.batch([countStatement(botId, usage)])
    },

    /** Newest day first. */
    list: (botId: string, fromDay: number) =>
      database.query<ModelUsageRecord & { calls: number }>(
        `SELECT day, outcome, calls, input_tokens, output_tokens, cost FROM model_usage_days
         WHERE bot_id = $1 AND day >= $2 ORDER BY day DESC, outcome`,
        [botId, fromDay],
      ),
  }
}

export function countStatement(
  botId: string,
  { day, outcome, inputTokens, outputTokens, cost }: ModelUsageRecord,
): Statement {
  return {
    sql: `INSERT INTO model_usage_days (bot_id, day, outcome, calls, input_tokens, output_tokens, cost)
          VALUES ($1, $2, $3, 1, $4, $5, $6)
          ON CONFLICT (bot_id, day, outcome) DO UPDATE SET
            calls = model_usage_days.calls + 1,
            input_tokens = model_usage_days.input_tokens + $4,
            output_tokens = model_usage_days.output_tokens + $5,
            cost = model_usage_days.cost + $6`,
    values: [botId, day, outcome, inputTokens, outputTokens, cost],
  }
}

/** A bot's call count, or the whole workspace's when `botId` is ''. */
export interface ModelCallCount {
  workspaceId: string
  botId: string
  day: number
}

export function openModelCallDaysTable(database: Database) {
  return {
    /** Counts a call and decides in the same statement. False: the limit was reached and nothing was counted. */
    async count({ workspaceId, botId, day }: ModelCallCount, limit: number | null): Promise<boolean> {
      if (limit !== null && limit < 1) return false
      const rows = await database.writeRelaxed(
        `INSERT INTO model_call_days (workspace_id, bot_id, day, calls) VALUES ($1, $2, $3, 1)
         ON CONFLICT (workspace_id, bot_id, day) DO UPDATE SET calls = model_call_days.calls + 1
         ${limit === null ? '' : 'WHERE model_call_days.calls < $4'} RETURNING calls`,
        [workspaceId, botId, day, ...(limit === null ? [] : [limit])],
      )
      return rows.length > 0
    },

    /** Takes a count back when the call was not made. */
    async undoCount({ workspaceId, botId, day }: ModelCallCount) {
      await database.writeRelaxed(
        'UPDATE model_call_days SET calls = calls - 1 WHERE workspace_id = $1 AND bot_id = $2 AND day = $3',
        [workspaceId, botId, day],
      )
    },

    /** Counts a refused call. True for the first of the day. */
    async countRefusal({ workspaceId, botId, day }: ModelCallCount): Promise<boolean> {
      const [row] = await database.writeRelaxed<{ refused: number }>(
        `INSERT INTO model_call_days (workspace_id, bot_id, day, refused) VALUES ($1, $2, $3, 1)
         ON CONFLICT (workspace_id, bot_id, day) DO UPDATE SET refused = model_call_days.refused + 1 RETURNING refused`,
        [workspaceId, botId, day],
      )
      return row?.refused === 1
    },

    async calls({ workspaceId, botId, day }: ModelCallCount): Promise<number> {
      const [row] = await database.query<{ calls: number }>(
        'SELECT calls FROM model_call_days WHERE workspace_id = $1 AND bot_id = $2 AND day = $3',
        [workspaceId, botId, day],
      )
      return row?.calls ?? 0
    },

    /** Across all tenants: removes days before this one. */
    async forget(day: number) {
      await database.write('DELETE FROM model_call_days WHERE day < $1', [day])
    },
  }
}
