// Sends a test question to a language model with unsaved settings.
import type { LanguageModelTest } from '@docent/contract'
import { answerWithModel } from '../../answers/language-model/answer-with-model.ts'
import type { BotRecord, LanguageModelRecord } from '../../storage/bots.ts'
import type { ModelUsageDaysTable } from '../../storage/model-usage.ts'
import { usageOf } from '../send-message.ts'
import { type ModelCall, toCall } from './answer-generator.ts'
import type { ModelOf } from './bot-models.ts'

const question = 'When is the shop open?'
const passage = { title: 'Opening hours', text: 'The shop is open from Monday to Friday, 9 am to 6 pm.', url: null }

interface Deps {
  modelOf: ModelOf
  fetch: typeof globalThis.fetch
  countCall: (bot: BotRecord) => Promise<boolean>
  modelUsageDays: Pick<ModelUsageDaysTable, 'count'>
  onCall: (call: ModelCall) => void
  clock: () => number
}

export type TestModel = (bot: BotRecord, record: LanguageModelRecord) => Promise<LanguageModelTest>

export function createTestModel({ modelOf, fetch, countCall, modelUsageDays, onCall, clock }: Deps): TestModel {
  return async (bot, record) => {
    if (!(await countCall(bot))) {
      return { outcome: 'daily_limit', reply: null, status: null, code: null, latency_ms: 0 }
    }
    const { settings } = modelOf(bot.id, record)
    const startedAt = performance.now()
    const said = await answerWithModel(
      {
        ...{ question, passages: [passage], language: bot.language, history: [] },
        bot: { name: bot.name, tone: bot.tone },
        settings,
      },
      { fetch },
    )
    const call = toCall(bot.id, record, said, performance.now() - startedAt)
    await modelUsageDays.count(bot.id, usageOf(call, clock()))
    onCall(call)
    return {
      outcome: call.outcome,
      reply: said.text || null,
      status: call.failure?.status ?? null,
      code: call.failure?.code ?? null,
      latency_ms: Math.round(call.durationMs),
    }
  }
}
