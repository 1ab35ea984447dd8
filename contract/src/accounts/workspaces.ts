import { type Static, Type } from 'typebox'
import { Name, Nullable, OneOf, Timestamp } from '../schema.ts'

export const plans = ['free', 'starter', 'business', 'enterprise'] as const
export type Plan = (typeof plans)[number]

/** Ascending: each role includes the permissions of those before it. */
export const roles = ['viewer', 'agent', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

const DailyLimit = Type.Integer({ minimum: 0, maximum: 100_000_000 })

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: OneOf(plans),
    daily_limit: Nullable(Type.Integer({ description: 'Calls per day for each key; null means 1000.' })),
    total_daily_limit: Nullable(
      Type.Integer({ description: 'Calls per day of all keys of all bots together; null means no such limit.' }),
    ),
    created_at: Timestamp,
  },
  { $id: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>

export const CreateWorkspace = Type.Object({
  name: Name,
  plan: Type.Optional(OneOf(plans)),
  daily_limit: Type.Optional(Nullable(DailyLimit)),
  total_daily_limit: Type.Optional(Nullable(DailyLimit)),
})

export const PatchWorkspace = Type.Partial(CreateWorkspace)

export const Member = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: OneOf(roles),
    has_account: Type.Boolean({ description: 'Whether they can log in; see invitations.' }),
    two_factor: Type.Optional(Type.Boolean({ description: 'Whether login requires a code; visible to owners.' })),
    created_at: Timestamp,
  },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

export const CreateMember = Type.Object({
  email: Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
  name: Name,
  role: OneOf(roles),
})

export const PatchMember = Type.Partial(Type.Pick(CreateMember, ['name', 'role']))

export const ChangeMemberEmail = Type.Pick(CreateMember, ['email'])

export const Token = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    last_four: Type.String(),
    created_at: Timestamp,
    expires_at: Nullable(Timestamp),
  },
  { $id: 'Token', description: 'A personal management token. The secret is shown once, on creation.' },
)
export type Token = Static<typeof Token>

export const CreateToken = Type.Object({ name: Name, expires_at: Type.Optional(Nullable(Timestamp)) })

export const CreatedToken = Type.Intersect([
  Token,
  Type.Object({ token: Type.String({ description: 'The secret; shown only here.' }) }),
])
