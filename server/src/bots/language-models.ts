// Reads language model settings from a request.
import { type ErrorDetail, Fault, type LanguageModelInput, type LanguageModelPreset } from '@docent/contract'
import type { UrlProblem } from '../outbound/outbound.ts'
import type { LanguageModelRecord } from '../storage/bots.ts'
import presets from './model-presets.json' with { type: 'json' }

/** Well-known providers, in the order to offer them. */
export const modelPresets = presets as LanguageModelPreset[]

// Showing four characters of a shorter key would reveal too much.
const MIN_KEY_SHOWN = 16
export const DEFAULT_CONTEXT_TOKENS = 4_000
const DEFAULTS = { temperature: 0.2, max_output_tokens: 800, timeout_ms: 30_000, citations: 'required' } as const

export interface LanguageModelDeps {
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  sealModelKey: (botId: string, key: string) => string
}

/** Undefined: not in the request. */
export async function readLanguageModelChange(
  deps: LanguageModelDeps,
  botId: string,
  input: LanguageModelInput | null | undefined,
  current: LanguageModelRecord | null,
): Promise<LanguageModelRecord | null | undefined> {
  return input ? readLanguageModel(deps, botId, input, current) : input
}

export async function readLanguageModel(
  { urlProblem, sealModelKey }: LanguageModelDeps,
  botId: string,
  input: LanguageModelInput,
  current: LanguageModelRecord | null,
): Promise<LanguageModelRecord> {
  const baseUrl = input.base_url ?? null
  // A key belongs to its URL: otherwise anyone who may change the URL could have the key sent to their own server.
  const isSameAddress = current?.provider === input.provider && current.baseUrl === baseUrl
  const currentKey = isSameAddress ? current.apiKey : null
  const details: ErrorDetail[] = []
  if (baseUrl === null && input.provider !== 'anthropic') {
    details.push({ path: 'language_model.base_url', message: 'This field is required.' })
  }
  const problem = baseUrl === null ? null : await urlProblem(baseUrl)
  if (problem) details.push({ path: 'language_model.base_url', message: problem })
  const lacksKey = input.api_key === undefined ? !currentKey : input.api_key === null
  if (lacksKey && input.provider === 'anthropic') {
    details.push({ path: 'language_model.api_key', message: 'This field is required.' })
  } else if (lacksKey && input.api_key === undefined && current?.apiKey) {
    details.push({
      path: 'language_model.api_key',
      message: 'Enter the API key again when you change the provider or base URL.',
    })
  }
  if (details.length > 0) throw new Fault('validation_failed', { details })

  const { api_key: key, temperature = DEFAULTS.temperature, max_output_tokens, timeout_ms, citations } = input
  return {
    provider: input.provider,
    baseUrl,
    ...(key === undefined
      ? { apiKey: currentKey, apiKeyLastFour: currentKey ? (current?.apiKeyLastFour ?? null) : null }
      : { apiKey: key && sealModelKey(botId, key), apiKeyLastFour: lastFour(key) }),
    model: input.model.trim(),
    temperature,
    maxOutputTokens: max_output_tokens ?? DEFAULTS.max_output_tokens,
    timeoutMs: timeout_ms ?? DEFAULTS.timeout_ms,
    citations: citations ?? DEFAULTS.citations,
    writesAnswers: input.writes_answers ?? true,
    instructions: input.instructions?.trim() ?? null,
    contextTokens: input.context_tokens ?? DEFAULT_CONTEXT_TOKENS,
    dailyCalls: input.daily_calls ?? null,
    inputPricePerMillion: input.input_price_per_million ?? null,
    outputPricePerMillion: input.output_price_per_million ?? null,
  }
}

function lastFour(key: string | null): string | null {
  return key && key.length >= MIN_KEY_SHOWN ? key.slice(-4) : null
}
