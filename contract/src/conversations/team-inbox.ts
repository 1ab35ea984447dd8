// Inbox data shared by a workspace's members, and personal settings.
import { type Static, Type } from 'typebox'
import { Name, NOT_BLANK, Nullable, Timestamp } from '../schema.ts'
import { choosing, Person } from './conversations.ts'

export const Inbox = Type.Object(
  {
    me: Type.String({ description: 'Your id as an assignee.' }),
    agents: Type.Array(Type.Object({ ...Person.properties, avatar: Nullable(Type.String()), open: Type.Integer() }), {
      description: 'Members who can be assigned, with their number of open conversations.',
    }),
    tags: Type.Array(Type.Object({ name: Type.String(), conversations: Type.Integer() })),
  },
  { $id: 'Inbox' },
)
export type Inbox = Static<typeof Inbox>

const SavedFilter = Type.Object({
  name: Name,
  query: Type.Partial(Type.Object({ ...choosing, bot_id: Type.String({ maxLength: 100 }) })),
})

export const SavedFilters = Type.Object(
  { filters: Type.Array(SavedFilter, { maxItems: 50, description: 'Your own, in your order.' }) },
  { $id: 'SavedFilters' },
)
export type SavedFilters = Static<typeof SavedFilters>

export const CannedReplyInput = Type.Object(
  {
    shortcut: Type.String({
      pattern: '^[\\p{L}\\p{N}_-]{1,40}$',
      description: 'Agents type it after a slash.',
      examples: ['greeting'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: 4000,
      pattern: NOT_BLANK,
      description: 'May contain {{visitor.name}}, {{agent.name}} and {{bot.name}}.',
    }),
  },
  { $id: 'CannedReplyInput' },
)

export const CannedReply = Type.Object(
  { id: Type.String(), ...CannedReplyInput.properties, updated_at: Timestamp },
  { $id: 'CannedReply' },
)
export type CannedReply = Static<typeof CannedReply>

export const PatchCannedReply = Type.Partial(CannedReplyInput, { $id: 'PatchCannedReply' })
