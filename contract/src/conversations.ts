// The conversations of a bot, as agents see and change them.
import type { Static } from 'typebox'
import { AttachmentInput, Attachments } from './attachments.ts'
import { DecisionField, Source, StoredMetadata } from './chat.ts'
import { Identity, Level } from './identity.ts'
import { REPLY_LENGTH, TAG_LENGTH, TAGS_PER_CONVERSATION } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, ofConversation, type RouteSpec } from './route.ts'
import { Id, NOT_BLANK, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'
import { HANDOVER_STATUSES } from './widget.ts'

export const CHANNELS = ['api', 'widget'] as const

const Handover = Type.Object({
  status: OneOf(HANDOVER_STATUSES),
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
    "Sent without the visitor's token, under a session id that others may know: it may be from somebody else.",
})

export const Person = Type.Object({ id: Type.String(), name: Type.String() })

const INBOX_STATUSES = ['bot', 'open', 'snoozed', 'resolved'] as const
export type InboxStatus = (typeof INBOX_STATUSES)[number]

/** A handover request is not an answer: `confidence` and `answered` mean nothing then. */
export const MessageDecision = Nullable(DecisionField)

export const ConversationSummary = Type.Object(
  {
    id: Type.String(),
    bot_id: Type.String(),
    session_id: Type.String(),
    channel: OneOf(CHANNELS),
    visitor: Nullable(
      Type.Object({
        id: Type.String(),
        name: Nullable(Type.String()),
        email: Nullable(Type.String()),
        level: Level,
        user_id: Nullable(Type.String({ description: 'In your own system, for verified visitors.' })),
      }),
    ),
    user_id: Nullable(Type.String({ description: 'As sent to the chat API.' })),
    page_url: Nullable(Type.String()),
    language: Nullable(Type.String()),
    message_count: Type.Integer(),
    last_message: Nullable(
      Type.Object({
        role: OneOf(['visitor', 'bot', 'agent']),
        text: Type.String({ description: 'Its beginning, without Markdown.' }),
      }),
    ),
    last_visitor_message: Nullable(Type.Object({ text: Type.String(), unverified: Unverified, created_at: Timestamp })),
    unanswered: Type.Boolean({
      description: 'Whether the bot had no answer to the last question, and no agent has replied since.',
    }),
    rating: Nullable(
      Type.Object(
        { stars: Type.Integer(), reason: Nullable(Type.String()) },
        { description: 'Rating of the whole conversation.' },
      ),
    ),
    low_confidence: Type.Boolean({
      description: 'Whether the last answer of the bot had low confidence, and no agent has replied since.',
    }),
    handover: Handover,
    status: OneOf(INBOX_STATUSES, {
      description:
        '`bot`: no action needed. `open`: after a handover request, an assignment or reopening. `snoozed`: reopens at its time, or when the visitor writes. `resolved`: until it is reopened or a person is requested again.',
    }),
    snoozed_until: Nullable(Timestamp),
    assignee: Nullable(Person),
    tags: Type.Array(Type.String()),
    waiting: Nullable(
      Type.Object(
        {
          since: Timestamp,
          due_at: Nullable(
            Type.String({ ...Timestamp, description: 'By the target of the bot, `handover.response_minutes`.' }),
          ),
        },
        { description: 'The visitor asked for a person and has none yet. Null while it is snoozed.' },
      ),
    ),
    mention: Nullable(
      OneOf(['unread', 'read'], {
        description: 'Whether a note mentions you; `unread` until you read the conversation.',
      }),
    ),
    unread: Type.Boolean({
      description: 'Open, and the visitor wrote after you last read it. Per member; cleared when an agent replies.',
    }),
    seen: Type.Object(
      { by_visitor: Nullable(Timestamp), by_agent: Nullable(Timestamp) },
      { description: 'Until when the visitor and an agent have seen messages.' },
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
    agent_id: Nullable(Type.String({ description: 'The member who wrote it.' })),
    agent_avatar: Nullable(Type.String({ description: 'The picture of who wrote it, as it is by now.' })),
    sources: Type.Array(Source),
    citations: Type.Optional(
      Type.Array(Type.Object({ document_id: Type.String(), passage_id: Type.String(), title: Type.String() }), {
        description:
          'Passages that the answer came from, with the titles of their documents. Only where messages of a conversation are read.',
      }),
    ),
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
  {
    id: Type.String(),
    text: Type.String(),
    author: Type.String(),
    mentions: Type.Array(Person, { description: 'Members whom it mentions, with the names as they were then.' }),
    created_at: Timestamp,
  },
  { $id: 'Note', description: 'Visible to members only.' },
)
export type Note = Static<typeof Note>

const changeKinds = [
  ...(['requested', 'taken_over', 'handed_back', 'assigned', 'unassigned', 'resolved', 'reopened'] as const),
  ...(['snoozed', 'woken', 'tagged', 'untagged'] as const),
] as const

export const ConversationChange = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(changeKinds),
    by: Nullable(
      Type.String({
        description:
          'The name of a member; null: the visitor, the bot, or for `assigned` the setting `handover.auto_assign`.',
      }),
    ),
    value: Nullable(
      Type.String({
        description:
          'Of `requested` the reason, of `assigned` the name of the assignee, of `snoozed` until when, of `tagged` and `untagged` the tag.',
      }),
    ),
    created_at: Timestamp,
  },
  { $id: 'ConversationChange', description: 'What was done with a conversation beside its messages.' },
)
export type ConversationChange = Static<typeof ConversationChange>

export const Visit = Type.Object(
  {
    device: Nullable(
      Type.Object({
        browser: Nullable(Type.String({ examples: ['Firefox'] })),
        system: Nullable(Type.String({ examples: ['Android'] })),
        kind: OneOf(['desktop', 'phone', 'tablet']),
      }),
    ),
    country: Nullable(
      Type.String({
        description: 'ISO 3166, from the time zone or else the language of the browser.',
        examples: ['CH'],
      }),
    ),
    timezone: Nullable(Type.String({ examples: ['Europe/Zurich'] })),
    referrer: Nullable(
      Type.String({
        description:
          'The other site from which the visitor came to the page where they first wrote, without the query.',
      }),
    ),
    pages: Type.Array(Type.Object({ url: Type.String(), visited_at: Timestamp }), {
      description: 'Where messages were written, at most 50, in the order of the first.',
    }),
  },
  { $id: 'Visit', description: 'What the browser told; null through the chat API.' },
)
export type Visit = Static<typeof Visit>

export const Conversation = Type.Intersect([
  ConversationSummary,
  Type.Object({
    metadata: StoredMetadata,
    identity: Nullable(Identity),
    visit: Nullable(Visit),
    messages: Type.Array(ConversationMessage, { description: 'The newest 200, oldest first.' }),
    has_more: Type.Boolean(),
    notes: Type.Array(Note),
    changes: Type.Array(ConversationChange, { description: 'Oldest first.' }),
  }),
])
export type Conversation = Static<typeof Conversation>

const happenings = [
  ...(['question', 'answered', 'low_confidence', 'unanswered', 'rating_up', 'rating_down'] as const),
  ...(['handover_requested', 'handover_accepted', 'lead'] as const),
  ...(['resolved', 'escalated', 'negative', 'unresolved'] as const),
] as const
export type Happening = (typeof happenings)[number]

/** Filters for conversations. */
export const conversationFilters = {
  channel: Type.Optional(OneOf(CHANNELS)),
  handover: Type.Optional(OneOf([...HANDOVER_STATUSES, 'open'], { description: '`open`: requested or active.' })),
  status: Type.Optional(OneOf(INBOX_STATUSES)),
  waiting: Type.Optional(
    Type.Boolean({ description: 'Whether the visitor asked for a person and has none yet, and it is not snoozed.' }),
  ),
  assignee: Type.Optional(Type.String({ maxLength: 100, description: "A member's id, `me`, or `none`." })),
  tag: Type.Optional(Type.String({ maxLength: 50 })),
  mentions: Type.Optional(
    OneOf(['all', 'unread'], { description: 'Only conversations with a note that mentions you.' }),
  ),
  unanswered: Type.Optional(
    Type.Boolean({ description: 'Whether the last question got no answer, or one of low confidence.' }),
  ),
  visitor_id: Type.Optional(Type.String({ maxLength: 100 })),
  had: Type.Optional(
    OneOf(happenings, {
      description:
        'Only conversations in which this happened, as counted in the analytics. `unanswered`: a question got no answer, or one of low confidence. `resolved`, `escalated`, `negative`, `unresolved`: how it ended, with `since` and `until` for its start.',
    }),
  ),
  asked: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Only conversations with this question; spelling differences are ignored.',
    }),
  ),
  since: Type.Optional(
    Type.String({
      ...Timestamp,
      description: 'Applies to what `had` or `asked` select; without them, to the first message.',
    }),
  ),
  until: Type.Optional(Type.String({ ...Timestamp, description: 'Exclusive.' })),
  q: Type.Optional(
    Type.String({ minLength: 2, maxLength: 200, description: 'Only conversations with this text in a message.' }),
  ),
}

