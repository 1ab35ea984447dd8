// Notification channels for leads and handover requests: email and chat tools. Their deliveries have the channel's id as
// `webhook_id`.
import type { Static } from 'typebox'
import { NOTIFICATION_TYPES } from './events.ts'
import { RECIPIENTS_PER_CHANNEL } from './limits.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { EmailAddress, HttpUrl, Id, Name, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'
import { Delivery } from './webhooks.ts'
import { QuietHours, TimeOfDay, Timezone } from './widget-settings.ts'

export const NOTIFICATION_CHANNELS_PER_BOT = 10

const CHANNEL_KINDS = ['slack', 'teams', 'discord', 'generic', 'email'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

const channelSettings = {
  name: Name,
  event_types: Type.Array(OneOf(NOTIFICATION_TYPES), {
    minItems: 1,
    uniqueItems: true,
    description: '`handover.waiting`: a visitor who asked for a person has waited `waiting_minutes`.',
  }),
  waiting_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  timezone: Timezone,
  quiet_hours: QuietHours,
  digest_at: Nullable(
    Type.Unsafe<string>({
      ...TimeOfDay,
      description: 'Sends one message a day at this time, ignoring quiet hours. Null: immediately.',
    }),
  ),
  include_details: Type.Boolean({
    description: 'Whether messages contain contact details and the visitor’s text, or only a link.',
  }),
}

const Recipients = Type.Array(EmailAddress, { minItems: 1, maxItems: RECIPIENTS_PER_CHANNEL, uniqueItems: true })

export const NotificationChannel = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(CHANNEL_KINDS),
    ...channelSettings,
    recipients: Type.Array(Type.String(), { description: 'Email addresses; empty for other kinds.' }),
    url_hint: Nullable(
      Type.String({
        description: 'Only the host and the last four characters: anyone with the whole URL can post to it.',
        examples: ['hooks.slack.example/…x4Rq'],
      }),
    ),
    state: OneOf(['active', 'failing', 'disabled']),
    failing_since: Nullable(Timestamp),
    disabled_reason: Nullable(OneOf(['gone', 'failing', 'manual'])),
    held: Type.Integer({ description: 'Events waiting for the end of quiet hours, for the digest or to be sent.' }),
    last_sent_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'NotificationChannel' },
)
export type NotificationChannel = Static<typeof NotificationChannel>

/** Defaults: all events, ten minutes, UTC, no quiet hours, immediately, with details. */
const optionalSettings = { ...Type.Partial(Type.Object(channelSettings)).properties }

const channelTarget = {
  recipients: Type.Optional(Recipients),
  url: Type.Optional(
    Type.Unsafe<string>({ ...HttpUrl, description: 'The URL of an incoming webhook; not for email.' }),
  ),
}

const CreateNotificationChannel = Type.Object({ kind: OneOf(CHANNEL_KINDS), ...channelTarget, ...optionalSettings })

const PatchNotificationChannel = Type.Object({
  ...channelTarget,
  ...optionalSettings,
  enabled: Type.Optional(Type.Boolean({ description: 'True re-enables a disabled channel.' })),
})

const ofChannel = Params({ botId: Id, channelId: Id })

export const notificationRoutes = {
  'POST /api/manage/v1/bots/{botId}/notification-channels': {
    summary: 'Create a notification channel for leads and handover requests',
    description: 'By email, or through an incoming webhook of Slack, Microsoft Teams, Discord or another tool.',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    audit: 'notification_channel.created',
    params: ofBot,
    body: CreateNotificationChannel,
    status: 201,
    response: NotificationChannel,
    errors: [
      ...MANAGER_ERRORS,
      ...INPUT_ERRORS,
      'bot_not_found',
      'too_many_notification_channels',
      'email_not_configured',
    ],
  },
  'GET /api/manage/v1/bots/{botId}/notification-channels': {
    summary: 'List the notification channels',
    tag: 'Notifications',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(NotificationChannel),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/notification-channels/{channelId}': {
    summary: 'Read a notification channel and its state',
    tag: 'Notifications',
    caller: 'management',
    role: 'viewer',
    params: ofChannel,
    status: 200,
    response: NotificationChannel,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}': {
    summary: 'Change, disable or enable a notification channel',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    audit: 'notification_channel.changed',
    params: ofChannel,
    body: PatchNotificationChannel,
    status: 200,
    response: NotificationChannel,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/notification-channels/{channelId}': {
    summary: 'Delete a notification channel with its queue and log',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    audit: 'notification_channel.deleted',
    params: ofChannel,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/notification-channels/{channelId}/test': {
    summary: 'Send a test message immediately, even in quiet hours',
    description: 'At most ten an hour per bot. Read the delivery for the result.',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    params: ofChannel,
    status: 201,
    response: Delivery,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found', 'notification_channel_disabled', 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
