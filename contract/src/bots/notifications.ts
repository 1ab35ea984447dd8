// Where a bot's team hears of leads and of visitors who want a person: email and chat tools.
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
    description: '`handover.waiting`: a visitor asked for a person and was not answered for `waiting_minutes`.',
  }),
  waiting_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  timezone: Timezone,
  quiet_hours: QuietHours,
  digest_at: Nullable(
    Type.Unsafe<string>({
      ...TimeOfDay,
      description: 'Everything of a day in one message at this time; quiet hours do not count then. Null: at once.',
    }),
  ),
  include_details: Type.Boolean({
    description: 'Whether messages have contact details and what the visitor wrote, or only a link to them.',
  }),
}

const Recipients = Type.Array(EmailAddress, { minItems: 1, maxItems: 10, uniqueItems: true })

export const NotificationChannel = Type.Object(
  {
    id: Type.String(),
    kind: OneOf(channelKinds),
    ...settings,
    recipients: Type.Array(Type.String(), { description: 'Of email; empty otherwise.' }),
    url_hint: Nullable(
      Type.String({
        description: 'The host and the last four characters: whoever knows the whole URL can post to it.',
        examples: ['hooks.slack.example/…x4Rq'],
      }),
    ),
    state: OneOf(['active', 'failing', 'disabled']),
    failing_since: Nullable(Timestamp),
    disabled_reason: Nullable(OneOf(['gone', 'failing', 'manual'])),
    held: Type.Integer({ description: 'Events that wait for the end of quiet hours, for the digest or to be sent.' }),
    last_sent_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'NotificationChannel' },
)
export type NotificationChannel = Static<typeof NotificationChannel>

/** What is left out: all events, ten minutes, UTC, no quiet hours, at once, with details. */
const given = { ...Type.Partial(Type.Object(settings)).properties }

const target = {
  recipients: Type.Optional(Recipients),
  url: Type.Optional(Type.Unsafe<string>({ ...HttpUrl, description: 'The URL of an incoming webhook; not of email.' })),
}

export const CreateNotificationChannel = Type.Object({ kind: OneOf(channelKinds), ...target, ...given })

export const PatchNotificationChannel = Type.Object({
  ...target,
  ...given,
  enabled: Type.Optional(Type.Boolean({ description: 'True takes a disabled channel up again.' })),
})
