// The events of a conversation, as rows written in the same transaction as what they report.
import type { EventData, IntegrationEventType } from '@docent/contract'
import type { ActionProgress } from '../answers/types.ts'
import { timedId } from '../ids.ts'
import type { ConversationRecord } from '../storage/conversations.ts'
import type { MessageRecord } from '../storage/messages.ts'
import type { EventRecord } from '../storage/webhooks.ts'
import { timestamp } from '../timestamps.ts'

type Subject = Pick<ConversationRecord, 'botId' | 'id' | 'sessionId' | 'visitor'>

export function conversationEvent<T extends IntegrationEventType>(
  type: T,
  { botId, id: conversationId, sessionId, visitor }: Subject,
  data: EventData[T],
  now: number,
): EventRecord {
  const id = timedId('evt', now)
  const payload = JSON.stringify({
    id,
    event_type: type,
    timestamp: timestamp(now),
    bot_id: botId,
    session_id: sessionId,
    conversation_id: conversationId,
    data: { ...data, visitor: visitor && { id: visitor.id, level: visitor.level, user_id: visitor.userId } },
  })
  return { botId, id, type, payload, createdAt: now, about: conversationId }
}

/** The events of one turn: the conversation's start, if it is new, and each message. */
export function turnEvents(conversation: ConversationRecord, messages: MessageRecord[], isNew: boolean): EventRecord[] {
  const { channel, userId, pageUrl, metadata, createdAt } = conversation
  const beginning = { channel, user_id: userId, page_url: pageUrl, metadata: metadata ? JSON.parse(metadata) : null }
  return [
    ...(isNew ? [conversationEvent('conversation.started', conversation, beginning, createdAt)] : []),
    ...messages.map((message) =>
      conversationEvent('conversation.message', conversation, { channel, message: toWire(message) }, message.createdAt),
    ),
  ]
}

/** That an action ran. */
export function actionEvents(conversation: Subject, action: ActionProgress | undefined, now: number): EventRecord[] {
  if (!action?.run) return []
  const { id: run_id, actionName: name, inputs, status, durationMs: duration_ms, failure } = action.run
  const data = { action: { id: action.id, name }, run_id, inputs, status, duration_ms }
  return failure === null
    ? [conversationEvent('action.completed', conversation, data, now)]
    : [conversationEvent('action.failed', conversation, { ...data, failure }, now)]
}

export const roles = { user: 'visitor', assistant: 'bot', agent: 'agent' } as const

/** The bot's own replies are always verified. */
export function isUnverified({ role, unverified }: MessageRecord): boolean {
  return role === 'user' && unverified === true
}

/** Small talk, actions and handover requests are not answers. */
export function isRateable({ role, decision }: Pick<MessageRecord, 'role' | 'decision'>): boolean {
  return role === 'assistant' && !['small_talk', 'person', 'action'].includes(decision ?? '')
}

function toWire(message: MessageRecord): EventData['conversation.message']['message'] {
  return {
    id: message.id,
    role: roles[message.role],
    text: message.text,
    sources: message.sources,
    confidence: message.confidence,
    answered: message.answered,
    decision: message.decision ?? null,
    unverified: isUnverified(message),
    created_at: timestamp(message.createdAt),
  }
}
