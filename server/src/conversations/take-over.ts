// What people do in a conversation: take it over, reply, hand it back.
import { Fault } from '@docent/contract'
import { timedId } from '../ids.ts'
import type { ConversationRecord, ConversationsTable } from '../storage/conversations.ts'
import type { Queries } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { HandoverRecord } from '../storage/handovers.ts'
import type { InboxRecord } from '../storage/inbox.ts'
import type { MessageRecord } from '../storage/messages.ts'
import { turnEvents } from './conversation-events.ts'
import { type HandoverStep, mayStep, stepHandover } from './handover.ts'
import type { Live } from './live.ts'

export interface Agent {
  id: string
  name: string
}

interface Deps {
  conversations: Pick<ConversationsTable, 'recordTurn'>
  deliveries: Pick<DeliveriesTable, 'toSubscribers'>
  transaction: <T>(work: (tx: Queries) => Promise<T>) => Promise<T>
  live: Pick<Live, 'publish'>
  onEvents: (botId: string) => void
  clock: () => number
}

export type TakeOver = ReturnType<typeof takeOver>

export function takeOver({ conversations, deliveries, transaction, live, onEvents, clock }: Deps) {
  async function move(conversation: InboxRecord, step: HandoverStep): Promise<HandoverRecord | null> {
    const { handover } = conversation
    const moved = await transaction((tx) => stepHandover(tx, deliveries, conversation, handover, step, clock()))
    if (!moved) return null
    onEvents(conversation.botId)
    live.publish({ botId: conversation.botId, conversationId: conversation.id, kind: 'handover' })
    return moved
  }

  return {
    /** False when somebody else changed it at the same time. */
    async accept(conversation: InboxRecord, agent: Agent): Promise<boolean> {
      requireWidget(conversation)
      const { status, agentId } = conversation.handover
      if (status === 'active' && agentId === agent.id) return true
      return (await move(conversation, { step: 'accept', agent })) !== null
    },

    /** Nothing to do where nobody has it. */
    async close(conversation: InboxRecord): Promise<boolean> {
      if (!mayStep(conversation.handover.status, 'close')) return true
      return (await move(conversation, { step: 'close' })) !== null
    },

    /** Takes the conversation over first, when nobody has it. */
    async reply(conversation: InboxRecord, agent: Agent, text: string): Promise<MessageRecord> {
      requireWidget(conversation)
      const now = clock()
      const message: MessageRecord = {
        ...{ id: timedId('msg', now), role: 'agent', text, agentName: agent.name, createdAt: now },
        ...{ sources: [], documentIds: [], productIds: [], confidence: null, answered: null },
      }
      const visitorId = conversation.visitor?.id ?? null
      const record: ConversationRecord = { ...conversation, visitorId, isNew: false }
      const { handover } = conversation
      const events = turnEvents(record, [message], false).map(deliveries.toSubscribers)
      await conversations.recordTurn(record, [message], events, async (tx) => {
        if (handover.status === 'active') return
        await stepHandover(tx, deliveries, conversation, handover, { step: 'accept', agent }, now)
      })
      onEvents(conversation.botId)
      const signal = { botId: conversation.botId, conversationId: conversation.id }
      if (handover.status !== 'active') live.publish({ ...signal, kind: 'handover' })
      live.publish({ ...signal, kind: 'message' })
      return message
    },
  }
}

function requireWidget({ channel }: InboxRecord) {
  if (channel !== 'widget') throw new Fault('not_a_widget_conversation')
}
