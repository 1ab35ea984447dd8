// Search for anything in a workspace by name.
import { type Static, Type } from 'typebox'
import { NOT_BLANK, Nullable, OneOf } from '../schema.ts'

const kinds = [
  ...(['bot', 'conversation', 'lead', 'document', 'file'] as const),
  ...(['answer', 'product', 'website', 'key', 'member'] as const),
] as const

export const WorkspaceSearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  bot_id: Type.Optional(Type.String({ maxLength: 256, description: 'Results of this bot come first.' })),
})

export const Found = Type.Object(
  {
    kind: OneOf(kinds),
    id: Type.String(),
    bot_id: Nullable(Type.String({ description: 'The bot of the result; null for members.' })),
    bot_name: Nullable(Type.String()),
    title: Type.String(),
    detail: Nullable(Type.String({ description: 'A URL or email address, or the matching text.' })),
  },
  { $id: 'Found' },
)
export type Found = Static<typeof Found>

export const WorkspaceSearchAnswer = Type.Object(
  {
    results: Type.Array(Found, { description: 'At most five of each kind.' }),
    complete: Type.Boolean({ description: 'False if the search timed out.' }),
  },
  { $id: 'WorkspaceSearchAnswer' },
)
