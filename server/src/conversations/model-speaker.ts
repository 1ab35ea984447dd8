// Lets a bot's own language model speak, and tells afterwards what it was asked and what that cost.
import { answerWithModel } from '../answers/language-model/answer-with-model.ts'
import { cause } from '../answers/language-model/failure.ts'
import {
  defaultModelSettings,
  type FailureReason,
  type ModelAnswer,
  type ModelFailure,
  type ModelProvider,
  type ModelSettings,
  type Usage,
} from '../answers/language-model/types.ts'
import { costOf, noUsage } from '../answers/language-model/usage.ts'
import type { Speak } from '../answers/types.ts'
import type { BotRecord, LanguageModelRecord } from '../storage/bots.ts'

const BOTS_KEPT = 500
// A provider that is down is left alone for a while, so that not every visitor waits for it in vain.
const REST_MS = 10_000
const LONGEST_REST_MS = 300_000
const slowFailures: FailureReason[] = ['connection', 'first_token_timeout', 'timeout', 'rate_limited']

export interface ModelCall {
  botId: string
  model: string
  /** `answered`, `no_answer`, or why it failed. */
  outcome: string
  usage: Usage
  cost: number
  durationMs: number
  /** Safe to log. */
  failure: Pick<ModelFailure, 'failed' | 'status' | 'code' | 'retryAfterMs' | 'partial'> | null
}

export interface ModelListener {
  /** The model is being asked: text may come from now on. */
  onAsked?: () => void
  onText?: (text: string) => void
  signal?: AbortSignal | undefined
}

export interface Speaker {
  speak: Speak
  /** The call that was made, if one was. */
  call(): ModelCall | null
}

/** Null for a bot without a model. */
export type SpeakerOf = (bot: BotRecord, listener: ModelListener) => Speaker | null

interface Deps {
  /** Null when the key cannot be opened. */
  openKey: (botId: string, sealed: string) => string | null
  fetch: typeof globalThis.fetch
  onCall: (call: ModelCall) => void
}

export function modelSpeaker({ openKey, fetch, onCall }: Deps): SpeakerOf {
  // The same object for the same settings: what the SDK prepares for a provider hangs on it.
  const kept = new Map<string, Kept>()

  function keptFor(botId: string, record: LanguageModelRecord): Kept {
    const written = JSON.stringify(record)
    const known = kept.get(botId)
    if (known?.written === written) return known
    const apiKey = record.apiKey === null ? null : (openKey(botId, record.apiKey) ?? UNREADABLE)
    const made = { written, settings: toSettings(record, apiKey), restsUntil: 0 }
    kept.delete(botId)
    kept.set(botId, made)
    const [oldest] = kept.keys()
    if (kept.size > BOTS_KEPT && oldest) kept.delete(oldest)
    return made
  }

  return ({ id, languageModel }, { onAsked, onText, signal }) => {
    if (!languageModel) return null
    const own = keptFor(id, languageModel)
    if (performance.now() < own.restsUntil) return null
    let made: ModelCall | null = null
    return {
      call: () => made,
      async speak(asked) {
        const startedAt = performance.now()
        onAsked?.()
        const deps = { fetch, ...(onText ? { onText } : {}), ...(signal ? { signal } : {}) }
        const said = await answerWithModel({ ...asked, settings: own.settings }, deps).catch(() => unavailable)
        if ('failed' in said && slowFailures.includes(said.failed)) {
          own.restsUntil = performance.now() + Math.min(said.retryAfterMs ?? REST_MS, LONGEST_REST_MS)
        }
        made = toCall(id, languageModel, said, performance.now() - startedAt)
        onCall(made)
        return said
      },
    }
  }
}

interface Kept {
  written: string
  settings: ModelSettings
  restsUntil: number
}

const unavailable: ModelFailure = {
  ...cause('unavailable'),
  partial: false,
  text: '',
  usedPassages: [],
  usage: noUsage,
}

// No key has a space in it, so this one is refused before anything is sent.
const UNREADABLE = 'not readable'

function toSettings(record: LanguageModelRecord, apiKey: string | null): ModelSettings {
  const { baseUrl, model, temperature, maxOutputTokens, timeoutMs, citations } = record
  const provider: ModelProvider =
    record.provider === 'anthropic'
      ? { kind: 'anthropic', baseUrl, apiKey: apiKey ?? '', model }
      : { kind: 'openai_compatible', baseUrl: baseUrl ?? '', apiKey, model }
  const firstTokenTimeoutMs = Math.ceil(timeoutMs / 2)
  return {
    ...defaultModelSettings,
    provider,
    temperature,
    maxOutputTokens,
    timeoutMs,
    firstTokenTimeoutMs,
    citations,
    // A token is some four characters; more than the provider was allowed to give is a provider out of hand.
    maxCharacters: Math.max(defaultModelSettings.maxCharacters, maxOutputTokens * 8),
  }
}

function toCall(
  botId: string,
  { model, inputPricePerMillion, outputPricePerMillion }: LanguageModelRecord,
  said: ModelAnswer | ModelFailure,
  durationMs: number,
): ModelCall {
  const { usage } = said
  const price = { inputPerMillionTokens: inputPricePerMillion ?? 0, outputPerMillionTokens: outputPricePerMillion ?? 0 }
  const cost = costOf(usage, price)
  if (!('failed' in said)) {
    const outcome = said.answered ? 'answered' : 'no_answer'
    return { botId, model, outcome, usage, cost, durationMs, failure: null }
  }
  const { failed, status, code, retryAfterMs, partial } = said
  const failure = { failed, status, code, retryAfterMs, partial }
  return { botId, model, outcome: failed, usage, cost, durationMs, failure }
}
