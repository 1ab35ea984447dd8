import { type Static, Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Timestamp } from '../schema.ts'
import { Source } from './chat.ts'
import { DecisionField } from './decisions.ts'
import { handoverStatuses } from './widget.ts'

export const channels = ['api', 'widget'] as const

const Handover = Type.Object({
  status: OneOf(handoverStatuses),
  reason: Nullable(
    OneOf(['visitor_request', 'low_confidence', 'rule'], { description: 'Null: a person took it over unasked.' }),
  ),
  agent_id: Nullable(Type.String()),
  agent_name: Nullable(Type.String()),
  requested_at: Nullable(Timestamp),
  accepted_at: Nullable(Timestamp),
  closed_at: Nullable(Timestamp),
})

export const Unverified = Type.Boolean({
  description:
    "A visitor's message that came without the visitor's token, under a session id that others may know: it may be somebody else's.",
})

/** A person who was asked for is no answer: neither `confidence` nor `answered` tells anything of such a reply. */
export const MessageDecision = Nullable(DecisionField)

export const ConversationSummary = Type.Object(
  {
    id: Type.String(),
    session_id: Type.String(),
    channel: OneOf(channels),
    visitor: Nullable(
      Type.Object({ id: Type.String(), name: Nullable(Type.String()), email: Nullable(Type.String()) }),
    ),
    user_id: Nullable(Type.String({ description: 'As the chat API was given it.' })),
    page_url: Nullable(Type.String()),
    language: Nullable(Type.String()),
    message_count: Type.Integer(),
    last_message: Nullable(Type.Object({ role: OneOf(['visitor', 'bot', 'agent']), text: Type.String() })),
    unanswered: Type.Boolean({ description: 'Whether the bot had no answer to the last question.' }),
    handover: Handover,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'ConversationSummary' },
)
export type ConversationSummary = Static<typeof ConversationSummary>

export const ConversationMessage = Type.Object(
  {
    id: Type.String(),
    role: OneOf(['visitor', 'bot', 'agent']),
    text: Type.String(),
    agent_name: Nullable(Type.String()),
    sources: Type.Array(Source),
    confidence: Nullable(Type.Number()),
    answered: Nullable(Type.Boolean()),
    decision: MessageDecision,
    rating: Nullable(OneOf(['up', 'down'])),
    rating_reason: Nullable(Type.String()),
    unverified: Unverified,
    created_at: Timestamp,
  },
  { $id: 'ConversationMessage' },
)
export type ConversationMessage = Static<typeof ConversationMessage>

export const Note = Type.Object(
  { id: Type.String(), text: Type.String(), author: Type.String(), created_at: Timestamp },
  { $id: 'Note', description: 'Seen by members only.' },
)
export type Note = Static<typeof Note>

export const Conversation = Type.Intersect([
  ConversationSummary,
  Type.Object({
    metadata: Nullable(Type.Record(Type.String(), Type.Unknown())),
    messages: Type.Array(ConversationMessage, { description: 'The newest 200, oldest first.' }),
    has_more: Type.Boolean(),
    notes: Type.Array(Note),
  }),
])
export type Conversation = Static<typeof Conversation>

const happenings = [
  ...(['question', 'answered', 'low_confidence', 'unanswered', 'rating_up', 'rating_down'] as const),
  ...(['handover_requested', 'handover_accepted', 'lead'] as const),
] as const
export type Happening = (typeof happenings)[number]

export const ConversationsQuery = Type.Object({
  ...PageQuery.properties,
  channel: Type.Optional(OneOf(channels)),
  handover: Type.Optional(OneOf([...handoverStatuses, 'open'], { description: '`open`: requested or active.' })),
  unanswered: Type.Optional(Type.Boolean()),
  visitor_id: Type.Optional(Type.String({ maxLength: 100 })),
  had: Type.Optional(
    OneOf(happenings, {
      description:
        'Only those in which this happened, as the analytics count it. `unanswered`: a question found no answer, or one of low confidence.',
    }),
  ),
  asked: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Only those in which this was asked; differences in spelling do not count.',
    }),
  ),
  since: Type.Optional(
    Type.String({ ...Timestamp, description: 'Of what `had` or `asked` name; without them, of the first message.' }),
  ),
  until: Type.Optional(Type.String({ ...Timestamp, description: 'No longer in it.' })),
  q: Type.Optional(
    Type.String({ minLength: 2, maxLength: 200, description: 'Only those with this text in a message.' }),
  ),
})

export const MessagesQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
})

export const Messages = Type.Object({ messages: Type.Array(ConversationMessage), has_more: Type.Boolean() })

export const AgentMessage = Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) })
export const NoteInput = Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) })

export const InboxEvents = Type.String({
  $id: 'InboxEvents',
  description:
    'Server-sent events until you hang up: `conversation` {conversation_id, kind} with kind `message`, `handover`, `rating`, `lead`, `note`, and `typing` {conversation_id, by: "visitor" | "agent"}. Read the conversation to see what is new.',
})
