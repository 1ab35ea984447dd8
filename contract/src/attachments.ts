// Files sent by visitors and agents.
import type { Static } from 'typebox'
import { OneOf } from './schema.ts'
import { Type } from './type.ts'

const attachmentTypes = [
  ...(['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const),
  ...(['application/pdf', 'text/plain'] as const),
] as const
export type AttachmentType = (typeof attachmentTypes)[number]

export const Attachment = Type.Object(
  {
    id: Type.String({
      description: 'Unguessable: anyone who knows it can read the file at `/api/chat/{bot_id}/attachments/{id}`.',
    }),
    name: Type.String(),
    type: OneOf(attachmentTypes, { description: 'Detected from the content, not from the name.' }),
    size_bytes: Type.Integer(),
  },
  { $id: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

export const Attachments = Type.Array(Attachment, {
  description: 'The file sent with this message, whose text is the file name.',
})

export const AttachmentInput = Type.Object({
  file: Type.String({ format: 'binary', description: 'One file: PNG, JPEG, GIF, WebP, PDF or text.' }),
  session_id: Type.Optional(Type.String({ description: 'Must precede the file. Default: the newest conversation.' })),
})
