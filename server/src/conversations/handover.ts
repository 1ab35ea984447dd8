// Handover states: none → requested → active → closed, and from closed again. Defines the allowed transitions and
// the event that each one reports.
import type { HandoverAccepted, HandoverInput, HandoverStatus } from '@docent/contract'
import { nobodyAvailable, sentencesFor } from '../answers/fall-back.ts'
import { isOpen } from '../local-time.ts'
import type { BotRecord } from '../storage/bots.ts'
import {
  type ConversationsTable,
  type HandoverReason,
  type HandoverRecord,
  updateHandover,
} from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { VisitorRecord } from '../storage/visitors.ts'
import type { EventRecord } from '../storage/webhooks.ts'
import { conversationEvent, turnEvents } from './conversation-events.ts'
import type { Live } from './live.ts'
import { conversationOf, type FindSession, requireOwner, retryOnConflict } from './visitors.ts'

interface Subject {
  botId: string
  id: string
  sessionId: string
}

export type HandoverStep =
  | { step: 'request'; reason: HandoverReason; message: string | null }
  | { step: 'accept'; agent: { id: string; name: string } }
  | { step: 'close' }

/** An agent may also take a conversation unasked, or from a colleague. */
const allowed: Record<HandoverStep['step'], readonly HandoverStatus[]> = {
  request: ['none', 'closed'],
  accept: ['none', 'requested', 'active', 'closed'],
  close: ['requested', 'active'],
}

export const noHandover: HandoverRecord = {
  status: 'none',
  reason: null,
  agentId: null,
  agentName: null,
  requestedAt: null,
  acceptedAt: null,
  closedAt: null,
}

export function mayStep(status: HandoverStatus, step: HandoverStep['step']): boolean {
  return allowed[step].includes(status)
}

/** Makes the transition and writes its event. Null when somebody else was faster. */
export async function stepHandover(
  tx: Queries,
  deliveries: Pick<DeliveriesTable, 'report'>,
  conversation: Subject,
  before: HandoverRecord,
  taken: HandoverStep,
  now: number,
): Promise<HandoverRecord | null> {
  if (!mayStep(before.status, taken.step)) return null
  const after = next(before, taken, now)
  // The record was derived from the status read before, so it must not have changed since.
  if (!(await updateHandover(tx, conversation, before, after))) return null
  await deliveries.report(tx, eventOf(conversation, after, taken, now))
  return after
}

function next(before: HandoverRecord, taken: HandoverStep, now: number): HandoverRecord {
  switch (taken.step) {
    case 'request':
      return { ...noHandover, status: 'requested', reason: taken.reason, requestedAt: now }
    case 'accept': {
      const asked = before.status === 'requested' || before.status === 'active' ? before : noHandover
      const { id, name } = taken.agent
      return { ...asked, status: 'active', agentId: id, agentName: name, acceptedAt: now }
    }
    case 'close':
      return { ...before, status: 'closed', closedAt: now }
  }
}

function eventOf(conversation: Subject, after: HandoverRecord, taken: HandoverStep, now: number): EventRecord {
  const { agentId: id, agentName: name } = after
  const agent = id !== null && name !== null ? { id, name } : null
  if (taken.step === 'request') {
    const data = { reason: taken.reason, message: taken.message }
    return conversationEvent('handover.requested', conversation, data, now)
  }
  const type = taken.step === 'accept' ? 'handover.accepted' : 'handover.closed'
  return conversationEvent(type, conversation, { agent }, now)
}

// A visitor asks for a person, or goes back to the bot, with the button.

interface PersonCall {
  bot: BotRecord
  visitor: VisitorRecord | null
  request: HandoverInput
  onNew: () => Promise<void>
}

export type RequestPerson = (call: PersonCall) => Promise<HandoverAccepted>

interface RequestDeps {
  conversations: Pick<ConversationsTable, 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers' | 'report'>
  findSession: FindSession
  live: Pick<Live, 'publish'>
  onEvents: (botId: string) => void
  clock: () => number
}

export function makeRequestPerson(deps: RequestDeps): RequestPerson {
  const { conversations, deliveries, findSession, live, onEvents, clock } = deps

  return retryOnConflict(async ({ bot, visitor, request, onNew }) => {
    const { session_id: sessionId, locale, action = 'request' } = request
    const found = await findSession(bot, { sessionId, visitor, locale }, onNew)
    if (action === 'end') requireOwner(found)
    // Without the token, the request is for a conversation of its own.
    const session = found.isOwner ? found : await findSession(bot, { sessionId: undefined, visitor, locale }, onNew)
    const language = session.known?.language ?? locale ?? bot.language
    const say = sentencesFor(bot, language)
    const { handover, leadForm } = bot.widget
    const isThere = handover.enabled && isOpen(handover.hours, clock())
    const before: HandoverRecord = session.known?.handover ?? noHandover
    let state = before

    const step: HandoverStep =
      action === 'end' ? { step: 'close' } : { step: 'request', reason: 'visitor_request', message: null }
    const isWanted = action === 'end' || isThere
    const conversation = conversationOf(bot, session, {
      pageUrl: request.page_url ?? null,
      language: null,
      now: clock(),
    })
    const events = session.known === null && bot.reportsEvents ? turnEvents(conversation, [], true) : []
    await conversations.recordTurn(conversation, [], events.map(deliveries.toSubscribers), async (tx) => {
      if (session.known === null) await session.save(tx)
      // From the state before, because a transaction that ran into a deadlock runs again.
      if (isWanted) state = (await stepHandover(tx, deliveries, conversation, before, step, clock())) ?? before
    })
    onEvents(bot.id)
    live.publish({ botId: bot.id, conversationId: conversation.id, kind: 'handover' })
    const reply = action === 'end' ? '' : isThere ? say.handedOver : leadForm ? say.leaveContact : nobodyAvailable(say)
    return {
      session_id: session.sessionId,
      ...(session.token ? { visitor_token: session.token } : {}),
      handover: { status: state.status },
      reply,
      lead_form: action === 'request' && !isThere ? leadForm : null,
    }
  })
}

// A conversation ends after half an hour without messages; a later message continues it.

const IDLE_MS = 30 * 60_000
const AT_ONCE = 200

interface CloseIdleDeps {
  conversations: Pick<ConversationsTable, 'endIdle'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  onEvents: (botId: string) => void
  clock: () => number
}

export function makeCloseIdle({ conversations, deliveries, onEvents, clock }: CloseIdleDeps): () => Promise<void> {
  return async () => {
    const now = clock()
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      const ended = await conversations.endIdle(now - IDLE_MS, AT_ONCE, now, (conversation) => {
        const { channel, messageCount, createdAt, updatedAt } = conversation
        const data = {
          channel,
          reason: 'idle' as const,
          message_count: messageCount,
          started_at: new Date(createdAt).toISOString(),
          last_message_at: new Date(updatedAt).toISOString(),
        }
        return deliveries.toSubscribers(conversationEvent('conversation.ended', conversation, data, now))
      })
      for (const botId of new Set(ended.map((conversation) => conversation.botId))) onEvents(botId)
      count = ended.length
    }
  }
}
