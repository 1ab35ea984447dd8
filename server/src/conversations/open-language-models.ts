// Opens the bots' language models: answers, the questions that they generate for passages, and daily limits of calls.
import { generateQuestions } from '../answers/language-model/generate-questions.ts'
import { writeDraft } from '../answers/language-model/write-draft.ts'
import type { Context } from '../context.ts'
import { repeatEverySecond } from '../lifecycle.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Section } from '../storage/generated-questions.ts'
import { DRAFT_WRITTEN, QUESTIONS_WRITTEN } from '../storage/model-usage.ts'
import { type AskOutcome, openQuestionGenerator } from './generated-questions.ts'
import {
  type ModelCalls,
  makeMessageModelOf,
  makeModelOf,
  makeObserveModelCall,
  makeTestModel,
  toModelCall,
} from './language-models.ts'
import { openModelCallLimits } from './model-call-limits.ts'
import type { AskForDraft } from './suggestions.ts'

interface Neighbours {
  /** Called when the questions of a bot's passages have changed. */
  onQuestionsChanged: (botId: string) => void
}

export type LanguageModels = ReturnType<typeof openLanguageModels>

export function openLanguageModels(context: Context, { onQuestionsChanged }: Neighbours) {
  const { storage, outbound, sealed, config, onError } = context
  const { generatedQuestions } = storage
  const limits = openModelCallLimits(context)
  const models: ModelCalls = {
    countModelCall: limits.countModelCall,
    modelOf: makeModelOf((botId, key) => sealed.open(key, modelKeyBinding(botId))),
    fetch: outbound.fetch,
    onCall: makeObserveModelCall(context),
  }
  const generator = openQuestionGenerator(context, {
    ask: makeAskForQuestions(models),
    onWritten: onQuestionsChanged,
  })
  const generating = repeatEverySecond(generator.work, onError)

  return {
    messageModelOf: makeMessageModelOf(models),
    askForDraft: makeAskForDraft(models),
    testModel: makeTestModel(context, models),
    sealModelKey: (botId: string, key: string) => sealed.seal(key, modelKeyBinding(botId)),
    callsToday: limits.today,
    /** Deletes counts of past days. */
    forget: limits.forget,
    onQuestionsChanged,

    /** Applies a switch at once if this node does the work; other nodes notice within a second. */
    wakeGenerator() {
      generator.checkLease()
      generating.now()
    },

    async start() {
      if (config.role === 'web') return
      await generatedQuestions.forgetLeases()
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

function makeAskForQuestions({ modelOf, fetch, onCall, countModelCall }: ModelCalls) {
  return async (bot: BotRecord, sections: Section[], signal: AbortSignal): Promise<AskOutcome> => {
    const { id, languageModel } = bot
    if (!languageModel) return null
    if (!(await countModelCall(bot))) return 'daily_limit'
    const startedAt = performance.now()
    const result = await generateQuestions(sections, modelOf(id, languageModel).settings, { fetch, signal })
    const call = toModelCall(result, { botId: id, languageModel, outcome: QUESTIONS_WRITTEN, startedAt })
    onCall(call)
    return {
      outcome: call.outcome,
      cost: call.cost,
      inputTokens: call.usage.inputTokens,
      outputTokens: call.usage.outputTokens,
      retryAfterMs: call.failure?.retryAfterMs ?? null,
      ...('questions' in result ? { questions: result.questions } : {}),
    }
  }
}

function makeAskForDraft({ modelOf, fetch, onCall, countModelCall }: ModelCalls): AskForDraft {
  return async (bot, task) => {
    const { id, languageModel } = bot
    // Only where the model may read what visitors write.
    if (!languageModel || languageModel.writesAnswers === false) return null
    if (!(await countModelCall(bot))) return 'daily_limit'
    const startedAt = performance.now()
    const draft = await writeDraft(task, bot, modelOf(id, languageModel).settings, { fetch })
    const call = toModelCall(draft, { botId: id, languageModel, outcome: DRAFT_WRITTEN, startedAt })
    onCall(call)
    return { draft, call }
  }
}
