// Webhooks and their deliveries.
import type { Static } from 'typebox'
import { eventTypes, INTEGRATION_EVENT_TYPES } from './events.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Id, ListQuery, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const WEBHOOKS_PER_BOT = 20

/** A webhook with this URL sends nothing: its events are only logged, for `docent listen` to read. */
export const LISTENER_URL = 'docent:listen'

/** `notification`: a message to a notification channel, which uses the same queue and log. */
export const deliveryEventTypes = [...eventTypes, 'notification'] as const
export type DeliveryEventType = (typeof deliveryEventTypes)[number]

export const Webhook = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(['integration', 'mirror'], { description: 'A mirror belongs to an API key and receives its calls.' }),
    key_id: Nullable(Type.String({ description: 'The API key of a mirror.' })),
    url: Type.String(),
    event_types: Type.Array(OneOf(eventTypes), { description: 'The events it receives.' }),
    state: OneOf(['active', 'failing', 'disabled']),
    failing_since: Nullable(Timestamp),
    disabled_at: Nullable(Timestamp),
    disabled_reason: Nullable(
      OneOf(['gone', 'failing', 'manual'], {
        description: 'It answered 410, failed for 5 days, or was disabled by a person.',
      }),
    ),
    pending: Type.Integer({ description: 'Pending deliveries.' }),
    previous_secret_until: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'Webhook', description: 'An endpoint that receives events. Its secret is shown once, on creation.' },
)
export type Webhook = Static<typeof Webhook>

const secret = Type.String({ description: 'Signs every delivery (Standard Webhooks); shown only here.' })

const CreatedWebhook = Type.Intersect([Webhook, Type.Object({ secret })])

const EventTypes = Type.Array(OneOf(INTEGRATION_EVENT_TYPES), {
  minItems: 1,
  uniqueItems: true,
  description: 'Default: all of them.',
})

const EndpointUrl = Type.String({
  ...HttpUrl,
  pattern: `^https?://[^\\s]+$|^${LISTENER_URL}$`,
  description: `\`${LISTENER_URL}\`: nothing is sent, the deliveries are only logged (\`docent listen\`).`,
})

const CreateWebhook = Type.Object({ url: EndpointUrl, event_types: Type.Optional(EventTypes) })

const PatchWebhook = Type.Object({
  url: Type.Optional(HttpUrl),
  event_types: Type.Optional(EventTypes),
  enabled: Type.Optional(Type.Boolean({ description: 'True re-enables a disabled endpoint.' })),
})

const RotatedSecret = Type.Object(
  { secret, previous_secret_until: Timestamp },
  { $id: 'RotatedSecret', description: 'Until then, deliveries are signed with both secrets.' },
)

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const Delivery = Type.Object(
  {
    id: Type.String(),
    webhook_id: Type.String({ description: 'For a notification, the id of its channel.' }),
    event_id: Type.String({ description: 'The `webhook-id` header, the same on every attempt.' }),
    event_type: OneOf(deliveryEventTypes),
    state: OneOf(DELIVERY_STATES),
    attempts: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'The last HTTP status; null: none yet.' })),
    url: Nullable(Type.String({ description: 'The URL of the endpoint; null if it was deleted.' })),
    key: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String(), revoked: Type.Boolean() },
        { description: 'The API key of the mirror.' },
      ),
    ),
    created_at: Timestamp,
    next_attempt_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
  },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryAttempt = Type.Object(
  {
    at: Timestamp,
    duration_ms: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'Null if there was no response.' })),
    error: Nullable(Type.String({ description: 'Why it failed.' })),
    answer: Type.String({ description: 'The start of the response body, at most 16 KiB.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'As sent, with the signature masked; empty for notifications.',
    }),
  },
  { $id: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

const DeliveryWithLog = Type.Intersect(
  [
    Delivery,
    Type.Object({
      url: Nullable(
        Type.String({ description: 'The current URL of the endpoint; null if it was deleted, and for notifications.' }),
      ),
      body: Type.String({
        description: 'The exact request body; for a notification, its content before formatting for the channel.',
      }),
      log: Type.Array(DeliveryAttempt, { description: 'The latest 20 attempts, oldest first.' }),
    }),
  ],
  { $id: 'DeliveryWithLog' },
)

const DeliveryQuery = Type.Object({
  ...ListQuery(['created_at'], {
    found: 'URL, key name, event or id',
    sort: '-created_at',
  }).properties,
  webhook_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'A webhook or a notification channel. Default: all webhooks.' }),
  ),
  state: Type.Optional(OneOf(DELIVERY_STATES)),
  event_type: Type.Optional(OneOf(deliveryEventTypes)),
})

const ReplayFailed = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Resends failed deliveries of events since then.' }),
  webhook_id: Type.Optional(Type.String({ maxLength: 256, description: 'Only deliveries to this endpoint.' })),
})

const ReplayReport = Type.Object({ replayed: Type.Integer() }, { $id: 'ReplayReport' })

const ofWebhook = Params({ botId: Id, webhookId: Id })

const ofDelivery = Params({ botId: Id, deliveryId: Id })

export const webhookRoutes = {
  'POST /api/manage/v1/bots/{botId}/webhooks': {
    summary: 'Create a webhook',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateWebhook,
    status: 201,
    response: CreatedWebhook,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_webhooks'],
  },
  'GET /api/manage/v1/bots/{botId}/webhooks': {
    summary: 'List the webhooks, including mirrors of API keys',
    tag: 'Webhooks',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Webhook),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/webhooks/{webhookId}': {
    summary: 'Read a webhook and its state',
    tag: 'Webhooks',
    caller: 'management',
    role: 'viewer',
    params: ofWebhook,
    status: 200,
    response: Webhook,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}': {
    summary: 'Change, disable or enable a webhook',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofWebhook,
    body: PatchWebhook,
    status: 200,
    response: Webhook,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}': {
    summary: 'Delete a webhook with its queue and log',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofWebhook,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test': {
    summary: 'Send a test event through the normal delivery queue',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofWebhook,
    status: 201,
    response: Delivery,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found', 'webhook_disabled'],
  },
  'POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/rotate-secret': {
    summary: 'Rotate the secret; for 24 hours deliveries are signed with both',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofWebhook,
    status: 201,
    response: RotatedSecret,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/deliveries': {
    summary: 'List the deliveries, newest first',
    tag: 'Webhooks',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: DeliveryQuery,
    status: 200,
    response: Page(Delivery),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}': {
    summary: 'Read a delivery with its body and every attempt',
    tag: 'Webhooks',
    caller: 'management',
    // The body may contain a lead.
    role: 'agent',
    params: ofDelivery,
    status: 200,
    response: DeliveryWithLog,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/deliveries/{deliveryId}/replay': {
    summary: 'Send a delivery again',
    description: 'For a notification channel it counts as a test message: at most ten an hour per bot.',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofDelivery,
    status: 201,
    response: Delivery,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found', 'webhook_disabled', 'rate_limited'],
  },
  'POST /api/manage/v1/bots/{botId}/deliveries/replay': {
    summary: 'Resend all failed deliveries since a time',
    description: 'Except those of notification channels.',
    tag: 'Webhooks',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: ReplayFailed,
    status: 200,
    response: ReplayReport,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
