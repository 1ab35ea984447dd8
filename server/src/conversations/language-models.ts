// The language model of each bot and its prices.

import type { LanguageModelTest } from '@docent/contract'
import { answerWithModel } from '../answers/language-model/answer-with-model.ts'
import { costOf, makeFailureCause, noUsage } from '../answers/language-model/provider.ts'
import { type RestatedQuestion, restateQuestion } from '../answers/language-model/restate-question.ts'
import {
  defaultModelSettings,
  type FailureCause,
  type FailureReason,
  type ModelAnswer,
  type ModelDeps,
  type ModelFailure,
  type ModelProvider,
  type ModelSettings,
  type Usage,
} from '../answers/language-model/types.ts'
import { type WordedResult, wordResult } from '../answers/language-model/word-result.ts'
import type { AnswerModel } from '../answers/types.ts'
import { Lru } from '../caching.ts'
import type { Context } from '../context.ts'
import { utcDay } from '../days.ts'
import type { BotRecord, LanguageModelRecord } from '../storage/bots.ts'
import type { WORKING_OUTCOMES } from '../storage/model-usage.ts'

const BOTS_KEPT = 500

interface BotModel {
  settings: ModelSettings
  /** By performance.now(); the model is not called before. */
  pausedUntil: number
  /** Likewise for restating questions, where visitors wait for a search. */
  restatesFrom: number
}

type ModelOf = (botId: string, record: LanguageModelRecord) => BotModel

/**
 * Returns the same object for the same settings, because the SDK caches per provider object. `openKey` gives null for a
 * key that cannot be decrypted.
 */
export function makeModelOf(openKey: (botId: string, sealedKey: string) => string | null): ModelOf {
  const models = new Lru<BotModel & { settingsJson: string }>(BOTS_KEPT)

  return (botId, record) => {
    const settingsJson = JSON.stringify(record)
    const cachedModel = models.get(botId)
    if (cachedModel?.settingsJson === settingsJson) return cachedModel
    const apiKey = record.apiKey === null ? null : (openKey(botId, record.apiKey) ?? UNREADABLE)
    const openedModel = { settingsJson, settings: toSettings(record, apiKey), pausedUntil: 0, restatesFrom: 0 }
    models.set(botId, openedModel)
    return openedModel
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
    restateTimeoutMs: Math.min(defaultModelSettings.restateTimeoutMs, firstTokenTimeoutMs),
    citations,
    instructions: record.instructions ?? null,
    contextTokens: record.contextTokens ?? defaultModelSettings.contextTokens,
    // A token is about four characters; twice that means that the provider ignores the limit.
    maxCharacters: Math.max(defaultModelSettings.maxCharacters, maxOutputTokens * 8),
  }
}

// Answers with the bot's own language model, and records the call and its cost.

// Pause a provider that is down, so that not every visitor waits for it.
const PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000
// A model that is too slow to restate questions will be for a while.
const RESTATE_PAUSE_MS = 60_000
const SLOW_FAILURES: FailureReason[] = ['connection', 'first_token_timeout', 'timeout', 'rate_limited']

export interface ModelCall {
  botId: string
  model: string
  /** One of `WORKING_OUTCOMES`, or the kind of failure. */
  outcome: string
  usage: Usage
  cost: number
  durationMs: number
  /** Safe to log. */
  failure: Pick<ModelFailure, 'failed' | 'status' | 'code' | 'retryAfterMs' | 'partial'> | null
}

export interface ModelListener {
  /** The model was called: text may arrive from now on. */
  onRequest?: () => void
  onText?: (text: string) => void
  signal?: AbortSignal | undefined
}

/** A bot's model for one message. */
interface MessageModel extends AnswerModel {
  /** The calls that were made, the one for the answer last. */
  calls(): ModelCall[]
}

/** Null for a bot without a model. */
export type MessageModelOf = (bot: BotRecord, listener: ModelListener) => MessageModel | null

/** What every call of a bot's model works with. */
export interface ModelCalls {
  modelOf: ModelOf
  fetch: typeof globalThis.fetch
  onCall: (call: ModelCall) => void
  /** False when the daily limit is reached. */
  countModelCall: (bot: BotRecord) => Promise<boolean>
}

