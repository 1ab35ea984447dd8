// The settings of a language model as they are edited: an empty number is the default.
import type { Bot, LanguageModelPreset } from '@docent/contract'
import { withScheme } from '../../text/with-scheme.ts'

type Stored = NonNullable<Bot['language_model']>

const DEFAULT_TEMPERATURE = 0.2

export type ModelDraft = ReturnType<typeof readDraft>

/** `presetId`: empty until a provider is chosen. */
export function readDraft({ language_model: set }: Bot, presetId: string) {
  const number = (value: number | null | undefined): number | string => value ?? ''
  return {
    presetId,
    provider: set?.provider ?? ('openai_compatible' as Stored['provider']),
    baseUrl: set?.base_url ?? '',
    model: set?.model ?? '',
    key: '',
    instructions: set?.instructions ?? '',
    answers: set?.writes_answers ?? true,
    cited: (set?.citations ?? 'required') === 'required',
    daily: number(set?.daily_calls),
    temperature: set ? number(set.temperature) : DEFAULT_TEMPERATURE,
    maxTokens: number(set?.max_output_tokens),
    seconds: number(set && set.timeout_ms / 1000),
    context: number(set?.context_tokens),
    inputPrice: number(set?.input_price_per_million),
    outputPrice: number(set?.output_price_per_million),
  }
}

/** Choosing a provider: a key and a model typed for another are not sent to it. */
export function chooseProvider(
  presetId: string,
  preset: LanguageModelPreset | undefined,
  savedDraft: Pick<ModelDraft, 'presetId' | 'model'>,
): Partial<ModelDraft> {
  const choice = { presetId, key: '', model: presetId === savedDraft.presetId ? savedDraft.model : '' }
  if (!preset) return choice
  const { provider, base_url, context_tokens, timeout_ms } = preset
  return { ...choice, provider, baseUrl: base_url ?? '', context: context_tokens, seconds: timeout_ms / 1000 }
}

export function writeDraft(draft: ModelDraft) {
  return draft.presetId ? { language_model: languageModel(draft) } : {}
}

export function languageModel(draft: ModelDraft) {
  const { temperature, maxTokens, seconds, context, key, daily } = draft
  const numberOrNull = (value: number | string) => (typeof value === 'number' ? value : null)
  return {
    temperature: numberOrNull(temperature),
    // Left out, the server uses its defaults.
    ...(typeof maxTokens === 'number' ? { max_output_tokens: maxTokens } : {}),
    ...(typeof seconds === 'number' ? { timeout_ms: Math.round(seconds * 1000) } : {}),
    ...(typeof context === 'number' ? { context_tokens: context } : {}),
    provider: draft.provider,
    base_url: withScheme(draft.baseUrl) || null,
    model: draft.model.trim(),
    ...(key ? { api_key: key.trim() } : {}),
    instructions: draft.instructions.trim() || null,
    writes_answers: draft.answers,
    citations: draft.cited ? ('required' as const) : ('optional' as const),
    daily_calls: numberOrNull(daily),
    input_price_per_million: numberOrNull(draft.inputPrice),
    output_price_per_million: numberOrNull(draft.outputPrice),
  }
}
