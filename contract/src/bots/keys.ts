import { type Static, Type } from 'typebox'
import { HttpUrl, Name, Nullable, OneOf, Timestamp } from '../schema.ts'

export const DEFAULT_DAILY_LIMIT = 1000
/** Valid at the same time. */
export const KEYS_PER_BOT = 50

/** How long a rotated key stays valid alongside its successor. */
export const overlaps = { '0': 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Overlap = keyof typeof overlaps
const overlapNames = ['0', '1h', '24h', '7d'] as const

export const Key = Type.Object(
  {
    id: Type.String(),
    bot_id: Type.String(),
    name: Type.String(),
    prefix: Type.String({ description: 'The start of the secret.' }),
    last_four: Type.String({ description: 'The end of the secret.' }),
    state: OneOf(['active', 'expired', 'revoked']),
    created_by: Type.String({ description: 'The id of a member, or another creator.' }),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    expires_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp),
    daily_limit: Type.Integer({ description: 'Calls per day: the limit of the key, its workspace or the default.' }),
    calls_today: Type.Integer({ description: 'Counted since 00:00 UTC.' }),
    webhook_url: Nullable(Type.String({ description: 'Receives a copy of every call with this key.' })),
    webhook_id: Nullable(
      Type.String({ description: 'The id of the mirror among the webhooks, to test it or rotate its secret.' }),
    ),
  },
  { $id: 'Key', description: 'A chat API key. The secret is shown once, on creation.' },
)
export type Key = Static<typeof Key>

export const CreatedKey = Type.Intersect([
  Key,
  Type.Object({
    key: Type.String({ description: 'The secret; shown only here.' }),
    webhook_secret: Type.Optional(
      Type.String({ description: 'Signs mirrored calls; shown only here. Absent without `webhook_url`.' }),
    ),
  }),
])

export const ChangedKey = Type.Intersect([
  Key,
  Type.Object({
    webhook_secret: Type.Optional(
      Type.String({ description: 'Only if this change set the first `webhook_url`; shown only here.' }),
    ),
  }),
])

const OwnLimit = Nullable(
  Type.Integer({ minimum: 0, maximum: 100_000_000, description: "Instance owner only; null: the workspace's limit." }),
)

export const CreateKey = Type.Object({
  name: Name,
  expires_at: Type.Optional(Nullable(Timestamp)),
  daily_limit: Type.Optional(OwnLimit),
  webhook_url: Type.Optional(Nullable(HttpUrl)),
})
export const PatchKey = Type.Partial(CreateKey)

export const RotateKey = Type.Object({
  overlap: Type.Optional(OneOf(overlapNames, { description: 'How long the old key stays valid. Default: 24h.' })),
})

export const CreatedSyncKey = Type.Object(
  {
    key: Type.String({ description: 'The secret; shown only here.' }),
    last_four: Type.String(),
    created_at: Timestamp,
  },
  { $id: 'CreatedSyncKey' },
)
