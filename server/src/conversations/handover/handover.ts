// Handover states: none → requested → active → closed, and from closed again. Defines the allowed transitions and
// the event that each one reports.
import type { HandoverStatus } from '@docent/contract'
import { type HandoverReason, type HandoverRecord, updateHandover } from '../../storage/conversations.ts'
import type { Queries } from '../../storage/database.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { EventRecord } from '../../storage/webhooks.ts'
import { conversationEvent } from '../conversation-events.ts'

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
