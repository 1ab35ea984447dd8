// Personal data of visitors.
import { type Static, Type } from 'typebox'
import { Attachment } from '../conversations/attachments.ts'
import { ConversationMessage, ConversationSummary, channels, Note } from '../conversations/conversations.ts'
import { Lead } from '../conversations/leads.ts'
import { Nullable, OneOf, PageQuery, Timestamp } from '../schema.ts'

const person = {
  id: Type.String({ description: 'The id of a widget visitor, or `user:` with the `user_id` of the chat API.' }),
  channel: OneOf(channels),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
}

export const VisitorSummary = Type.Object(
  {
    ...person,
    conversations: Type.Integer(),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
  },
  { $id: 'VisitorSummary' },
)
export type VisitorSummary = Static<typeof VisitorSummary>

export const VisitorsQuery = Type.Object({
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
  Type.Omit(ConversationSummary, ['visitor', 'last_message', 'last_visitor_message', 'unread']),
  Type.Object({
    metadata: Nullable(Type.Record(Type.String(), Type.Unknown())),
    messages: Type.Array(ConversationMessage, { description: 'All of them, oldest first, with ratings.' }),
    notes: Type.Array(Note),
    attachments: Type.Array(Type.Object({ ...Attachment.properties, content_base64: Type.String() }), {
      description: 'Files sent in the conversation.',
    }),
  }),
])
export type ExportedConversation = Static<typeof ExportedConversation>

const ExportedVisitor = Type.Object({
  ...person,
  locale: Nullable(Type.String()),
  first_seen_at: Timestamp,
})
export type ExportedVisitor = Static<typeof ExportedVisitor>

export const VisitorExport = Type.Object(
  {
    exported_at: Timestamp,
    bot_id: Type.String(),
    visitor: ExportedVisitor,
    leads: Type.Array(Lead),
    conversations: Type.Array(ExportedConversation, { description: 'Newest first.' }),
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
