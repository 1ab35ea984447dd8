import type { Database, Row, Statement } from '../database.ts'

/** Outcome of a call that wrote questions for passages. */
export const QUESTIONS_WRITTEN = 'questions_written'

export interface ModelUsageRecord {
  /** Days since 1970, UTC. */
  day: number
  /** `answered`, `no_answer`, `questions_written`, or why it failed. */
  outcome: string
  inputTokens: number
  outputTokens: number
  cost: number
}

interface UsageRow extends Row {
  day: number
  outcome: string
  calls: number
  input_tokens: number
  output_tokens: number
  cost: number
}

export type ModelUsageDaysTable = ReturnType<typeof createModelUsageDaysTable>

export function createModelUsageDaysTable(database: Database) {
  return {
    /** Counts one call; write it together with the turn that made the call. */
    countStatement,

    async count(botId: string, usage: ModelUsageRecord) {
      await database.batch([countStatement(botId, usage)])
    },

    /** Newest day first. */
    async list(botId: string, fromDay: number) {
      const rows = await database.query<UsageRow>(
        `SELECT day, outcome, calls, input_tokens, output_tokens, cost FROM model_usage_days
         WHERE bot_id = $1 AND day >= $2 ORDER BY day DESC, outcome`,
        [botId, fromDay],
      )
      return rows.map(({ input_tokens, output_tokens, ...row }) => ({
        ...row,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
      }))
    },
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
