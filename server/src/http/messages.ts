// Messages and conversation states in wire format.
import type { ConversationMessage, VisitorMessage } from '@docent/contract'
import { isRateable, isUnverified, roles } from '../conversations/conversation-events.ts'
import { plainText } from '../language/plain-text.ts'
import type { HandoverRecord } from '../storage/conversations.ts'
import type { Citation, MessageRecord } from '../storage/messages.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'

/** The picture of who wrote it only where visitors are to see the team. */
export function toVisitorMessage(message: MessageRecord, isTeamShown: boolean): VisitorMessage {
  const { buttons, products, attachments } = shownOf(message)
  return {
    id: message.id,
    role: roles[message.role],
    text: message.text,
    agent_name: message.agentName ?? null,
    ...(isTeamShown && message.agentAvatar ? { agent_avatar: message.agentAvatar } : {}),
    sources: message.sources,
    products,
    buttons,
    attachments,
    rating: message.rating ?? null,
    rateable: isRateable(message),
    created_at: timestamp(message.createdAt),
  }
}

/** The beginning of a message in a list of conversations. */
export function toPreview({ role, text }: Pick<MessageRecord, 'role' | 'text'>) {
  return { role: roles[role], text: role === 'assistant' ? plainText(text, { links: false }) : text }
}

type CitedPassage = Citation & { title: string }

export function toConversationMessage(message: MessageRecord, cited?: CitedPassage[]): ConversationMessage {
  return {
    id: message.id,
    role: roles[message.role],
    text: message.text,
    agent_name: message.agentName ?? null,
    agent_id: message.agentId ?? null,
    agent_avatar: message.agentAvatar ?? null,
    sources: message.sources,
    ...(cited ? { citations: cited.map(toCitation) } : {}),
    attachments: shownOf(message).attachments,
    confidence: message.confidence,
    answered: message.answered,
    decision: message.decision ?? null,
    rating: message.rating ?? null,
    rating_reason: message.ratingReason ?? null,
    unverified: isUnverified(message),
    created_at: timestamp(message.createdAt),
  }
}

function toCitation({ documentId, passageId, title }: CitedPassage) {
  return { document_id: documentId, passage_id: passageId, title }
}

function shownOf({ shown }: MessageRecord): Pick<VisitorMessage, 'buttons' | 'products' | 'attachments'> {
  return { buttons: [], products: [], attachments: [], ...(shown ? JSON.parse(shown) : {}) }
}

export function toHandover(handover: HandoverRecord) {
  return {
    status: handover.status,
    reason: handover.reason,
    agent_id: handover.agentId,
    agent_name: handover.agentName,
    requested_at: timestampOrNull(handover.requestedAt),
    accepted_at: timestampOrNull(handover.acceptedAt),
    closed_at: timestampOrNull(handover.closedAt),
  }
}
