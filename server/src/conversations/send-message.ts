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
import { turnEvents } from './conversation-events.ts'

// Everything is kept; this much of it is looked at.
const HISTORY_MESSAGES = 20

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

export type SendMessage = (
  bot: BotRecord,
  message: IncomingMessage,
  /** What must be written together with the turn. */
  together?: (sent: SentMessage) => Statement[],
) => Promise<SentMessage>

interface Deps {
  conversations: Pick<ConversationsTable, 'findId' | 'listMessages' | 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  /** Called when events of a bot were written. */
  onEvents: (botId: string) => void
  /** Stands in as the page of sources that have none, when the bot names no site. */
  baseUrl: string
  clock: () => number
}

export function messageSender({ conversations, deliveries, knowledgeOf, onEvents, baseUrl, clock }: Deps): SendMessage {
  return async (bot, message, together = () => []) => {
    const { channel, sessionId, text } = message
    const knownId = sessionId === null ? undefined : await conversations.findId(bot.id, channel, sessionId)
    if (sessionId !== null && !knownId) throw new Fault('session_not_found')
    const history = knownId ? await conversations.listMessages(bot.id, knownId, HISTORY_MESSAGES) : []

    const answer = await answerQuestion(text, history, voiceOf(bot, baseUrl), await knowledgeOf(bot))

    const question = userMessage(text, message.receivedAt)
    const reply = assistantMessage(answer, clock())
    const conversation = {
      botId: bot.id,
      id: knownId ?? timedId('cnv', message.receivedAt),
      channel,
      sessionId: sessionId ?? randomId('ses'),
      userId: message.userId,
      pageUrl: message.pageUrl,
      metadata: message.metadata,
      createdAt: message.receivedAt,
    }
    const sent = { ...answer, sessionId: conversation.sessionId, messageId: reply.id }
    const messages = [question, reply]
    const events = bot.reportsEvents ? turnEvents(conversation, messages, !knownId) : []
    const reports = [...events.map(deliveries.toSubscribers), ...together(sent)]
    try {
      await conversations.recordTurn(conversation, messages, reports)
    } catch (error) {
      // The bot was deleted while it was answering.
      if (error instanceof StorageError && error.kind === 'foreign_key') throw new Fault('bot_not_found')
      throw error
    }
    if (reports.length > 0) onEvents(bot.id)
    return sent
  }
}

function userMessage(text: string, createdAt: number): MessageRecord {
  const none = { sources: [], documentIds: [], confidence: null, answered: null }
  return { id: timedId('msg', createdAt), role: 'user', text, ...none, createdAt }
}

function assistantMessage(answer: Answer, createdAt: number): MessageRecord {
  const { text, sources, documentIds, confidence, answered } = answer
  return {
    id: timedId('msg', createdAt),
    role: 'assistant',
    text,
    sources,
    documentIds,
    confidence,
    answered,
    createdAt,
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
