// Handover states: none → requested → active → closed, and from closed again. Defines the allowed transitions and
// the event that each one reports.
import type { HandoverAccepted, HandoverInput, HandoverStatus } from '@docent/contract'
import type { Answer, AskedHandover, HandoverAsking } from '../answers/types.ts'
import { maskSecrets } from '../answers/understand/secrets.ts'
import { timedId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import { recordChanges } from '../storage/conversation-changes.ts'
import {
  type ConversationRecord,
  type HandoverReason,
  type HandoverRecord,
  updateHandover,
} from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import { onceNoteInsertion } from '../storage/inbox.ts'
import { type MessageRecord, newMessage } from '../storage/messages.ts'
import type { EventRecord } from '../storage/webhooks.ts'
import { timestamp } from '../timestamps.ts'
import { assignRequest, type IsSomebodyThere } from './availability.ts'
import { conversationEvent, turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import {
  conversationOf,
  findSession,
  type Recognised,
  requireOwner,
  retryOnConflict,
  type VisitorSession,
} from './visitors.ts'
import { type BrowserHeaders, newVisit } from './visits.ts'
import type { WaitingTimes } from './waiting-times.ts'

type Subject = Pick<ConversationRecord, 'botId' | 'id' | 'sessionId' | 'visitor'>

export type HandoverStep =
  | { step: 'request'; reason: HandoverReason; message: string | null; answers?: AskedHandover['answers'] }
  | { step: 'accept'; agent: { id: string; name: string } }
  | { step: 'close' }

/** An agent may also take a conversation unasked, or from a colleague. */
const statusesBefore: Record<HandoverStep['step'], readonly HandoverStatus[]> = {
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
  return statusesBefore[step].includes(status)
}

/** Makes the transition and writes its event. Null when somebody else was faster. */
export async function stepHandover(
  tx: Queries,
  deliveries: Pick<DeliveriesTable, 'report'>,
  conversation: Subject,
  before: HandoverRecord,
  step: HandoverStep,
  now: number,
): Promise<HandoverRecord | null> {
  if (!mayStep(before.status, step.step)) return null
  const after = next(before, step, now)
  // The record was derived from the status read before, so it must not have changed since.
  if (!(await updateHandover(tx, conversation, before, after))) return null
  await deliveries.report(tx, eventOf(conversation, after, step, now))
  return after
}

function next(before: HandoverRecord, step: HandoverStep, now: number): HandoverRecord {
  switch (step.step) {
    case 'request':
      return { ...noHandover, status: 'requested', reason: step.reason, requestedAt: now }
    case 'accept': {
      const openHandover = before.status === 'requested' || before.status === 'active' ? before : noHandover
      const { id, name } = step.agent
      return { ...openHandover, status: 'active', agentId: id, agentName: name, acceptedAt: now }
    }
    case 'close':
      return { ...before, status: 'closed', closedAt: now }
  }
}

function eventOf(conversation: Subject, after: HandoverRecord, step: HandoverStep, now: number): EventRecord {
  const { agentId: id, agentName: name } = after
  const agent = id !== null && name !== null ? { id, name } : null
  if (step.step === 'request') {
    const { reason, answers } = step
    // The recipients of the event may not read the conversation, so it carries no secrets from it.
    const message = step.message === null ? null : maskSecrets(step.message)
    const data = { reason, message, ...(answers ? { answers } : {}) }
    return conversationEvent('handover.requested', conversation, data, now)
  }
  const type = step.step === 'accept' ? 'handover.accepted' : 'handover.closed'
  return conversationEvent(type, conversation, { agent }, now)
}

/** What the bot tells the people who take over. */
export async function writeNote(tx: Queries, bot: BotRecord, conversationId: string, text: string, now: number) {
  const note = { id: timedId('not', now), text, author: bot.name, createdAt: now }
  const { sql, values } = onceNoteInsertion(bot.id, conversationId, note)
  await tx.query(sql, values)
}

/** What a bot asks before a person takes over. */
export interface HandoverQuestions {
  /** The first question; null: there are none. */
  begin: (bot: BotRecord, asking: HandoverAsking, language: string) => Answer | null
  /** What was answered so far, where the last reply of the bot asks such a question. */
  answered: (bot: BotRecord, state: string | null) => { note?: string; handover: AskedHandover } | null
}

// A visitor asks for a person, or goes back to the bot, with the button.

interface PersonCall {
  bot: BotRecord
  caller: Recognised
  request: HandoverInput
  headers: BrowserHeaders
  onNew: () => Promise<void>
}

type RequestPerson = (call: PersonCall) => Promise<HandoverAccepted>

interface Neighbours {
  handoverQuestions: HandoverQuestions
  isSomebodyThere: IsSomebodyThere
  waitingTimes: WaitingTimes
}

export function makeRequestPerson(context: ConversationsContext, neighbours: Neighbours): RequestPerson {
  const { live, onEvents, clock, storage } = context
  const { conversations, messages, deliveries } = storage
  const { handoverQuestions, isSomebodyThere, waitingTimes } = neighbours

  /** What was answered before; a visitor who presses the button meanwhile wants no more questions. */
  async function answersOf(bot: BotRecord, { known }: VisitorSession) {
    const [last] = known ? await messages.list(bot.id, known.id, 1) : []
    return handoverQuestions.answered(bot, last?.action ?? null)
  }

  return retryOnConflict(async ({ bot, caller, request, headers, onNew }) => {
    const { session_id: sessionId, locale, timezone, action = 'request' } = request
    const foundSession = await findSession(context, bot, { sessionId, caller, locale }, onNew)
    if (action === 'end') requireOwner(foundSession)
    // Without the token, the request is for a conversation of its own.
    const session = foundSession.isOwner
      ? foundSession
      : await findSession(context, bot, { sessionId: undefined, caller, locale }, onNew)
    const language = session.known?.language ?? locale ?? bot.language
    const { leadForm } = bot.widget
    const isThere = await isSomebodyThere(bot)
    const before: HandoverRecord = session.known?.handover ?? noHandover
    let state = before

    const isRequest = action === 'request' && isThere && mayStep(before.status, 'request')
    const visitorAnswers = isRequest ? await answersOf(bot, session) : null
    const asking: HandoverAsking = { reason: 'visitor_request', message: null }
    const question = isRequest && !visitorAnswers ? handoverQuestions.begin(bot, asking, language) : null
    const questionRecord = question && questionMessage(question, clock())
    const step: HandoverStep =
      action === 'end' ? { step: 'close' } : { step: 'request', ...(visitorAnswers?.handover ?? asking) }
    const isWanted = action === 'end' || (isThere && !questionRecord)
    const tellOfWait = isThere ? waitingTimes.handedOver : waitingTimes.nobodyThere
    const waitText = action === 'end' ? '' : await tellOfWait(bot, { language, locale, timezone })
    const conversation = conversationOf(bot, session, request, clock())
    const newMessages = questionRecord ? [questionRecord] : []
    const events = bot.reportsEvents ? turnEvents(conversation, newMessages, session.known === null) : []
    const visit = newVisit(conversation, session.known, request, headers, clock())
    const together = [...events.map(deliveries.toSubscribers), ...visit]
    await conversations.recordTurn(conversation, newMessages, together, async (tx) => {
      if (session.known === null || session.isChanged) await session.save(tx)
      // From the state before, because a transaction that ran into a deadlock runs again.
      const after = isWanted ? await stepHandover(tx, deliveries, conversation, before, step, clock()) : null
      state = after ?? before
      if (!after) return
      if (visitorAnswers?.note) await writeNote(tx, bot, conversation.id, visitorAnswers.note, clock())
      const kind = action === 'end' ? ('handed_back' as const) : ('requested' as const)
      await recordChanges(
        tx,
        conversation,
        [{ kind, by: null, value: after.status === 'requested' ? after.reason : null }],
        clock(),
      )
      if (kind === 'requested') await assignRequest(tx, bot, conversation, clock())
    })
    onEvents(bot.id)
    live.publish({ botId: bot.id, conversationId: conversation.id, kind: questionRecord ? 'message' : 'handover' })
    return {
      session_id: session.sessionId,
      ...(session.token ? { visitor_token: session.token } : {}),
      handover: { status: state.status },
      reply: question?.text ?? waitText,
      message_id: questionRecord?.id ?? null,
      buttons: question?.buttons ?? [],
      lead_form: action === 'request' && !isThere ? leadForm : null,
    }
  })
}

function questionMessage({ text, buttons, action }: Answer, now: number): MessageRecord {
  const shown = JSON.stringify({ buttons, products: [] })
  return newMessage('assistant', text, now, { decision: 'action', action: action?.state ?? null, shown })
}

// A conversation ends after half an hour without messages; a later message continues it.

const IDLE_MS = 30 * 60_000
const AT_ONCE = 200

export function makeCloseIdle({ storage, onEvents, clock }: ConversationsContext): () => Promise<void> {
  const { conversations, deliveries } = storage
  return async () => {
    const now = clock()
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      const endedConversations = await conversations.endIdle(now - IDLE_MS, AT_ONCE, now, (conversation) => {
        const { channel, messageCount, createdAt, updatedAt } = conversation
        const data = {
          channel,
          reason: 'idle' as const,
          message_count: messageCount,
          started_at: timestamp(createdAt),
          last_message_at: timestamp(updatedAt),
        }
        return deliveries.toSubscribers(conversationEvent('conversation.ended', conversation, data, now))
      })
      for (const botId of new Set(endedConversations.map((conversation) => conversation.botId))) onEvents(botId)
      count = endedConversations.length
    }
  }
}
