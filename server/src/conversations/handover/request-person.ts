// A visitor asks for a person, or goes back to the bot, with the button.
import type { HandoverAccepted, HandoverInput } from '@docent/contract'
import { nobodyAvailable, sentencesFor } from '../../answers/fall-back.ts'
import { isOpen } from '../../local-time.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { ConversationsTable, HandoverRecord } from '../../storage/conversations.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { VisitorRecord } from '../../storage/visitors.ts'
import { turnEvents } from '../conversation-events.ts'
import type { Live } from '../live.ts'
import { conversationOf, type FindSession, requireOwner, retryOnConflict } from '../visitors/visitor-session.ts'
import { type HandoverStep, noHandover, stepHandover } from './handover.ts'

export interface PersonCall {
  bot: BotRecord
  visitor: VisitorRecord | null
  request: HandoverInput
  onNew: () => Promise<void>
}

export type RequestPerson = (call: PersonCall) => Promise<HandoverAccepted>

interface Deps {
  conversations: Pick<ConversationsTable, 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers' | 'report'>
  findSession: FindSession
  live: Pick<Live, 'publish'>
  onEvents: (botId: string) => void
  clock: () => number
}

export function createRequestPerson(deps: Deps): RequestPerson {
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
