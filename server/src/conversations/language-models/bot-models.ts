// The language model of each bot and its prices.

import { costOf } from '../../answers/language-model/provider/usage.ts'
import {
  defaultModelSettings,
  type ModelProvider,
  type ModelSettings,
  type Usage,
} from '../../answers/language-model/types.ts'
import type { LanguageModelRecord } from '../../storage/bots.ts'

const BOTS_KEPT = 500

export interface BotModel {
  settings: ModelSettings
  /** By performance.now(); the model is not called before. */
  pausedUntil: number
}

export type ModelOf = (botId: string, record: LanguageModelRecord) => BotModel

interface Deps {
  /** Null when the key cannot be decrypted. */
  openKey: (botId: string, sealed: string) => string | null
}

/** Returns the same object for the same settings, because the SDK caches per provider object. */
export function createBotModels({ openKey }: Deps): ModelOf {
  const kept = new Map<string, BotModel & { written: string }>()

  return (botId, record) => {
    const written = JSON.stringify(record)
    const known = kept.get(botId)
    if (known?.written === written) return known
    const apiKey = record.apiKey === null ? null : (openKey(botId, record.apiKey) ?? UNREADABLE)
    const made = { written, settings: toSettings(record, apiKey), pausedUntil: 0 }
    kept.delete(botId)
    kept.set(botId, made)
    const [oldest] = kept.keys()
    if (kept.size > BOTS_KEPT && oldest) kept.delete(oldest)
    return made
  }
}

type Prices = Pick<LanguageModelRecord, 'inputPricePerMillion' | 'outputPricePerMillion'>

/** 0 without configured prices. */
export function priceOf(usage: Usage, { inputPricePerMillion, outputPricePerMillion }: Prices): number {
  const price = { inputPerMillionTokens: inputPricePerMillion ?? 0, outputPerMillionTokens: outputPricePerMillion ?? 0 }
  return costOf(usage, price)
}

// Keys contain no spaces, so this one is rejected before anything is sent.
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
    instructions: record.instructions ?? null,
    // A token is about four characters; twice that means that the provider ignores the limit.
    maxCharacters: Math.max(defaultModelSettings.maxCharacters, maxOutputTokens * 8),
  }
}
