// The one list of events: what webhooks subscribe to, what is sent besides, and what notifications tell of.
import type { Static, TProperties, TSchema } from 'typebox'
import { ACTION_FAILURES } from './actions.ts'
import { ChatRequest, ChatResponse, Source, StoredMetadata } from './chat.ts'
import { MessageDecision, Unverified } from './conversations.ts'
import { EventVisitor } from './identity.ts'
import { ChatCompletionRequest } from './openai.ts'
import { ResponsesRequest } from './openai-responses.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'
import { ErrorBody } from './system.ts'
import { Type } from './type.ts'

/** Events that an integration webhook can subscribe to. */
export const INTEGRATION_EVENT_TYPES = [
  'lead.created',
  'lead.updated',
  'handover.requested',
  'handover.accepted',
  'handover.closed',
  'conversation.started',
  'conversation.message',
  'conversation.rated',
  'conversation.ended',
  'action.completed',
  'action.failed',
] as const
export type IntegrationEventType = (typeof INTEGRATION_EVENT_TYPES)[number]

export const eventTypes = ['chat.mirrored', 'webhook.test', ...INTEGRATION_EVENT_TYPES] as const
export type EventType = (typeof eventTypes)[number]

/** What notification channels can tell of. */
export const NOTIFICATION_TYPES = ['lead.created', 'handover.requested', 'handover.waiting'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

const Lead = Type.Object({
  id: Type.String({ examples: ['led_6r2w8z4xk0'] }),
  name: Nullable(Type.String({ examples: ['Ada Example'] })),
  email: Nullable(Type.String({ examples: ['ada@shop.example'] })),
  phone: Nullable(Type.String({ examples: ['+43 1 234567'] })),
  message: Nullable(Type.String()),
  fields: Type.Record(Type.String(), Type.String(), { description: "Further fields of the bot's lead form." }),
  source: OneOf(['form', 'message']),
  page_url: Nullable(Type.String()),
})

const Person = Nullable(Type.Object({ id: Type.String(), name: Type.String() }))

const Message = Type.Object({
  id: Type.String({ examples: ['msg_1hk3e9c5pd'] }),
  role: OneOf(['visitor', 'bot', 'agent']),
  text: Type.String({ examples: ['How long does delivery to Austria take?'] }),
  sources: Type.Array(Source),
  confidence: Nullable(Type.Number()),
  answered: Nullable(Type.Boolean()),
  decision: MessageDecision,
  unverified: Unverified,
  created_at: Timestamp,
})

const channel = OneOf(['api', 'widget'])

const actionRun = {
  action: Type.Object({ id: Type.String({ examples: ['act_4h8s2m6q1v'] }), name: Type.String() }),
  run_id: Type.String({ description: 'The `webhook-id` header of the request of the action.' }),
  inputs: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What the visitor gave, as text; what looks like a secret is masked.',
  }),
  status: Nullable(Type.Integer({ description: 'The HTTP status; null if there was no response.' })),
  duration_ms: Type.Integer(),
}

/** The contents of `data`, by event type. */
const eventData = {
  'lead.created': { lead: Lead },
  'lead.updated': { lead: Lead },
  'handover.requested': {
    reason: OneOf(['visitor_request', 'low_confidence', 'rule']),
    message: Nullable(Type.String({ description: 'The message that asked for it, if it was one.' })),
    answers: Type.Optional(
      Type.Array(Type.Object({ label: Type.String(), value: Type.String() }), {
        description: 'Given to the questions that the bot asks before.',
      }),
    ),
  },
  'handover.accepted': { agent: Person },
  'handover.closed': { agent: Person },
  'conversation.started': {
    channel,
    user_id: Nullable(Type.String()),
    page_url: Nullable(Type.String()),
    metadata: StoredMetadata,
  },
  'conversation.message': { channel, message: Message },
  'conversation.rated': {
    message_id: Type.String(),
    rating: OneOf(['up', 'down']),
    reason: Nullable(Type.String()),
  },
  'conversation.ended': {
    channel,
    reason: OneOf(['idle'], {
      description: '30 minutes without a message. A later message continues the conversation.',
    }),
    message_count: Type.Integer(),
    started_at: Timestamp,
    last_message_at: Timestamp,
  },
  'action.completed': actionRun,
  'action.failed': { ...actionRun, failure: OneOf(ACTION_FAILURES) },
} satisfies Record<IntegrationEventType, TProperties>

const head = {
  id: Type.String({
    examples: ['evt_01j8q4m2n6'],
    description: 'The same on every attempt, and in the header `webhook-id`.',
  }),
}
const stamp = { timestamp: Timestamp, bot_id: Type.String() }

function integration(type: IntegrationEventType, data: TProperties) {
  return Type.Object(
    {
      ...head,
      event_type: Type.Literal(type),
      ...stamp,
      session_id: Type.String(),
      conversation_id: Type.String(),
      data: Type.Object({ ...data, visitor: EventVisitor }),
    },
    { $id: schemaName(type) },
  )
}

const { model, messages } = ChatCompletionRequest.properties
const { input } = ResponsesRequest.properties
const RawRequest = Type.String({ description: 'A body that was not a JSON object, as received: its first 16 KiB.' })

const MirroredEvent = Type.Object(
  {
    ...head,
    event_type: Type.Literal('chat.mirrored'),
    ...stamp,
    key_id: Type.String(),
    session_id: Nullable(Type.String({ description: 'Null if the call failed before it had one.' })),
    request: Nullable(
      Type.Partial(Type.Object({ ...ChatRequest.properties, model, messages, input, raw: RawRequest }), {
        description:
          'In the form of POST /api/v1/chat, whichever API was called; `model`, `messages` and `input` only for an invalid request in OpenAI’s format. Null if there was no body, and for `suppressed` calls.',
      }),
    ),
    response: Type.Object({
      status: Type.Integer(),
      body: Type.Union([ChatResponse, ErrorBody]),
    }),
    latency_ms: Type.Integer(),
    suppressed: Type.Optional(
      Type.Integer({
        description:
          'How many calls over the quota this event represents: from the 121st of a minute on, they are counted ' +
          'instead of sent. `response` is that of the last one.',
      }),
    ),
  },
  { $id: schemaName('chat.mirrored') },
)
export type MirroredEvent = Static<typeof MirroredEvent>

const TestEvent = Type.Object(
  {
    ...head,
    event_type: Type.Literal('webhook.test'),
    ...stamp,
    session_id: Type.Null(),
    conversation_id: Type.Null(),
    data: Type.Object({ message: Type.String() }),
  },
  { $id: schemaName('webhook.test') },
)

export const eventSchemas: Record<EventType, TSchema> = {
  'chat.mirrored': MirroredEvent,
  'webhook.test': TestEvent,
  ...(Object.fromEntries(
    INTEGRATION_EVENT_TYPES.map((type) => [type, integration(type, eventData[type])]),
  ) as unknown as Record<IntegrationEventType, TSchema>),
}

type Fields<P extends TProperties> = Static<ReturnType<typeof Type.Object<P>>>
export type EventData = { [T in IntegrationEventType]: Fields<(typeof eventData)[T]> }

/** "lead.created" → "LeadCreatedEvent". */
function schemaName(type: EventType): string {
  return `${type.replace(/(^|\.)(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Event`
}
