// Personal data of visitors.
import type { Static } from 'typebox'
import { Attachment } from './attachments.ts'
import { StoredMetadata } from './chat.ts'
import { CHANNELS, ConversationMessage, ConversationSummary, Note, Visit } from './conversations.ts'
import { Identity, PersonLevel } from './identity.ts'
import { Lead } from './leads.ts'
import { MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const personFields = {
  id: Type.String({ description: 'The id of a widget visitor, or `user:` with the `user_id` of the chat API.' }),
  level: PersonLevel,
  channel: OneOf(CHANNELS),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  user_id: Nullable(
    Type.String({ description: 'As sent to the chat API, or of a verified visitor: in your own system.' }),
  ),
}

export const VisitorSummary = Type.Object(
  {
    ...personFields,
    conversations: Type.Integer(),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
  },
  { $id: 'VisitorSummary' },
)
export type VisitorSummary = Static<typeof VisitorSummary>

const VisitorsQuery = Type.Object({
  ...PageQuery.properties,
  cursor: Type.Optional(Type.String({ maxLength: 1500 })),
  q: Type.Optional(
    Type.String({
      maxLength: 300,
      description: 'Part of a name, email address, phone number or `user_id`, or a whole id.',
    }),
  ),
})

const ExportedConversation = Type.Intersect([
  Type.Omit(ConversationSummary, ['visitor', 'last_message', 'last_visitor_message', 'unread', 'mention']),
  Type.Object({
    metadata: StoredMetadata,
    messages: Type.Array(ConversationMessage, { description: 'All of them, oldest first, with ratings.' }),
    visit: Nullable(Visit),
    notes: Type.Array(Type.Omit(Note, ['mentions'])),
    attachments: Type.Array(Type.Object({ ...Attachment.properties, content_base64: Type.String() }), {
      description: 'Files sent in the conversation.',
    }),
  }),
])
export type ExportedConversation = Static<typeof ExportedConversation>

const ExportedVisitor = Type.Object({
  ...personFields,
  locale: Nullable(Type.String()),
  first_seen_at: Timestamp,
})
export type ExportedVisitor = Static<typeof ExportedVisitor>

const VisitorExport = Type.Object(
  {
    exported_at: Timestamp,
    bot_id: Type.String(),
    visitor: ExportedVisitor,
    identity: Nullable(Identity),
    leads: Type.Array(Lead),
    conversations: Type.Array(ExportedConversation, { description: 'Newest first, per channel.' }),
  },
  { $id: 'VisitorExport' },
)

export const Privacy = Type.Object(
  {
    retention_days: Type.Integer({ description: 'The bot’s setting; 0: conversations are kept.' }),
    last_run_at: Nullable(Timestamp),
    last_removed: Type.Integer({ description: 'Conversations deleted by the last run.' }),
    oldest_conversation_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'The time of the last message in the oldest inactive conversation.',
      }),
    ),
  },
  { $id: 'Privacy' },
)
export type Privacy = Static<typeof Privacy>

const ofVisitor = Params({
  botId: Id,
  visitorId: Type.String({
    ...Id,
    description:
      'The id of a widget visitor, or `user:` with the id of a user in your own system: then everything of that user, verified in the widget or named in the chat API.',
  }),
})

export const visitorRoutes = {
  'GET /api/manage/v1/bots/{botId}/visitors': {
    summary: 'Find visitors of the widget and users of the chat API, newest first',
    tag: 'Privacy',
    caller: 'management',
    role: 'agent',
    params: ofBot,
    query: VisitorsQuery,
    status: 200,
    response: Page(VisitorSummary),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/visitors/{visitorId}': {
    summary: 'Export all data of a visitor',
    tag: 'Privacy',
    caller: 'management',
    role: 'agent',
    params: ofVisitor,
    status: 200,
    response: VisitorExport,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}': {
    summary: 'Erase all data of a visitor',
    description:
      'Erases the visitor, their conversations with all messages, ratings and notes, their leads, and deliveries about them, sent or not, all or nothing. Data already delivered to webhooks stays with their receivers. 404 if there is nothing to erase.',
    tag: 'Privacy',
    caller: 'management',
    role: 'editor',
    params: ofVisitor,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/privacy': {
    summary: 'Read how long conversations are kept, and when old ones were last deleted',
    tag: 'Privacy',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: Privacy,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
