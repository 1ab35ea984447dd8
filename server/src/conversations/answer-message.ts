// From a message and its history to an answer: the one path of every channel, the playground included.
import type { CountWithin } from '../access/rate-limits.ts'
import type { ActionsOf } from '../actions/dialogue.ts'
import { answerQuestion } from '../answers/answer-question.ts'
import type { SearchResult } from '../answers/find-hits.ts'
import { fallbackFor } from '../answers/own-texts.ts'
import { defaultThresholds } from '../answers/policy.ts'
import type { Answer, BotVoice, Turn, Visit } from '../answers/types.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import type { BotRecord } from '../storage/bots.ts'
import { type MessageModelOf, type ModelCall, type ModelListener, usageOf } from './language-models.ts'
import { type MeasureStage, measuredKnowledge, measuredModel } from './turn-stages.ts'

/** All messages are kept; only this many are considered. */
export const HISTORY_MESSAGES = 20

interface AnsweredMessage {
  answer: Answer
  /** Search results; undefined for messages that need no content. */
  searchResult: SearchResult | undefined
  /** The calls of the bot's language model, the one for the answer last. */
  calls: ModelCall[]
}

export type AnswerMessage = (
  bot: BotRecord,
  text: string,
  history: Turn[],
  listener?: ModelListener,
  visit?: Visit,
) => Promise<AnsweredMessage>

interface Neighbours {
  knowledgeOf: KnowledgeOf
  messageModelOf: MessageModelOf
  measure: MeasureStage
}

export function makeAnswerMessage({ storage, config }: Context, neighbours: Neighbours): AnswerMessage {
  const { messages } = storage
  // The bot's own page is cited for sources without a URL when the bot has no site.
  const { widgetBaseUrl } = config
  const { knowledgeOf, messageModelOf, measure } = neighbours

  /**
   * Callers that keep the history themselves send texts only. Without the documents and products that a reply was
   * about, "is it waterproof?" would be answered differently than in a session. What is not recognised may be the
   * result of an action.
   */
  async function recogniseReply(bot: BotRecord, turn: Turn, index: number, history: Turn[]): Promise<Turn> {
    if (turn.role === 'user' || turn.documentIds) return turn
    const question = history.slice(0, index).findLast(({ role }) => role === 'user')
    const key = question && questionKey(question.text)
    const reply = key ? await messages.findReply(bot.id, key, turn.text) : undefined
    return reply ? { ...turn, ...reply } : { ...turn, isUntrusted: true }
  }

  return async (bot, text, whole, listener = {}, visit = {}) => {
    const recent = whole.slice(-HISTORY_MESSAGES)
    const history = await Promise.all(recent.map((turn, index) => recogniseReply(bot, turn, index, recent)))
    const model = messageModelOf(bot, listener)
    let searchResult: SearchResult | undefined
    const answer = await measure('answer', async () => {
      const knowledge = measuredKnowledge(await measure('index', () => knowledgeOf(bot)), measure)
      const timedModel = model ? measuredModel(model, measure) : undefined
      const voice = voiceOf(bot, widgetBaseUrl)
      const onSearchResult = (result: SearchResult) => {
        searchResult = result
      }
      return answerQuestion(text, history, voice, knowledge, timedModel, onSearchResult, visit)
    })
    return { answer, searchResult, calls: model?.calls() ?? [] }
  }
}

/** The bot's settings for answering, with defaults. */
export function voiceOf(bot: BotRecord, widgetBaseUrl: string): BotVoice {
  return {
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    siteUrl: bot.siteUrl ?? `${widgetBaseUrl}/chat/${bot.id}`,
    fallbackMessage: (language) => fallbackFor(bot, language),
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

export type TryMessage = (bot: BotRecord, text: string, history: Turn[], options?: TryOptions) => Promise<TrialAnswer>

interface TryOptions {
  /** Actions send nothing, and answer from saved samples. */
  usesSamples?: boolean
  /** As an anonymous visitor would be answered: by live actions only, whose samples then leave no run in the log. */
  asVisitor?: boolean
}

/** Stands for the verified visitor in the playground; guides name it, so that owners' servers can know it. */
const TEST_USER = { userId: 'test-user', email: 'test-user@example.com', name: 'Test User' }

export function makeTryMessage(
  { storage, clock }: Context,
  answerMessage: AnswerMessage,
  actionsOf: ActionsOf,
): TryMessage {
  const { actionRuns, modelUsageDays } = storage

  return async (bot, text, history, { usesSamples = false, asVisitor = false } = {}) => {
    const pending = history.at(-1)?.action ?? null
    const actions = actionsOf(bot, {
      channel: asVisitor ? 'widget' : 'playground',
      conversationId: null,
      pending,
      turnKey: null,
      user: asVisitor ? null : TEST_USER,
      usesSamples: usesSamples || asVisitor,
    })
    const result = await answerMessage(bot, text, history, undefined, { actions })
    const { run } = result.answer.action ?? {}
    if (run) await actionRuns.finish(bot.id, run.id, run)
    // Tests cost money too.
    for (const call of result.calls) await modelUsageDays.count(bot.id, usageOf(call, clock()))
    return { ...result, thresholds: thresholdsOf(bot) }
  }
}

// As long as our SDK waits before it tries again.
const TRIES = { calls: 60, windowMs: 30_000 }

/** For callers who choose how often. */
export function makeLimitedTryMessage(tryMessage: TryMessage, countWithin: CountWithin): TryMessage {
  return async (bot, ...message) => {
    await countWithin([{ name: `tries ${bot.id}`, ...TRIES }])
    return tryMessage(bot, ...message)
  }
}
