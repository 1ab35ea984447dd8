// Notification channels for leads and handover requests: email and chat tools.
import { type Static, Type } from 'typebox'
import { EmailAddress, HttpUrl, Name, Nullable, OneOf, Timestamp } from '../schema.ts'
import { QuietHours, TimeOfDay, Timezone } from './widget-settings.ts'

export const NOTIFICATION_CHANNELS_PER_BOT = 10

export const channelKinds = ['slack', 'teams', 'discord', 'generic', 'email'] as const
export type ChannelKind = (typeof channelKinds)[number]

export const notificationTypes = ['lead.created', 'handover.requested', 'handover.waiting'] as const
export type NotificationType = (typeof notificationTypes)[number]

const settings = {
  name: Name,
  event_types: Type.Array(OneOf(notificationTypes), {
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

const Recipients = Type.Array(EmailAddress, { minItems: 1, maxItems: 10, uniqueItems: true })

export const NotificationChannel = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(channelKinds),
    ...settings,
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
const given = { ...Type.Partial(Type.Object(settings)).properties }

const target = {
  recipients: Type.Optional(Recipients),
  url: Type.Optional(
    Type.Unsafe<string>({ ...HttpUrl, description: 'The URL of an incoming webhook; not for email.' }),
  ),
}

export const CreateNotificationChannel = Type.Object({ kind: OneOf(channelKinds), ...target, ...given })

export const PatchNotificationChannel = Type.Object({
  ...target,
  ...given,
  enabled: Type.Optional(Type.Boolean({ description: 'True re-enables a disabled channel.' })),
})
