// Opens the bots' language models: answers, the questions that they generate for passages, and daily limits of calls.
import { writeQuestions } from '../answers/language-model/generate-questions.ts'
import type { FailureCause } from '../answers/language-model/types.ts'
import type { Context } from '../context.ts'
import { repeatEverySecond } from '../lifecycle.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Section } from '../storage/generated-questions.ts'
import { QUESTIONS_WRITTEN } from '../storage/model-usage.ts'
import { type AskOutcome, openQuestionGenerator } from './generated-questions.ts'
import {
  type ModelCall,
  type ModelOf,
  makeMessageModelOf,
  makeModelOf,
  makeObserveModelCall,
  makeTestModel,
  priceOf,
} from './language-models.ts'
import { openModelCallLimits } from './model-call-limits.ts'

interface Neighbours {
  /** Called when the questions of a bot's passages have changed. */
  onQuestionsChanged: (botId: string) => void
}

export type LanguageModels = ReturnType<typeof openLanguageModels>

export function openLanguageModels(context: Context, { onQuestionsChanged }: Neighbours) {
  const { storage, outbound, sealed, config, logger, metrics, clock, onError } = context
  const { bots, modelUsageDays, questionWriting } = storage
  const limits = openModelCallLimits(context)
  const models = {
    countCall: limits.countCall,
    modelOf: makeModelOf({ openKey: (botId, key) => sealed.open(key, modelKeyBinding(botId)) }),
    fetch: outbound.fetch,
    onCall: makeObserveModelCall({ warn: (fields, message) => logger.warn(fields, message), metrics }),
  }
  const generator = openQuestionGenerator({
    questionWriting,
    findBot: async (botId) => {
      const workspaceId = await bots.findWorkspaceId(botId)
      return workspaceId === undefined ? undefined : bots.find(workspaceId, botId)
    },
    ask: makeAskForQuestions(models),
    onWritten: onQuestionsChanged,
    clock,
  })
  const generating = repeatEverySecond(generator.work, onError)

  return {
    messageModelOf: makeMessageModelOf(models),
    testModel: makeTestModel({ ...models, modelUsageDays, clock }),
    sealModelKey: (botId: string, key: string) => sealed.seal(key, modelKeyBinding(botId)),
    callsToday: limits.today,
    /** Deletes counts of past days. */
    forget: limits.forget,
    onQuestionsChanged,

    /** Applies a switch at once if this node does the work; other nodes notice within a second. */
    lookForQuestions() {
      generator.look()
      generating.now()
    },

    async start() {
      if (config.role === 'web') return
      await questionWriting.forgetLeases()
      generating.start()
    },

    async stop() {
      generator.close()
      await generating.stop()
    },
  }
}

/** Binding of a bot's sealed language model key. */
export function modelKeyBinding(botId: string): string {
  return `language model of ${botId}`
}

interface AskDeps {
  modelOf: ModelOf
  fetch: typeof globalThis.fetch
  onCall: (call: ModelCall) => void
  /** False when the daily limit is reached. */
  countCall: (bot: BotRecord) => Promise<boolean>
}

function makeAskForQuestions({ modelOf, fetch, onCall, countCall }: AskDeps) {
  return async (bot: BotRecord, sections: Section[], signal: AbortSignal): Promise<AskOutcome> => {
    const { id, languageModel } = bot
    if (!languageModel) return null
    if (!(await countCall(bot))) return 'daily_limit'
    const startedAt = performance.now()
    const result = await writeQuestions(sections, modelOf(id, languageModel).settings, { fetch, signal })
    const failure = 'failed' in result ? result : null
    const { usage } = result
    const outcome = failure?.failed ?? QUESTIONS_WRITTEN
    const cost = priceOf(usage, languageModel)
    onCall({
      botId: id,
      model: languageModel.model,
      usage,
      outcome,
      cost,
      durationMs: performance.now() - startedAt,
      failure: failure && { ...failureOf(failure), partial: false },
    })
    return {
      outcome,
      cost,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      retryAfterMs: failure?.retryAfterMs ?? null,
      ...('questions' in result ? { questions: result.questions } : {}),
    }
  }
}

function failureOf({ failed, status, code, retryAfterMs }: FailureCause): FailureCause {
  return { failed, status, code, retryAfterMs }
}
