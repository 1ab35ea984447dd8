// Visitors whom the site knows: it proves with a signed token, or a hash, who they are.
import type { Static } from 'typebox'
import { MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, Nullable, OneOf, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const VISITOR_LEVELS = ['anonymous', 'claimed', 'verified'] as const
export type VisitorLevel = (typeof VISITOR_LEVELS)[number]

const LEVELS =
  '`claimed`: gave a name or contact details, which nobody has checked. `verified`: the site proved who they are.'
export const Level = OneOf(VISITOR_LEVELS, { description: LEVELS })
export const PersonLevel = Nullable(OneOf(VISITOR_LEVELS, { description: `${LEVELS} Null: of the chat API.` }))

const UserId = Type.String({ description: 'The id of a verified visitor in your own system.' })

/** Fields of every widget call that can prove who the visitor is. */
export const userProof = {
  user_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 12_000,
      description:
        'Who the visitor is: a JWT (HS256) signed with an identity key of the bot, its `kid` in the header. Claims: `sub` or `user_id`, `exp` at most 24 hours ahead, and if you like `email`, `name`, `phone` and `attributes` (flat, at most 4 KB).',
    }),
  ),
  user_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Instead of `user_token`, together with `user_hash`.' }),
  ),
  user_hash: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'HMAC-SHA256 of `user_id` with an identity key of the bot, in hex. It never expires.',
    }),
  ),
}

export const EventVisitor = Nullable(
  Type.Object(
    { id: Type.String({ examples: ['vis_3f8c1d7q2m'] }), level: Level, user_id: Nullable(UserId) },
    { description: 'Of the widget; null for the chat API.' },
  ),
)
export type EventVisitor = Static<typeof EventVisitor>

export const Identity = Type.Object(
  {
    user_id: UserId,
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    attributes: Type.Record(Type.String(), Type.Unknown(), { description: 'Flat: texts, numbers, booleans, null.' }),
    verified_at: Type.String({ format: 'date-time', description: 'When the site last proved it.' }),
  },
  { $id: 'Identity', description: 'What the site stated and signed about a verified visitor.' },
)
export type Identity = Static<typeof Identity>

export const IdentifyInput = Type.Object(userProof)

export const Identified = Type.Object(
  {
    user_id: Type.String(),
    switched: Type.Boolean({
      description:
        'Whether this is another visitor than that of the presented token. Go on with `visitor_token` and `session_id` then, or forget yours where they are null. Otherwise keep your session, and your token unless `visitor_token` has a new one.',
    }),
    visitor_token: Nullable(
      Type.String({
        description:
          'For this device. Null if the user has not written yet, or if the presented one stays valid: that of an anonymous visitor becomes void when it is known who they are.',
      }),
    ),
    session_id: Nullable(Type.String({ description: 'The newest conversation of the user, when `switched`.' })),
  },
  { $id: 'Identified' },
)
export type Identified = Static<typeof Identified>

const IdentityKey = Type.Object(
  {
    id: Type.String({ examples: ['idk_7h2k9q4m'], description: 'The `kid` in the header of tokens.' }),
    last_four: Type.String(),
    created_at: Timestamp,
    last_used_at: Nullable(
      Type.String({ format: 'date-time', description: 'When it last proved a visitor, to the minute.' }),
    ),
  },
  { $id: 'IdentityKey' },
)
export type IdentityKey = Static<typeof IdentityKey>

const CreatedIdentityKey = Type.Intersect(
  [IdentityKey, Type.Object({ key: Type.String({ description: 'Shown only once. Keep it on your server.' }) })],
  { $id: 'CreatedIdentityKey' },
)

const IdentityKeys = Type.Object({ items: Type.Array(IdentityKey) }, { $id: 'IdentityKeys' })

const ofKey = Params({ botId: Id, identityKeyId: Id })

export const identityRoutes = {
  'GET /api/manage/v1/bots/{botId}/identity-keys': {
    summary: 'List the identity keys',
    tag: 'Keys',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: IdentityKeys,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/identity-keys': {
    summary: 'Create an identity key',
    description:
      'At most two per bot: to rotate, create the second, sign with it, and delete the first when it is no longer used.',
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    status: 201,
    response: CreatedIdentityKey,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'too_many_identity_keys'],
    audit: 'identity_key.created',
  },
  'DELETE /api/manage/v1/bots/{botId}/identity-keys/{identityKeyId}': {
    summary: 'Delete an identity key',
    description: 'What it signed is refused from now on.',
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofKey,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'identity_key.deleted',
  },
} as const satisfies Record<string, RouteSpec>
