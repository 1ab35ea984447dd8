// What agents do in a conversation: take it over, reply, hand it back.
import { Fault } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import { type Change, recordChanges } from '../storage/conversation-changes.ts'
import type { ConversationRecord, HandoverRecord } from '../storage/conversations.ts'
import { type Queries, retryWhenChanged } from '../storage/database.ts'
import type { InboxRecord } from '../storage/inbox.ts'
import type { MembersTable } from '../storage/members.ts'
import { newMessage } from '../storage/messages.ts'
import { turnEvents } from './conversation-events.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { type HandoverStep, mayStep, stepHandover } from './handover.ts'

export interface Agent {
  id: string
  name: string
}

/** As whom a manager acts: an instance owner who is a member of the workspace acts as that member. */
export type AgentOf = (manager: Manager, workspaceId: string) => Promise<Agent>

export function makeAgentOf(members: Pick<MembersTable, 'find'>): AgentOf {
  return async (manager, workspaceId) => {
    const { person, memberId } = manager
    const isMember = manager.kind === 'member' || manager.workspaceId === workspaceId
    const id = manager.kind === 'member' ? manager.name : (isMember && memberId) || 'instance_owner'
    if (person !== undefined) return { id, name: person }
    const member = manager.kind === 'member' ? await members.find(workspaceId, id) : undefined
    return { id, name: member?.name ?? 'Support' }
  }
}

export interface ConversationIds {
  botId: string
  conversationId: string
  readerId?: string | null
}

/** A file sent with a reply. */
interface AttachedFile {
  shown: string
  save: (tx: Queries) => Promise<void>
}

type OnReply = (tx: Queries, botId: string, conversationId: string, at: number) => Promise<void>

export type TakeOver = ReturnType<typeof makeTakeOver>

/** `onReply` runs in the reply's transaction. */
export function makeTakeOver(context: ConversationsContext, onReply: OnReply) {
  const { live, onEvents, clock, storage } = context
  const { inbox, conversations, deliveries, transaction } = storage

  /** The conversation as a team member sees it. */
  async function find({ botId, conversationId, readerId = null }: ConversationIds): Promise<InboxRecord> {
    const conversation = await inbox.find(botId, conversationId, { readerId, now: clock() })
    if (!conversation) throw new Fault('not_found')
    return conversation
  }

  async function moveWithRetry(ids: ConversationIds, attempt: (conversation: InboxRecord) => Promise<boolean>) {
    await retryWhenChanged(async () => ((await attempt(await find(ids))) ? true : null))
    return find(ids)
  }

  async function move(
    conversation: InboxRecord,
    step: HandoverStep,
    kind: Change['kind'],
    by: string,
  ): Promise<HandoverRecord | null> {
    const { handover } = conversation
    const newHandover = await transaction(async (tx) => {
      const now = clock()
      const after = await stepHandover(tx, deliveries, conversation, handover, step, now)
      if (after) await recordChanges(tx, conversation, [{ kind, by, value: null }], now)
      return after
    })
    if (!newHandover) return null
    onEvents(conversation.botId)
    live.publish({ botId: conversation.botId, conversationId: conversation.id, kind: 'handover' })
    return newHandover
  }

  return {
    find,

    /** `changed`: the agent did not have it before. With `expected`, fails when another agent has it. */
    async accept(ids: ConversationIds, agent: Agent, expected?: string | null) {
      const isTheirs = ({ status, agentId }: HandoverRecord) => status === 'active' && agentId === agent.id
      const changed = !isTheirs((await find(ids)).handover)
      const conversation = await moveWithRetry(ids, async (current) => {
        requireWidget(current)
        const holder = current.handover.status === 'active' ? current.handover.agentId : null
        if (expected !== undefined && holder !== expected && holder !== agent.id)
          throw new Fault('conversation_changed')
        return (
          isTheirs(current.handover) ||
          (await move(current, { step: 'accept', agent }, 'taken_over', agent.name)) !== null
        )
      })
      return { conversation, changed }
    },

    /** Does nothing when no agent has it. */
    async close(ids: ConversationIds, agent: Agent) {
      const { status } = (await find(ids)).handover
      const conversation = await moveWithRetry(ids, async (current) => {
        return (
          !mayStep(current.handover.status, 'close') ||
          (await move(current, { step: 'close' }, 'handed_back', agent.name)) !== null
        )
      })
      return { conversation, changed: conversation.handover.status !== status }
    },

    /** Takes the conversation over first if nobody has it. */
    async reply(ids: ConversationIds, agent: Agent, text: string, file?: AttachedFile) {
      const conversation = await find(ids)
      requireWidget(conversation)
      const now = clock()
      const shown = file?.shown ?? null
      const message = newMessage('agent', text, now, { agentName: agent.name, agentId: agent.id, shown })
      const visitorId = conversation.visitor?.id ?? null
      const record: ConversationRecord = { ...conversation, visitorId, isNew: false }
      const { handover } = conversation
      const events = turnEvents(record, [message], false).map(deliveries.toSubscribers)
      await conversations.recordTurn(record, [message], events, async (tx) => {
        await file?.save(tx)
        await onReply(tx, conversation.botId, conversation.id, now)
        if (handover.status === 'active') return
        const step = { step: 'accept' as const, agent }
        if (await stepHandover(tx, deliveries, conversation, handover, step, now))
          await recordChanges(tx, conversation, [{ kind: 'taken_over', by: agent.name, value: null }], now)
      })
      onEvents(conversation.botId)
      const signal = { botId: conversation.botId, conversationId: conversation.id }
      if (handover.status !== 'active') live.publish({ ...signal, kind: 'handover' })
      live.publish({ ...signal, kind: 'message' })
      return { message, tookOver: handover.status !== 'active' }
    },
  }
}

function requireWidget({ channel }: InboxRecord) {
  if (channel !== 'widget') throw new Fault('not_a_widget_conversation')
}
