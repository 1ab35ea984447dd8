// Answers a message without recording it: what the bot would say, and why. No conversation, no events.
import { answerQuestion } from '../answers/answer-question.ts'
import type { SearchResult } from '../answers/find-hits.ts'
import type { Answer, BotVoice, Knowledge, Turn } from '../answers/types.ts'
import type { BotRecord } from '../storage/bots/bots.ts'
import type { ModelUsageDaysTable } from '../storage/bots/model-usage-days.ts'
import type { AnswerGeneratorOf, ModelCall } from './models/answer-generator.ts'
import { usageOf, voiceOf } from './send-message.ts'

export interface TrialAnswer {
  answer: Answer
  thresholds: BotVoice['thresholds']
  /** Search results; undefined for messages that need no content. */
  found: SearchResult | undefined
  call: ModelCall | null
}

export type TryMessage = (bot: BotRecord, text: string, history: Turn[]) => Promise<TrialAnswer>

interface Deps {
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  answerGeneratorOf: AnswerGeneratorOf
  modelUsageDays: Pick<ModelUsageDaysTable, 'count'>
  widgetBaseUrl: string
  clock: () => number
}

export function createTryMessage({
  knowledgeOf,
  answerGeneratorOf,
  modelUsageDays,
  widgetBaseUrl,
  clock,
}: Deps): TryMessage {
  return async (bot, text, history) => {
    const voice = voiceOf(bot, widgetBaseUrl)
    const knowledge = await knowledgeOf(bot)
    const generator = answerGeneratorOf(bot, {})
    let found: SearchResult | undefined
    const answer = await answerQuestion(text, history, voice, knowledge, generator?.generateAnswer, (each) => {
      found = each
    })
    const call = generator?.call() ?? null
    // Tests cost money too.
    if (call) await modelUsageDays.count(bot.id, usageOf(call, clock()))
    return { answer, thresholds: voice.thresholds, found, call }
  }
}