const ConversationsQuery = Type.Object({
  ...PageQuery.properties,
  ...conversationFilters,
  sort: Type.Optional(
    OneOf(['newest', 'waiting'], {
      description:
        '`newest`: by newest message. `waiting`: first those that wait for a person, the longest waiting on top. CSV is always by newest message. Default: newest.',
    }),
  ),
  format: Type.Optional(OneOf(['json', 'csv'], { description: '`csv` returns all of them at once. Default: json.' })),
})

export const WorkspaceConversationsQuery = Type.Object({
  ...ConversationsQuery.properties,
  bot_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only conversations of this bot.' })),
})

const MessagesQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
})

const Messages = Type.Object({ messages: Type.Array(ConversationMessage), has_more: Type.Boolean() })

const AgentMessage = Type.Object({ text: Type.String({ minLength: 1, maxLength: REPLY_LENGTH }) })
const NoteInput = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4000 }),
  mentions: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Ids of members whom the note mentions. They get an email, if the server can send any.',
    }),
  ),
})

const AgentAttachment = Type.Object({ file: AttachmentInput.properties.file })

const Tag = Type.String({ minLength: 1, maxLength: TAG_LENGTH, pattern: NOT_BLANK })
const Tags = Type.Array(Tag, { maxItems: TAGS_PER_CONVERSATION })

