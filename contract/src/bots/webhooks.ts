import { type Static, Type } from 'typebox'
import { eventTypes, integrationEventTypes } from '../events.ts'
import { HttpUrl, ListQuery, Nullable, OneOf, Timestamp } from '../schema.ts'

export const WEBHOOKS_PER_BOT = 20

/** `notification`: a message to a notification channel, which has the same queue and log. */
export const deliveryEventTypes = [...eventTypes, 'notification'] as const
export type DeliveryEventType = (typeof deliveryEventTypes)[number]

export const Webhook = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(['integration', 'mirror'], { description: 'A mirror belongs to an API key and gets its calls.' }),
    key_id: Nullable(Type.String({ description: 'The API key of a mirror.' })),
    url: Type.String(),
    event_types: Type.Array(OneOf(eventTypes), { description: 'What it gets.' }),
    state: OneOf(['active', 'failing', 'disabled']),
    failing_since: Nullable(Timestamp),
    disabled_at: Nullable(Timestamp),
    disabled_reason: Nullable(
      OneOf(['gone', 'failing', 'manual'], {
        description: 'It answered 410; it failed for 5 days; somebody switched it off.',
      }),
    ),
    pending: Type.Integer({ description: 'Deliveries that wait.' }),
    previous_secret_until: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'Webhook', description: 'An endpoint that events are sent to. Its secret is shown once, when it is made.' },
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
  enabled: Type.Optional(Type.Boolean({ description: 'True takes a disabled endpoint up again.' })),
})

export const RotatedSecret = Type.Object(
  { secret, previous_secret_until: Timestamp },
  { $id: 'RotatedSecret', description: 'Until then, deliveries carry a signature of each secret.' },
)

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const Delivery = Type.Object(
  {
    id: Type.String(),
    webhook_id: Type.String({ description: 'Of a notification: the id of its channel.' }),
    event_id: Type.String({ description: 'The `webhook-id` header, the same on every attempt.' }),
    event_type: OneOf(deliveryEventTypes),
    state: OneOf(deliveryStates),
    attempts: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'What the endpoint answered last; null: nothing yet.' })),
    url: Nullable(Type.String({ description: 'Of the endpoint; null: it was removed.' })),
    key: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String(), revoked: Type.Boolean() },
        { description: 'Whose mirror it is.' },
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
    status: Nullable(Type.Integer({ description: 'Null when no answer came.' })),
    error: Nullable(Type.String({ description: 'Why it counts as failed.' })),
    answer: Type.String({ description: 'The beginning of what the endpoint answered, at most 16 KiB.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'As sent, the signature masked; none of notifications.',
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
        Type.String({ description: 'Where the endpoint is by now; null when it was removed, and of notifications.' }),
      ),
      body: Type.String({
        description: 'The request body, byte for byte; of a notification, what is put into the format of its channel.',
      }),
      log: Type.Array(DeliveryAttempt, { description: 'The latest 20 attempts, oldest first.' }),
    }),
  ],
  { $id: 'DeliveryWithLog' },
)

export const DeliveryQuery = Type.Object({
  ...ListQuery(['created_at'], {
    found: "an endpoint's address, its key's name, the event or the id",
    sort: '-created_at',
  }).properties,
  webhook_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'A webhook or a notification channel. Default: all webhooks.' }),
  ),
  state: Type.Optional(OneOf(deliveryStates)),
  event_type: Type.Optional(OneOf(deliveryEventTypes)),
})

export const ReplayFailed = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Failed deliveries of events from then on are sent again.' }),
  webhook_id: Type.Optional(Type.String({ maxLength: 256, description: 'Only those to this endpoint.' })),
})

export const ReplayReport = Type.Object({ replayed: Type.Integer() }, { $id: 'ReplayReport' })
