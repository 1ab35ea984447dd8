// Questions written by a bot's language model for its sections: switch, progress, cost.
import { type BodyOf, Fault, type GeneratedQuestions, type Routes } from '@docent/contract'
import { estimateCall } from '../answers/language-model/generate-questions.ts'
import { sectionsPerCall } from '../conversations/generated-questions.ts'
import { priceOf } from '../conversations/language-models.ts'
import type { BotRecord, BotsTable, LanguageModelRecord } from '../storage/bots.ts'
import type { GeneratedQuestionsTable } from '../storage/generated-questions.ts'

export interface GeneratedQuestionDeps {
  bots: Pick<BotsTable, 'countKnowledge'>
  generatedQuestions: GeneratedQuestionsTable
  /** Called when it was switched on or off. */
  onChanged: () => void
  /** Called when questions were removed. */
  onCleared: (botId: string) => void
  clock: () => number
}

type Change = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/generated-questions']>

export async function readGeneratedQuestions(
  { bots, generatedQuestions, clock }: GeneratedQuestionDeps,
  bot: BotRecord,
) {
  const { id, languageModel } = bot
  const { dueAt, ...state } = await generatedQuestions.find(id)
  const { passages: total } = await bots.countKnowledge(id)
  const waiting = await generatedQuestions.countWaiting(id)
  const isPaused = state.enabled && waiting.passages > 0 && dueAt > clock()
  const status: GeneratedQuestions['status'] = !state.enabled
    ? 'off'
    : waiting.passages === 0
      ? 'done'
      : isPaused
        ? 'waiting'
        : 'writing'
  return {
    ...state,
    status,
    sections: { total, written: Math.max(0, total - waiting.passages) },
    estimate: estimate(waiting, languageModel),
    pausedUntil: isPaused ? dueAt : null,
  }
}

export async function changeGeneratedQuestions(
  { generatedQuestions, onChanged }: GeneratedQuestionDeps,
  bot: BotRecord,
  { enabled, daily_calls: dailyCalls }: Change,
): Promise<void> {
  if (enabled && !bot.languageModel) {
    throw new Fault('validation_failed', { details: [{ path: 'enabled', message: 'Set up a language model first.' }] })
  }
  await generatedQuestions.change(bot.id, { enabled, dailyCalls })
  onChanged()
}

export async function clearGeneratedQuestions(
  { generatedQuestions, onChanged, onCleared }: GeneratedQuestionDeps,
  bot: BotRecord,
): Promise<void> {
  await generatedQuestions.clear(bot.id)
  onChanged()
  onCleared(bot.id)
}

function estimate(
  { passages, averageCharacters }: { passages: number; averageCharacters: number },
  model: LanguageModelRecord | null,
): GeneratedQuestions['estimate'] {
  const sections = sectionsPerCall(averageCharacters)
  const calls = Math.ceil(passages / sections)
  const call = estimateCall(passages / Math.max(1, calls), averageCharacters)
  const usage = {
    inputTokens: Math.ceil(calls * call.inputTokens),
    outputTokens: Math.ceil(calls * call.outputTokens),
    estimated: true,
  }
  const isPriced = model && (model.inputPricePerMillion !== null || model.outputPricePerMillion !== null)
  return {
    calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost: isPriced ? priceOf(usage, model) : null,
  }
}