const AcceptConversation = Type.Object({
  expected_agent_id: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description:
          'Who you believe has it, null for nobody. Fails with `conversation_changed` if somebody else has it.',
      }),
    ),
  ),
})

export const PatchConversation = Type.Object(
  {
    assignee_id: Type.Optional(
      Nullable(
        Type.String({ maxLength: 100, description: 'The id of a member with at least the role agent; null: nobody.' }),
      ),
    ),
    status: Type.Optional(
      OneOf(['open', 'resolved'], { description: '`resolved` also hands the conversation back to the bot.' }),
    ),
    snoozed_until: Type.Optional(Nullable(Timestamp)),
    add_tags: Type.Optional(Tags),
    remove_tags: Type.Optional(Tags),
    expected_assignee_id: Type.Optional(
      Nullable(
        Type.String({ maxLength: 100, description: 'Fails with `conversation_changed` if somebody else is assigned.' }),
      ),
    ),
    expected_status: Type.Optional(
      OneOf(INBOX_STATUSES, { description: 'Fails with `conversation_changed` if the status differs.' }),
    ),
  },
  { $id: 'PatchConversation' },
)
export type PatchConversation = Static<typeof PatchConversation>

const ReadInput = Type.Object({
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The time of the newest message on the screen. Default: now.',
    }),
  ),
})

export const InboxEvents = Type.String({
  $id: 'InboxEvents',
  description:
    'Server-sent events until you disconnect: `conversation` {bot_id, conversation_id, kind} with kind `message`, `handover`, `rating`, `lead`, `note`, `change` (assignee, status or tags), `typing` {bot_id, conversation_id, by: "visitor" | "agent"} and `seen` {bot_id, conversation_id, by, until}. Read the conversation for the content.',
})

