// From a message and its history to an answer: the one path of every channel, the playground included.
import { answerQuestion } from '../answers/answer-question.ts'
import { defaultThresholds } from '../answers/confidence/decide.ts'
import type { SearchResult } from '../answers/find-hits.ts'
import type { ActionSession, Actions, Answer, BotVoice, Knowledge, Turn } from '../answers/types.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import type { ActionRunsTable } from '../storage/actions.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { MessagesTable } from '../storage/messages.ts'
import type { ModelUsageDaysTable } from '../storage/model-usage.ts'
import { type MessageModelOf, type ModelCall, type ModelListener, usageOf } from './language-models.ts'
import { type MeasureStage, measuredKnowledge, measuredModel } from './turn-stages.ts'

/** All messages are kept; only this many are considered. */
export const HISTORY_MESSAGES = 20

interface AnsweredMessage {
  answer: Answer
  /** Search results; undefined for messages that need no content. */
  found: SearchResult | undefined
  /** The calls of the bot's language model, the one for the answer last. */
  calls: ModelCall[]
}

export type AnswerMessage = (
  bot: BotRecord,
  text: string,
  history: Turn[],
  listener?: ModelListener,
  actions?: Actions,
) => Promise<AnsweredMessage>

interface Deps {
  messages: Pick<MessagesTable, 'findReply'>
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  messageModelOf: MessageModelOf
  measure: MeasureStage
  /** Base of the bot's own page, cited for sources without a URL when the bot has no site. */
  widgetBaseUrl: string
}

export function makeAnswerMessage(deps: Deps): AnswerMessage {
  const { messages, knowledgeOf, messageModelOf, measure, widgetBaseUrl } = deps

  /**
   * Callers that keep the history themselves send texts only. Without the documents and products that a reply was
   * about, "is it waterproof?" would be answered differently than in a session.
   */
  async function recognised(bot: BotRecord, turn: Turn, index: number, history: Turn[]): Promise<Turn> {
    if (turn.role === 'user' || turn.documentIds) return turn
    const question = history.slice(0, index).findLast(({ role }) => role === 'user')
    const key = question && questionKey(question.text)
    const reply = key ? await messages.findReply(bot.id, key, turn.text) : undefined
    return reply ? { ...turn, ...reply } : turn
  }

  return async (bot, text, whole, listener = {}, actions = undefined) => {
    const recent = whole.slice(-HISTORY_MESSAGES)
    const history = await Promise.all(recent.map((turn, index) => recognised(bot, turn, index, recent)))
    const model = messageModelOf(bot, listener)
    let found: SearchResult | undefined
    const answer = await measure('answer', async () => {
      const knowledge = measuredKnowledge(await measure('index', () => knowledgeOf(bot)), measure)
      const measured = model ? measuredModel(model, measure) : undefined
      const voice = voiceOf(bot, widgetBaseUrl)
      const onSearchResult = (result: SearchResult) => {
        found = result
      }
      return answerQuestion(text, history, voice, knowledge, measured, onSearchResult, actions)
    })
    return { answer, found, calls: model?.calls() ?? [] }
  }
}

/** The bot's settings for answering, with defaults. */
export function voiceOf(bot: BotRecord, widgetBaseUrl: string): BotVoice {
  return {
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    siteUrl: bot.siteUrl ?? `${widgetBaseUrl}/chat/${bot.id}`,
    fallbackMessage: bot.fallbackMessage,
    thresholds: thresholdsOf(bot),
    hasPeople: bot.widget.handover.enabled,
    hasContactForm: bot.widget.leadForm !== null,
  }
}

function thresholdsOf(bot: BotRecord): BotVoice['thresholds'] {
  return {
    answer: bot.answerThreshold ?? defaultThresholds.answer,
    suggest: bot.suggestThreshold ?? defaultThresholds.suggest,
  }
}

// Answers a message without recording it: what the bot would say, and why. No conversation, no events.

type TrialAnswer = AnsweredMessage & { thresholds: BotVoice['thresholds'] }

export type TryMessage = (
  bot: BotRecord,
  text: string,
  history: Turn[],
  options?: { usesSamples?: boolean },
) => Promise<TrialAnswer>

interface TryDeps {
  answerMessage: AnswerMessage
  actionsOf: (bot: BotRecord, session: ActionSession) => Actions | undefined
  actionRuns: Pick<ActionRunsTable, 'finish'>
  modelUsageDays: Pick<ModelUsageDaysTable, 'count'>
  clock: () => number
}

export function makeTryMessage(deps: TryDeps): TryMessage {
  const { answerMessage, actionsOf, actionRuns, modelUsageDays, clock } = deps

  return async (bot, text, history, { usesSamples = false } = {}) => {
    const pending = history.at(-1)?.action ?? null
    const actions = actionsOf(bot, {
      ...{ channel: 'playground', conversationId: null, pending, isVerified: true, usesSamples },
    })
    const answered = await answerMessage(bot, text, history, undefined, actions)
    const { run } = answered.answer.action ?? {}
    if (run) await actionRuns.finish(bot.id, run.id, run)
    // Tests cost money too.
    for (const call of answered.calls) await modelUsageDays.count(bot.id, usageOf(call, clock()))
    return { ...answered, thresholds: thresholdsOf(bot) }
  }
}