export function makeMessageModelOf({ modelOf, fetch, onCall, countModelCall }: ModelCalls): MessageModelOf {
  return (bot, { onRequest, onText, signal }) => {
    const { id, languageModel } = bot
    if (!languageModel || languageModel.writesAnswers === false) return null
    const openedModel = modelOf(id, languageModel)
    if (performance.now() < openedModel.pausedUntil) return null
    const calls: ModelCall[] = []
    const base = { fetch, ...(signal ? { signal } : {}) }
    let isAnnounced = false
    let hasShown = false

    function announce() {
      if (!isAnnounced) onRequest?.()
      isAnnounced = true
    }

    /** Where the text goes, unless it is held back. */
    function sink(isHeld: boolean, before = ''): Pick<ModelDeps, 'onText'> {
      if (!onText || isHeld) return {}
      let separator = before
      const show = (text: string) => {
        hasShown = true
        onText(separator + text)
        separator = ''
      }
      return { onText: show }
    }

    /** Counts a call and its cost, and pauses a provider that is down. */
    async function count<T extends ModelResult>(call: () => Promise<T>): Promise<T> {
      const startedAt = performance.now()
      const result = await call()
      const modelCall = toModelCall(result, {
        botId: id,
        languageModel: languageModel as LanguageModelRecord,
        outcome: outcomeOf(result),
        startedAt,
      })
      calls.push(modelCall)
      onCall(modelCall)
      return result
    }

    return {
      calls: () => calls,

      async generateAnswer(task, { isHeld = false } = {}) {
        if (!(await countModelCall(bot))) return failure('daily_limit')
        announce()
        const deps = { ...base, ...sink(isHeld) }
        const outcome = await count(() =>
          answerWithModel({ ...task, settings: openedModel.settings }, deps).catch(() => failure('unavailable')),
        )
        if ('failed' in outcome && SLOW_FAILURES.includes(outcome.failed)) {
          openedModel.pausedUntil = performance.now() + Math.min(outcome.retryAfterMs ?? PAUSE_MS, LONGEST_PAUSE_MS)
        }
        return outcome
      },

      async restateQuestion(task) {
        if (performance.now() < openedModel.restatesFrom || signal?.aborted || !(await countModelCall(bot))) return null
        const restatement = await count(() =>
          restateQuestion(task, openedModel.settings, base).catch(() => failure('unavailable')),
        )
        if (!('failed' in restatement)) return restatement.text
        if (restatement.failed !== 'aborted') openedModel.restatesFrom = performance.now() + RESTATE_PAUSE_MS
        return null
      },

      async wordResult(task, { isHeld = false } = {}) {
        if (signal?.aborted || !(await countModelCall(bot))) return { text: '', isComplete: false }
        announce()
        // What was said before stays, so this becomes a paragraph of its own.
        const deps = { ...base, ...sink(isHeld, hasShown ? '\n\n' : '') }
        const wording = await count(() =>
          wordResult(task, openedModel.settings, deps).catch(() => failure('unavailable')),
        )
        return { text: wording.text, isComplete: !('failed' in wording) }
      },
    }
  }
}

type ModelResult = ModelAnswer | ModelFailure | RestatedQuestion | WordedResult

/** The tokens of all calls for one message. */
export function totalUsage(calls: readonly ModelCall[]): Usage {
  return {
    inputTokens: calls.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
    outputTokens: calls.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
    estimated: calls.some(({ usage }) => usage.estimated),
  }
}

function failure(reason: FailureReason): ModelFailure {
  return { ...makeFailureCause(reason), partial: false, text: '', usedPassages: [], usage: noUsage }
}

const outcomeNames = { answered: 'answered', partly: 'partly', not_found: 'no_answer' } as const

interface CallOfBot {
  botId: string
  languageModel: LanguageModelRecord
  /** When it worked. */
  outcome: string
  startedAt: number
}

