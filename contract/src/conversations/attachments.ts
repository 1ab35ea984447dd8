// Files that visitors and agents send each other, and what a visitor finds again.
import { type Static, Type } from 'typebox'
import { OneOf, Timestamp } from '../schema.ts'

const attachmentTypes = [
  ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const),
  ...(['application/pdf', 'text/plain'] as const),
] as const
export type AttachmentType = (typeof attachmentTypes)[number]

export const Attachment = Type.Object(
  {
    id: Type.String({
      description: 'Unguessable: whoever knows it reads the file at `/api/chat/{bot_id}/attachments/{id}`.',
    }),
    name: Type.String(),
    type: OneOf(attachmentTypes, { description: 'Found in the content, whatever the name says.' }),
    size_bytes: Type.Integer(),
  },
  { $id: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

export const Attachments = Type.Array(Attachment, {
  description: 'Sent with this message, whose text is then the name of the file.',
})

export const AttachmentInput = Type.Object({
  file: Type.String({ format: 'binary', description: 'One. PNG, JPEG, GIF, WebP, PDF or text.' }),
  session_id: Type.Optional(Type.String({ description: 'Before the file. Default: the newest conversation.' })),
})

export const OwnConversations = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        session_id: Type.String(),
        last_message: Type.Object({ role: OneOf(['visitor', 'bot', 'agent']), text: Type.String() }),
        updated_at: Timestamp,
      }),
    ),
  },
  { $id: 'OwnConversations' },
)
export type OwnConversations = Static<typeof OwnConversations>
