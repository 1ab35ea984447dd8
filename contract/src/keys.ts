// Keys of the chat API and the product sync.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Id, Name, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

/** Valid at the same time. */
export const KEYS_PER_BOT = 50

/** How long a rotated key stays valid alongside its successor. */
export const overlaps = { '0': 0, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Overlap = keyof typeof overlaps
const OVERLAP_NAMES = ['0', '1h', '24h', '7d'] as const

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

const CreatedKey = Type.Intersect([
  Key,
  Type.Object({
    key: Type.String({ description: 'The secret; shown only here.' }),
    webhook_secret: Type.Optional(
      Type.String({ description: 'Signs mirrored calls; shown only here. Absent without `webhook_url`.' }),
    ),
  }),
])

const ChangedKey = Type.Intersect([
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

const CreateKey = Type.Object({
  name: Name,
  expires_at: Type.Optional(Nullable(Timestamp)),
  daily_limit: Type.Optional(OwnLimit),
  webhook_url: Type.Optional(Nullable(HttpUrl)),
})
const PatchKey = Type.Partial(CreateKey)

const RotateKey = Type.Object({
  overlap: Type.Optional(OneOf(OVERLAP_NAMES, { description: 'How long the old key stays valid. Default: 24h.' })),
})

const CreatedSyncKey = Type.Object(
  {
    key: Type.String({ description: 'The secret; shown only here.' }),
    last_four: Type.String(),
    created_at: Timestamp,
  },
  { $id: 'CreatedSyncKey' },
)

const ofKey = Params({ botId: Id, keyId: Id })

export const keyRoutes = {
  'POST /api/manage/v1/bots/{botId}/keys': {
    summary: 'Create a chat API key',
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateKey,
    status: 201,
    response: CreatedKey,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_keys'],
  },
  'GET /api/manage/v1/bots/{botId}/keys': {
    summary: 'List the chat API keys',
    tag: 'Keys',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Key),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/keys/{keyId}': {
    summary: 'Read a key',
    tag: 'Keys',
    caller: 'management',
    role: 'viewer',
    params: ofKey,
    status: 200,
    response: Key,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/keys/{keyId}': {
    summary: "Change a key's name, expiry, mirror webhook or daily limit",
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofKey,
    body: PatchKey,
    status: 200,
    response: ChangedKey,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'key_not_active'],
  },
  'POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke': {
    summary: 'Revoke a key permanently and immediately',
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofKey,
    status: 200,
    response: Key,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate': {
    summary: 'Rotate a key: create a successor and let the old one expire',
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofKey,
    body: RotateKey,
    status: 201,
    response: CreatedKey,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'key_not_active', 'too_many_keys'],
  },
  'POST /api/manage/v1/bots/{botId}/sync-key': {
    summary: "Create or rotate the bot's product sync key",
    tag: 'Keys',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: RotateKey,
    status: 201,
    response: CreatedSyncKey,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