/** Of a result that has just arrived. */
export function toModelCall(
  result: { usage: Usage } | (FailureCause & { usage: Usage; partial?: boolean }),
  { botId, languageModel, outcome, startedAt }: CallOfBot,
): ModelCall {
  const { usage } = result
  const call = {
    botId,
    model: languageModel.model,
    usage,
    cost: priceOf(usage, languageModel),
    durationMs: performance.now() - startedAt,
  }
  if (!('failed' in result)) return { ...call, outcome, failure: null }
  const { failed, status, code, retryAfterMs, partial = false } = result
  return { ...call, outcome: failed, failure: { failed, status, code, retryAfterMs, partial } }
}

function outcomeOf(result: ModelResult): (typeof WORKING_OUTCOMES)[number] | FailureReason {
  if ('failed' in result) return result.failed
  if (!('outcome' in result)) return result.kind
  return result.call ? 'action_chosen' : outcomeNames[result.outcome]
}

// Sends a test question to a language model with unsaved settings.

const TEST_QUESTION = 'When is the shop open?'
const TEST_PASSAGE = {
  title: 'Opening hours',
  text: 'The shop is open from Monday to Friday, 9 am to 6 pm.',
  url: null,
}

/** Reasons that an owner can do something about. */
const problems: Record<string, NonNullable<LanguageModelTest['problem']>> = {
  unauthorized: 'wrong_key',
  no_credit: 'no_credit',
  unknown_model: 'unknown_model',
  not_found: 'wrong_address',
  connection: 'unreachable',
  rate_limited: 'rate_limited',
  first_token_timeout: 'too_slow',
  timeout: 'too_slow',
  bad_request: 'request_rejected',
  provider_error: 'provider_error',
  empty: 'empty_reply',
  not_grounded: 'no_citation',
  no_answer: 'no_answer',
  misconfigured: 'misconfigured',
}

export type TestModel = (bot: BotRecord, record: LanguageModelRecord) => Promise<LanguageModelTest>

export function makeTestModel({ storage, clock }: Context, models: ModelCalls): TestModel {
  const { modelOf, fetch, countModelCall, onCall } = models
  return async (bot, record) => {
    if (!(await countModelCall(bot))) {
      const none = { reply: null, status: null, code: null, retry_after_seconds: null }
      return { outcome: 'daily_limit', problem: 'daily_limit', ...none, latency_ms: 0 }
    }
    const { settings } = modelOf(bot.id, record)
    const startedAt = performance.now()
    const outcome = await answerWithModel(
      {
        question: TEST_QUESTION,
        passages: [TEST_PASSAGE],
        products: [],
        language: bot.language,
        history: [],
        bot: { name: bot.name, tone: bot.tone },
        settings,
      },
      { fetch },
    )
    const call = toModelCall(outcome, { botId: bot.id, languageModel: record, outcome: outcomeOf(outcome), startedAt })
    await storage.modelUsageDays.count(bot.id, usageOf(call, clock()))
    onCall(call)
    return {
      outcome: call.outcome,
      problem: problems[call.outcome] ?? (call.failure ? 'unusable_reply' : null),
      reply: outcome.text || null,
      retry_after_seconds: call.failure?.retryAfterMs ? Math.ceil(call.failure.retryAfterMs / 1000) : null,
      status: call.failure?.status ?? null,
      code: call.failure?.code ?? null,
      latency_ms: Math.round(call.durationMs),
    }
  }
}

// Logs failed language model calls and counts all of them. Never logs texts or keys.

export function makeObserveModelCall({ logger, metrics }: Context): (call: ModelCall) => void {
  return ({ botId, outcome, usage, durationMs, failure }) => {
    metrics.count('docent_model_calls_total', { outcome })
    metrics.count('docent_model_tokens_total', { direction: 'input' }, usage.inputTokens)
    metrics.count('docent_model_tokens_total', { direction: 'output' }, usage.outputTokens)
    metrics.observeSeconds('docent_model_seconds', { outcome }, durationMs / 1000)
    if (failure)
      logger.warn({ bot: botId, ms: Math.round(durationMs), ...failure }, 'the language model gave no answer')
  }
}

/** The row that counts a call. */
export function usageOf({ outcome, usage, cost }: ModelCall, now: number) {
  const { inputTokens, outputTokens } = usage
  return { day: utcDay(now), outcome, inputTokens, outputTokens, cost }
}
