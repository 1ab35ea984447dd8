// One turn of a conversation: the history, the answer, and one durable write of both messages.
import { Fault } from '@docent/contract'
import { answerQuestion } from '../answers/answer-question.ts'
import { defaultThresholds } from '../answers/confidence/decide.ts'
import type { Answer, BotVoice, Knowledge } from '../answers/types.ts'
import { randomId, timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Channel, ConversationsTable, MessageRecord } from '../storage/conversations.ts'
import { type Statement, StorageError } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { ModelUsageDaysTable } from '../storage/model-usage-days.ts'
import { turnEvents } from './conversation-events.ts'
import type { ModelCall, SpeakerOf } from './model-speaker.ts'

// Everything is kept; this much of it is looked at.
const HISTORY_MESSAGES = 20
const DAY_MS = 86_400_000

export interface IncomingMessage {
  channel: Channel
  text: string
  sessionId: string | null
  userId: string | null
  pageUrl: string | null
  metadata: string | null
  receivedAt: number
}

export interface SentMessage extends Answer {
  sessionId: string
  messageId: string
}

/** Whoever waits for the answer. */
export interface Listener {
  /** Text may come from now on: a language model is being asked. */
  onStart?: (turn: { sessionId: string; messageId: string }) => void
  /** Nothing of it holds before the answer is there: a model that fails half way is replaced. */
  onText?: (text: string) => void
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal
}

export type SendMessage = (
  bot: BotRecord,
  message: IncomingMessage,
  /** What must be written together with the turn. */
  together?: (sent: SentMessage) => Statement[],
  listener?: Listener,
) => Promise<SentMessage>

interface Deps {
  conversations: Pick<ConversationsTable, 'findId' | 'listMessages' | 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  speakerOf: SpeakerOf
  modelUsageDays: Pick<ModelUsageDaysTable, 'counting' | 'count'>
  /** Called when events of a bot were written. */
  onEvents: (botId: string) => void
  /** Stands in as the page of sources that have none, when the bot names no site. */
  baseUrl: string
  clock: () => number
}

export function messageSender(deps: Deps): SendMessage {
  const { conversations, deliveries, modelUsageDays, knowledgeOf, speakerOf, onEvents, baseUrl, clock } = deps

  return async (bot, message, together = () => [], { onStart, onText, signal } = {}) => {
    const { channel, sessionId, text } = message
    const knownId = sessionId === null ? undefined : await conversations.findId(bot.id, channel, sessionId)
    if (sessionId !== null && !knownId) throw new Fault('session_not_found')
    const history = knownId ? await conversations.listMessages(bot.id, knownId, HISTORY_MESSAGES) : []

    const question = userMessage(text, message.receivedAt)
    const turn = { sessionId: sessionId ?? randomId('ses'), messageId: timedId('msg', clock()) }
    const speaker = speakerOf(bot, { onAsked: () => onStart?.(turn), ...(onText ? { onText } : {}), signal })
    const voice = voiceOf(bot, baseUrl)
    const answer = await answerQuestion(text, history, voice, await knowledgeOf(bot), speaker?.speak)
    const call = speaker?.call()
    if (call?.outcome === 'aborted') {
      // Nobody heard an answer, so there was no turn; what the model was asked is paid all the same.
      await modelUsageDays.count(bot.id, usageOf(call, clock()))
      throw new Fault('request_timeout')
    }
    const reply = assistantMessage(turn.messageId, answer, call, clock())
    const conversation = {
      botId: bot.id,
      id: knownId ?? timedId('cnv', message.receivedAt),
      channel,
      sessionId: turn.sessionId,
      userId: message.userId,
      pageUrl: message.pageUrl,
      metadata: message.metadata,
      createdAt: message.receivedAt,
    }
    const sent = { ...answer, ...turn }
    const messages = [question, reply]
    const events = bot.reportsEvents ? turnEvents(conversation, messages, !knownId) : []
    const reports = [...events.map(deliveries.toSubscribers), ...together(sent)]
    const spent = call ? [modelUsageDays.counting(bot.id, usageOf(call, clock()))] : []
    try {
      await conversations.recordTurn(conversation, messages, [...reports, ...spent])
    } catch (error) {
      // The bot was deleted while it was answering.
      if (error instanceof StorageError && error.kind === 'foreign_key') throw new Fault('bot_not_found')
      throw error
    }
    if (events.length > 0) onEvents(bot.id)
    return sent
  }
}

function userMessage(text: string, createdAt: number): MessageRecord {
  const none = { sources: [], documentIds: [], productIds: [], confidence: null, answered: null }
  return { id: timedId('msg', createdAt), role: 'user', text, ...none, createdAt }
}

function usageOf({ outcome, usage, cost }: ModelCall, now: number) {
  const { inputTokens, outputTokens } = usage
  return { day: Math.floor(now / DAY_MS), outcome, inputTokens, outputTokens, cost }
}

function assistantMessage(
  id: string,
  answer: Answer,
  call: ModelCall | null | undefined,
  createdAt: number,
): MessageRecord {
  const { text, sources, documentIds, confidence, answered } = answer
  return {
    id,
    role: 'assistant',
    text,
    sources,
    documentIds,
    productIds: (answer.products ?? []).map(({ id }) => id),
    confidence,
    answered,
    createdAt,
    ...(call ? { modelCall: { model: call.model, ...call.usage } } : {}),
  }
}

/** How the bot speaks, with its defaults filled in. */
export function voiceOf(bot: BotRecord, baseUrl: string): BotVoice {
  return {
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    siteUrl: bot.siteUrl ?? baseUrl,
    fallbackMessage: bot.fallbackMessage,
    thresholds: {
      answer: bot.answerThreshold ?? defaultThresholds.answer,
      suggest: bot.suggestThreshold ?? defaultThresholds.suggest,
    },
  }
}
