// Answers a message without recording it: what the bot would say, and why. No conversation, no events.
import type { BotVoice, Turn } from '../answers/types.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ModelUsageDaysTable } from '../storage/model-usage.ts'
import { type AnsweredMessage, type AnswerMessage, thresholdsOf } from './answer-message.ts'
import { usageOf } from './send-message.ts'

export type TrialAnswer = AnsweredMessage & { thresholds: BotVoice['thresholds'] }

export type TryMessage = (bot: BotRecord, text: string, history: Turn[]) => Promise<TrialAnswer>

interface Deps {
  answerMessage: AnswerMessage
  modelUsageDays: Pick<ModelUsageDaysTable, 'count'>
  clock: () => number
}

export function createTryMessage({ answerMessage, modelUsageDays, clock }: Deps): TryMessage {
  return async (bot, text, history) => {
    const answered = await answerMessage(bot, text, history)
    // Tests cost money too.
    if (answered.call) await modelUsageDays.count(bot.id, usageOf(answered.call, clock()))
    return { ...answered, thresholds: thresholdsOf(bot) }
  }
}
