// The names of everything that webhooks report.
export const eventTypes = [
  'chat.mirrored',
  'lead.created',
  'lead.updated',
  'handover.requested',
  'handover.accepted',
  'handover.closed',
  'conversation.started',
  'conversation.message',
  'conversation.rated',
  'conversation.ended',
  'webhook.test',
] as const

export type EventType = (typeof eventTypes)[number]
