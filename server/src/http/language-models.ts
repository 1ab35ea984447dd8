// A bot's language model as the wire has it, and what it was used for.
import { type ErrorDetail, Fault, type LanguageModel, type LanguageModelInput, type ModelUsage } from '@docent/contract'
import type { FindBot } from '../access/managers.ts'
import type { ModelCallLimits } from '../conversations/model-call-limits.ts'
import { DAY_MS, utcDay } from '../days.ts'
import type { LanguageModelRecord } from '../storage/bots.ts'
import { type ModelUsageDaysTable, QUESTIONS_WRITTEN } from '../storage/model-usage-days.ts'
import type { Route } from './route.ts'

// Of a shorter key, four characters would give away too much.
const LEAST_KEY_SHOWN = 16
const defaults = { temperature: 0.2, max_output_tokens: 800, timeout_ms: 30_000, citations: 'required' } as const

/** Undefined: nothing was said about it. */
export type ReadLanguageModel = (
  botId: string,
  input: LanguageModelInput | null | undefined,
  current: LanguageModelRecord | null,
) => Promise<LanguageModelRecord | null | undefined>

interface InputDeps {
  /** Why an address may not be called, or null. */
  refusal: (url: string) => Promise<string | null>
  sealKey: (botId: string, key: string) => string
}

export function languageModelReader({ refusal, sealKey }: InputDeps): ReadLanguageModel {
  return async (botId, input, current) => {
    if (!input) return input
    const baseUrl = input.base_url ?? null
    // A key is kept for the address it was given for, or whoever may change the address could have it sent to himself.
    const isSamePlace = current?.provider === input.provider && current.baseUrl === baseUrl
    const kept = isSamePlace ? current.apiKey : null
    const details: ErrorDetail[] = []
    if (baseUrl === null && input.provider !== 'anthropic') {
      details.push({ path: 'language_model.base_url', message: 'This field is required.' })
    }
    const refused = baseUrl === null ? null : await refusal(baseUrl)
    if (refused) details.push({ path: 'language_model.base_url', message: refused })
    const lacksKey = input.api_key === undefined ? !kept : input.api_key === null
    if (lacksKey && input.provider === 'anthropic') {
      details.push({ path: 'language_model.api_key', message: 'This field is required.' })
    } else if (lacksKey && input.api_key === undefined && current?.apiKey) {
      details.push({
        path: 'language_model.api_key',
        message: 'Enter the API key again when you change the provider or base URL.',
      })
    }
    if (details.length > 0) throw new Fault('validation_failed', { details })

    const { api_key: key, temperature = defaults.temperature, max_output_tokens, timeout_ms, citations } = input
    return {
      provider: input.provider,
      baseUrl,
      ...(key === undefined
        ? { apiKey: kept, apiKeyLastFour: kept ? (current?.apiKeyLastFour ?? null) : null }
        : { apiKey: key && sealKey(botId, key), apiKeyLastFour: lastFour(key) }),
      model: input.model.trim(),
      temperature,
      maxOutputTokens: max_output_tokens ?? defaults.max_output_tokens,
      timeoutMs: timeout_ms ?? defaults.timeout_ms,
      citations: citations ?? defaults.citations,
      writesAnswers: input.writes_answers ?? true,
      dailyCalls: input.daily_calls ?? null,
      inputPricePerMillion: input.input_price_per_million ?? null,
      outputPricePerMillion: input.output_price_per_million ?? null,
    }
  }
}

function lastFour(key: string | null): string | null {
  return key && key.length >= LEAST_KEY_SHOWN ? key.slice(-4) : null
}

export function toLanguageModel(record: LanguageModelRecord | null): LanguageModel | null {
  return (
    record && {
      provider: record.provider,
      base_url: record.baseUrl,
      api_key_set: record.apiKey !== null,
      api_key_last_four: record.apiKeyLastFour,
      model: record.model,
      temperature: record.temperature,
      max_output_tokens: record.maxOutputTokens,
      timeout_ms: record.timeoutMs,
      citations: record.citations,
      writes_answers: record.writesAnswers ?? true,
      daily_calls: record.dailyCalls ?? null,
      input_price_per_million: record.inputPricePerMillion,
      output_price_per_million: record.outputPricePerMillion,
    }
  )
}

interface UsageDeps {
  modelUsageDays: Pick<ModelUsageDaysTable, 'list'>
  callsToday: ModelCallLimits['today']
  findBot: FindBot
  clock: () => number
}

export function modelUsageRoutes(route: Route, { modelUsageDays, callsToday, findBot, clock }: UsageDeps) {
  route('GET /api/manage/v1/bots/{botId}/model-usage', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const rows = await modelUsageDays.list(bot.id, utcDay(clock()) - (query.days ?? 30) + 1)
    const today = await callsToday(bot)
    const days = Map.groupBy(rows, ({ day }) => day)
    return {
      today: {
        calls: today.calls,
        limit: today.limit,
        workspace_calls: today.workspaceCalls,
        workspace_limit: today.workspaceLimit,
        limit_reached: today.isReached,
      },
      total: sum(rows),
      days: [...days].map(([day, outcomes]) => ({
        day: new Date(day * DAY_MS).toISOString().slice(0, 10),
        ...sum(outcomes),
        outcomes: Object.fromEntries(outcomes.map(({ outcome, calls }) => [outcome, calls])),
      })),
    }
  })
}

type UsageRow = Awaited<ReturnType<UsageDeps['modelUsageDays']['list']>>[number]

function sum(rows: UsageRow[]): ModelUsage['total'] {
  const total = (of: (row: UsageRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  const isFailure = ({ outcome }: UsageRow) => !['answered', 'no_answer', QUESTIONS_WRITTEN].includes(outcome)
  return {
    calls: total(({ calls }) => calls),
    failed: total((row) => (isFailure(row) ? row.calls : 0)),
    input_tokens: total(({ inputTokens }) => inputTokens),
    output_tokens: total(({ outputTokens }) => outputTokens),
    cost: total(({ cost }) => cost),
  }
}