const ofAttachment = Params({ botId: Id, conversationId: Id, attachmentId: Id })

export const conversationRoutes = {
  'GET /api/manage/v1/bots/{botId}/conversations': {
    summary: 'List the conversations by newest message',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: ConversationsQuery,
    status: 200,
    response: Page(ConversationSummary),
    alternative: { type: 'text/csv', schema: Type.String() },
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}': {
    summary: 'Read a conversation with its messages and notes',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofConversation,
    status: 200,
    response: Conversation,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages': {
    summary: 'Read older messages of a conversation',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofConversation,
    query: MessagesQuery,
    status: 200,
    response: Messages,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages': {
    summary: 'Reply as a person',
    description: 'Takes the conversation over first if nobody has it. Widget conversations only.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: AgentMessage,
    trims: ['text'],
    status: 201,
    response: ConversationMessage,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'not_a_widget_conversation'],
    audit: 'conversation.taken_over',
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/attachments': {
    summary: 'Send a file to the visitor',
    description:
      'Creates a message with the file name as its text. Takes the conversation over first if nobody has it. Widget conversations only. A picture (PNG, JPEG, GIF, WebP), PDF or text, of at most `ATTACHMENT_MAX_BYTES`.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: AgentAttachment,
    multipart: true,
    bodyLimitBytes: 21 * 1024 * 1024,
    status: 201,
    response: ConversationMessage,
    errors: [
      ...MANAGER_ERRORS,
      ...INPUT_ERRORS,
      'bot_not_found',
      'not_found',
      'not_a_widget_conversation',
      'unsupported_file',
    ],
    audit: 'conversation.taken_over',
  },
  'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/attachments/{attachmentId}': {
    summary: 'Read a file that was sent in a conversation',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofAttachment,
    status: 200,
    response: Type.String({ format: 'binary' }),
    responseType: 'application/octet-stream',
    alternative: { type: 'image/*', schema: Type.String({ format: 'binary' }) },
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/accept': {
    summary: 'Take over a conversation',
    description: 'The bot stops answering, and you are assigned. Also works for a conversation of a colleague.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: AcceptConversation,
    status: 200,
    response: ConversationSummary,
    errors: [
      ...MANAGER_ERRORS,
      ...INPUT_ERRORS,
      'bot_not_found',
      'not_found',
      'not_a_widget_conversation',
      'conversation_changed',
    ],
    audit: 'conversation.taken_over',
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/close': {
    summary: 'Hand a conversation back to the bot',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    status: 200,
    response: ConversationSummary,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'conversation.handed_back',
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/typing': {
    summary: 'Show the visitor that a person is typing',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/notes': {
    summary: 'Add a note visible only to members',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: NoteInput,
    trims: ['text'],
    status: 201,
    response: Note,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/conversations/{conversationId}': {
    summary: 'Assign, resolve, reopen, snooze or tag a conversation',
    description:
      'All or nothing. With `expected_assignee_id` or `expected_status`, only one of two concurrent changes succeeds.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofConversation,
    body: PatchConversation,
    status: 200,
    response: ConversationSummary,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'conversation_changed'],
    audit: 'conversation.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/conversations/{conversationId}': {
    summary: 'Delete a conversation',
    description:
      'With its messages, files, notes and tags, and deliveries about it. If it is the last one of a visitor, the visitor and their lead are deleted too.',
    tag: 'Inbox',
    caller: 'management',
    role: 'editor',
    params: ofConversation,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'conversation.deleted',
  },
  'POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read': {
    summary: 'Mark a conversation as read',
    description: 'The visitor sees this only for agents and open conversations.',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofConversation,
    body: ReadInput,
    status: 204,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/events': {
    summary: 'Stream live events of the conversations',
    tag: 'Inbox',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: InboxEvents,
    responseType: 'text/event-stream',
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
