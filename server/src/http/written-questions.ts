// The questions that a bot's language model writes for its sections: the switch, how far it is, what it costs.
import { Fault, type WrittenQuestions } from '@docent/contract'
import type { FindBot } from '../access/managers.ts'
import { estimateCall } from '../answers/language-model/write-questions.ts'
import { priceOf } from '../conversations/bot-models.ts'
import { sectionsPerCall } from '../knowledge/write-questions.ts'
import type { BotRecord, BotsTable, LanguageModelRecord } from '../storage/bots.ts'
import type { QuestionWritingTable } from '../storage/question-writing.ts'
import type { Route } from './route.ts'
import { timestamp } from './times.ts'

interface Deps {
  bots: Pick<BotsTable, 'countKnowledge'>
  questionWriting: QuestionWritingTable
  findBot: FindBot
  /** Told when it was switched on or off. */
  onChanged: () => void
  /** Told when questions went. */
  onCleared: (botId: string) => void
  clock: () => number
}

export function writtenQuestionRoutes(
  route: Route,
  { bots, questionWriting, findBot, onChanged, onCleared, clock }: Deps,
) {
  async function read({ id, languageModel }: BotRecord): Promise<WrittenQuestions> {
    const { enabled, dailyCalls, dueAt, lastError, lastErrorAt, ...spent } = await questionWriting.find(id)
    const { passages: total } = await bots.countKnowledge(id)
    const waiting = await questionWriting.countWaiting(id)
    const isPaused = enabled && waiting.passages > 0 && dueAt > clock()
    return {
      enabled,
      daily_calls: dailyCalls,
      status: !enabled ? 'off' : waiting.passages === 0 ? 'done' : isPaused ? 'waiting' : 'writing',
      sections: { total, written: Math.max(0, total - waiting.passages) },
      estimate: estimate(waiting, languageModel),
      spent: {
        calls: spent.calls,
        input_tokens: spent.inputTokens,
        output_tokens: spent.outputTokens,
        cost: spent.cost,
      },
      last_error: lastError === null || lastErrorAt === null ? null : { reason: lastError, at: timestamp(lastErrorAt) },
      resumes_at: isPaused ? timestamp(dueAt) : null,
    }
  }

  route('GET /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params }) =>
    read(await findBot(caller, params.botId)),
  )

  route('PATCH /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params, body, did }) => {
    const bot = await findBot(caller, params.botId)
    if (body.enabled && !bot.languageModel) {
      throw new Fault('validation_failed', {
        details: [{ path: 'enabled', message: 'Set up a language model first.' }],
      })
    }
    await questionWriting.change(bot.id, { enabled: body.enabled, dailyCalls: body.daily_calls })
    onChanged()
    did(body.enabled === undefined ? 'written questions' : `written questions: ${body.enabled ? 'on' : 'off'}`)
    return read(bot)
  })

  route('DELETE /api/manage/v1/bots/{botId}/written-questions', async ({ caller, params, did }) => {
    const bot = await findBot(caller, params.botId)
    await questionWriting.clear(bot.id)
    onChanged()
    onCleared(bot.id)
    did('written questions: removed')
    return read(bot)
  })
}

function estimate(
  { passages, averageCharacters }: { passages: number; averageCharacters: number },
  model: LanguageModelRecord | null,
): WrittenQuestions['estimate'] {
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
