import { type Static, Type } from 'typebox'
import { NOT_BLANK, Nullable, OneOf, PageQuery, Timestamp } from '../schema.ts'
import { AttachmentInput, Attachments } from './attachments.ts'
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

export const Person = Type.Object({ id: Type.String(), name: Type.String() })

export const inboxStatuses = ['bot', 'open', 'snoozed', 'resolved'] as const
export type InboxStatus = (typeof inboxStatuses)[number]

/** A person who was asked for is no answer: neither `confidence` nor `answered` tells anything of such a reply. */
export const MessageDecision = Nullable(DecisionField)

export const ConversationSummary = Type.Object(
  {
    id: Type.String(),
    bot_id: Type.String(),
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
    last_visitor_message: Nullable(Type.Object({ text: Type.String(), created_at: Timestamp })),
    unanswered: Type.Boolean({ description: 'Whether the bot had no answer to the last question.' }),
    rating: Nullable(
      Type.Object(
        { stars: Type.Integer(), reason: Nullable(Type.String()) },
        { description: 'Of the whole conversation.' },
      ),
    ),
    low_confidence: Type.Boolean({ description: 'Whether its last answer was one of low confidence.' }),
    handover: Handover,
    status: OneOf(inboxStatuses, {
      description:
        '`bot`: people have nothing to do. `open` from a handover, an assignment or reopening on. `snoozed` comes back by itself, and when the visitor writes. `resolved` until it is reopened or a person is asked for again.',
    }),
    snoozed_until: Nullable(Timestamp),
    assignee: Nullable(Person),
    tags: Type.Array(Type.String()),
    unread: Type.Boolean({
      description: 'Open, and the visitor wrote after you last read it. Per member; no longer once an agent replied.',
    }),
    seen: Type.Object(
      { by_visitor: Nullable(Timestamp), by_agent: Nullable(Timestamp) },
      { description: 'Messages up to these times were on the screen of the visitor, and of an agent.' },
    ),
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
    attachments: Attachments,
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

/** What conversations are chosen by. */
export const choosing = {
  channel: Type.Optional(OneOf(channels)),
  handover: Type.Optional(OneOf([...handoverStatuses, 'open'], { description: '`open`: requested or active.' })),
  status: Type.Optional(OneOf(inboxStatuses)),
  assignee: Type.Optional(Type.String({ maxLength: 100, description: "A member's id, `me`, or `none`." })),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
  unanswered: Type.Optional(
    Type.Boolean({ description: 'Whether the last question got no answer, or one of low confidence.' }),
  ),
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
}

export const ConversationsQuery = Type.Object({
  ...PageQuery.properties,
  ...choosing,
  format: Type.Optional(OneOf(['json', 'csv'], { description: '`csv` gives all of them at once. Default: json.' })),
})

export const WorkspaceConversationsQuery = Type.Object({
  ...ConversationsQuery.properties,
  bot_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of one bot.' })),
})

export const MessagesQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
})

export const Messages = Type.Object({ messages: Type.Array(ConversationMessage), has_more: Type.Boolean() })

export const AgentMessage = Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) })
export const NoteInput = Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) })

export const AgentAttachment = Type.Object({ file: AttachmentInput.properties.file })

const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: NOT_BLANK })
const Tags = Type.Array(Tag, { maxItems: 20 })

export const AcceptConversation = Type.Object({
  expected_agent_id: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description: 'Who has it as far as you know, null for nobody: if somebody else has, `conversation_changed`.',
      }),
    ),
  ),
})

export const PatchConversation = Type.Object(
  {
    assignee_id: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: "A member's id with the role agent; null: nobody." })),
    ),
    status: Type.Optional(
      OneOf(['open', 'resolved'], { description: '`resolved` also hands the conversation back to the bot.' }),
    ),
    snoozed_until: Type.Optional(Nullable(Timestamp)),
    add_tags: Type.Optional(Tags),
    remove_tags: Type.Optional(Tags),
    expected_assignee_id: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: 'If somebody else is assigned: `conversation_changed`.' })),
    ),
    expected_status: Type.Optional(
      OneOf(inboxStatuses, { description: 'If it has another status: `conversation_changed`, and nothing is done.' }),
    ),
  },
  { $id: 'PatchConversation' },
)
export type PatchConversation = Static<typeof PatchConversation>

export const ReadInput = Type.Object({
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the newest message on the screen was written. Default: now.',
    }),
  ),
})

export const InboxEvents = Type.String({
  $id: 'InboxEvents',
  description:
    'Server-sent events until you hang up: `conversation` {bot_id, conversation_id, kind} with kind `message`, `handover`, `rating`, `lead`, `note`, `change` (assignee, status or tags), `typing` {bot_id, conversation_id, by: "visitor" | "agent"} and `seen` {bot_id, conversation_id, by, until}. Read the conversation to see what is new.',
})
