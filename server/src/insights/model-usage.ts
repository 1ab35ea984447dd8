// Daily use and cost of a bot's language model.
import type { ModelUsage } from '@docent/contract'
import { dayText, utcDay } from '../days.ts'
import { DRAFT_WRITTEN, type ModelUsageDaysTable, QUESTIONS_WRITTEN, WORKING_OUTCOMES } from '../storage/model-usage.ts'

export interface ModelUsageDeps {
  modelUsageDays: Pick<ModelUsageDaysTable, 'list'>
  clock: () => number
}

const DEFAULT_DAYS = 30

export async function readModelUsage(
  { modelUsageDays, clock }: ModelUsageDeps,
  botId: string,
  days = DEFAULT_DAYS,
): Promise<Pick<ModelUsage, 'total' | 'days'>> {
  const rows = await modelUsageDays.list(botId, utcDay(clock()) - days + 1)
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return {
    total: sum(rows),
    days: [...byDay].map(([day, outcomes]) => ({
      day: dayText(day),
      ...sum(outcomes),
      outcomes: Object.fromEntries(outcomes.map(({ outcome, calls }) => [outcome, calls])),
    })),
  }
}

type UsageRow = Awaited<ReturnType<ModelUsageDaysTable['list']>>[number]

function sum(rows: UsageRow[]): ModelUsage['total'] {
  const total = (of: (row: UsageRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  const working: string[] = [...WORKING_OUTCOMES, QUESTIONS_WRITTEN, DRAFT_WRITTEN]
  const isFailure = ({ outcome }: UsageRow) => !working.includes(outcome)
  return {
    calls: total(({ calls }) => calls),
    failed: total((row) => (isFailure(row) ? row.calls : 0)),
    input_tokens: total(({ inputTokens }) => inputTokens),
    output_tokens: total(({ outputTokens }) => outputTokens),
    cost: total(({ cost }) => cost),
  }
}
