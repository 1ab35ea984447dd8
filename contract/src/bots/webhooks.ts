import { type Static, Type } from 'typebox'
import { eventTypes, integrationEventTypes } from '../events.ts'
import { HttpUrl, ListQuery, Nullable, OneOf, Timestamp } from '../schema.ts'

export const WEBHOOKS_PER_BOT = 20

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

export const CreatedWebhook = Type.Intersect([Webhook, Type.Object({ secret })])

const EventTypes = Type.Array(OneOf(integrationEventTypes), {
  minItems: 1,
  uniqueItems: true,
  description: 'Default: all of them.',
})

export const CreateWebhook = Type.Object({ url: HttpUrl, event_types: Type.Optional(EventTypes) })

export const PatchWebhook = Type.Object({
  url: Type.Optional(HttpUrl),
  event_types: Type.Optional(EventTypes),
  enabled: Type.Optional(Type.Boolean({ description: 'True re-enables a disabled endpoint.' })),
})

export const RotatedSecret = Type.Object(
  { secret, previous_secret_until: Timestamp },
  { $id: 'RotatedSecret', description: 'Until then, deliveries are signed with both secrets.' },
)

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const Delivery = Type.Object(
  {
    id: Type.String(),
    webhook_id: Type.String({ description: 'For a notification, the id of its channel.' }),
    event_id: Type.String({ description: 'The `webhook-id` header, the same on every attempt.' }),
    event_type: OneOf(deliveryEventTypes),
    state: OneOf(deliveryStates),
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

export const DeliveryWithLog = Type.Intersect(
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

export const DeliveryQuery = Type.Object({
  ...ListQuery(['created_at'], {
    found: 'URL, key name, event or id',
    sort: '-created_at',
  }).properties,
  webhook_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'A webhook or a notification channel. Default: all webhooks.' }),
  ),
  state: Type.Optional(OneOf(deliveryStates)),
  event_type: Type.Optional(OneOf(deliveryEventTypes)),
})

export const ReplayFailed = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Resends failed deliveries of events since then.' }),
  webhook_id: Type.Optional(Type.String({ maxLength: 256, description: 'Only deliveries to this endpoint.' })),
})

export const ReplayReport = Type.Object({ replayed: Type.Integer() }, { $id: 'ReplayReport' })
