// Generates questions for passages with the bot's language model, with its routes.
import type { FindBot } from '../../access/managers.ts'
import { writeQuestions } from '../../answers/language-model/generate-questions.ts'
import type { FailureCause } from '../../answers/language-model/types.ts'
import type { Config } from '../../config.ts'
import { type ModelCall, type ModelOf, priceOf } from '../../conversations/language-models.ts'
import type { Route } from '../../http/server/route.ts'
import { writtenQuestionRoutes } from '../../http/written-questions.ts'
import { repeatEverySecond } from '../../lifecycle.ts'
import { type AskOutcome, openQuestionGenerator } from '../../sources/documents/generated-questions.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { Section } from '../../storage/generated-questions.ts'
import { QUESTIONS_WRITTEN } from '../../storage/model-usage.ts'
import type { Storage } from '../../storage/storage.ts'

interface Deps {
  storage: Storage
  config: Config
  modelOf: ModelOf
  fetch: typeof globalThis.fetch
  onCall: (call: ModelCall) => void
  /** False when the daily limit is reached. */
  countCall: (bot: BotRecord) => Promise<boolean>
  /** Called when questions were written. */
  onWritten: (botId: string) => void
  clock: () => number
  onError: (error: unknown) => void
}

export function createQuestionsPart(deps: Deps) {
  const { storage, config, modelOf, fetch, onCall, countCall, onWritten, clock, onError } = deps
  const { bots, questionWriting } = storage

  async function ask(bot: BotRecord, sections: Section[], signal: AbortSignal): Promise<AskOutcome> {
    const { id, languageModel } = bot
    if (!languageModel) return null
    if (!(await countCall(bot))) return 'daily_limit'
    const startedAt = performance.now()
    const said = await writeQuestions(sections, modelOf(id, languageModel).settings, { fetch, signal })
    const failure = 'failed' in said ? said : null
    const { usage } = said
    const spent = { outcome: failure?.failed ?? QUESTIONS_WRITTEN, cost: priceOf(usage, languageModel) }
    onCall({
      ...{ botId: id, model: languageModel.model, usage, ...spent },
      durationMs: performance.now() - startedAt,
      failure: failure && { ...failureOf(failure), partial: false },
    })
    const { inputTokens, outputTokens } = usage
    return {
      ...{ ...spent, inputTokens, outputTokens, retryAfterMs: failure?.retryAfterMs ?? null },
      ...('questions' in said ? { questions: said.questions } : {}),
    }
  }

  const writer = openQuestionGenerator({
    questionWriting,
    findBot: async (botId) => {
      const workspaceId = await bots.findWorkspaceId(botId)
      return workspaceId === undefined ? undefined : bots.find(workspaceId, botId)
    },
    ask,
    onWritten,
    clock,
  })

  const writing = repeatEverySecond(writer.work, onError)

  /** Applies a switch at once if this node does the work; other nodes notice within a second. */
  function look() {
    writer.look()
    writing.now()
  }

  return {
    look,
    routes: (route: Route, findBot: FindBot) =>
      writtenQuestionRoutes(route, { bots, questionWriting, findBot, onChanged: look, onCleared: onWritten, clock }),

    async start() {
      if (config.role === 'web') return
      await questionWriting.forgetLeases()
      writing.start()
    },

    async stop() {
      writer.close()
      await writing.stop()
    },
  }
}

function failureOf({ failed, status, code, retryAfterMs }: FailureCause): FailureCause {
  return { failed, status, code, retryAfterMs }
}
