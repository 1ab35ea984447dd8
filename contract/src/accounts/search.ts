// Finding anything in a workspace by its name.
import { type Static, Type } from 'typebox'
import { NOT_BLANK, Nullable, OneOf } from '../schema.ts'

const kinds = [
  ...(['bot', 'conversation', 'lead', 'document', 'file'] as const),
  ...(['answer', 'product', 'website', 'key', 'member'] as const),
] as const

export const WorkspaceSearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  bot_id: Type.Optional(Type.String({ maxLength: 256, description: 'What belongs to this bot comes first.' })),
})

export const Found = Type.Object(
  {
    kind: OneOf(kinds),
    id: Type.String(),
    bot_id: Nullable(Type.String({ description: 'The bot it belongs to; null for members.' })),
    bot_name: Nullable(Type.String()),
    title: Type.String(),
    detail: Nullable(Type.String({ description: 'An address, or the words that were found.' })),
  },
  { $id: 'Found' },
)
export type Found = Static<typeof Found>

export const WorkspaceSearchAnswer = Type.Object(
  {
    results: Type.Array(Found, { description: 'At most five of each kind.' }),
    complete: Type.Boolean({ description: 'False: there was no time to look at everything.' }),
  },
  { $id: 'WorkspaceSearchAnswer' },
)
