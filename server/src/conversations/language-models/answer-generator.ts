// Answers with the bot's own language model, and records the call and its cost.
import { answerWithModel } from '../../answers/language-model/answer-with-model.ts'
import { createFailureCause } from '../../answers/language-model/provider/failure.ts'
import { noUsage } from '../../answers/language-model/provider/usage.ts'
import type { FailureReason, ModelAnswer, ModelFailure, Usage } from '../../answers/language-model/types.ts'
import type { GenerateAnswer } from '../../answers/types.ts'
import type { BotRecord, LanguageModelRecord } from '../../storage/bots.ts'
import { type ModelOf, priceOf } from './bot-models.ts'

// Pause a provider that is down, so that not every visitor waits for it.
const PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000
const slowFailures: FailureReason[] = ['connection', 'first_token_timeout', 'timeout', 'rate_limited']

export interface ModelCall {
  botId: string
  model: string
  /** `answered`, `no_answer`, or the kind of failure. */
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

export interface AnswerGenerator {
  generateAnswer: GenerateAnswer
  /** The call that was made, if any. */
  call(): ModelCall | null
}

/** Null for a bot without a model. */
export type AnswerGeneratorOf = (bot: BotRecord, listener: ModelListener) => AnswerGenerator | null

interface Deps {
  modelOf: ModelOf
  fetch: typeof globalThis.fetch
  onCall: (call: ModelCall) => void
  /** False when the daily limit is reached. */
  countCall: (bot: BotRecord) => Promise<boolean>
}

export function createAnswerGeneratorOf({ modelOf, fetch, onCall, countCall }: Deps): AnswerGeneratorOf {
  return (bot, { onRequest, onText, signal }) => {
    const { id, languageModel } = bot
    if (!languageModel || languageModel.writesAnswers === false) return null
    const own = modelOf(id, languageModel)
    if (performance.now() < own.pausedUntil) return null
    let made: ModelCall | null = null
    return {
      call: () => made,
      async generateAnswer(asked) {
        if (!(await countCall(bot))) return failure('daily_limit')
        const startedAt = performance.now()
        onRequest?.()
        const deps = { fetch, ...(onText ? { onText } : {}), ...(signal ? { signal } : {}) }
        const said = await answerWithModel({ ...asked, settings: own.settings }, deps).catch(() =>
          failure('unavailable'),
        )
        if ('failed' in said && slowFailures.includes(said.failed)) {
          own.pausedUntil = performance.now() + Math.min(said.retryAfterMs ?? PAUSE_MS, LONGEST_PAUSE_MS)
        }
        made = toCall(id, languageModel, said, performance.now() - startedAt)
        onCall(made)
        return said
      },
    }
  }
}

function failure(reason: FailureReason): ModelFailure {
  return { ...createFailureCause(reason), partial: false, text: '', usedPassages: [], usage: noUsage }
}

export function toCall(
  botId: string,
  languageModel: LanguageModelRecord,
  said: ModelAnswer | ModelFailure,
  durationMs: number,
): ModelCall {
  const { usage } = said
  const { model } = languageModel
  const cost = priceOf(usage, languageModel)
  if (!('failed' in said)) {
    const outcome = said.answered ? 'answered' : 'no_answer'
    return { botId, model, outcome, usage, cost, durationMs, failure: null }
  }
  const { failed, status, code, retryAfterMs, partial } = said
  const failure = { failed, status, code, retryAfterMs, partial }
  return { botId, model, outcome: failed, usage, cost, durationMs, failure }
}
