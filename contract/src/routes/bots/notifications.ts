// Notification channels. Their deliveries have the channel's id as `webhook_id`.
import { CreateNotificationChannel, NotificationChannel, PatchNotificationChannel } from '../../bots/notifications.ts'
import { Delivery } from '../../bots/webhooks.ts'
import type { RouteSpec } from '../../route.ts'
import { Page, PageQuery } from '../../schema.ts'
import { input, manage, ofBot, ofChannel } from '../parts.ts'

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
    answer: NotificationChannel,
    errors: [...manage, ...input, 'bot_not_found', 'too_many_notification_channels', 'email_not_configured'],
  },
  'GET /api/manage/v1/bots/{botId}/notification-channels': {
    summary: 'List the notification channels',
    tag: 'Notifications',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    answer: Page(NotificationChannel),
    errors: [...manage, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/notification-channels/{channelId}': {
    summary: 'Read a notification channel and its state',
    tag: 'Notifications',
    caller: 'management',
    role: 'viewer',
    params: ofChannel,
    status: 200,
    answer: NotificationChannel,
    errors: [...manage, 'bot_not_found', 'not_found'],
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
    answer: NotificationChannel,
    errors: [...manage, ...input, 'bot_not_found', 'not_found'],
  },
  'DELETE /api/manage/v1/bots/{botId}/notification-channels/{channelId}': {
    summary: 'Delete a notification channel with its queue and log',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    audit: 'notification_channel.deleted',
    params: ofChannel,
    status: 204,
    errors: [...manage, 'bot_not_found', 'not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/notification-channels/{channelId}/test': {
    summary: 'Send a test message immediately, even in quiet hours',
    description: 'At most ten an hour per bot. Read the delivery for the result.',
    tag: 'Notifications',
    caller: 'management',
    role: 'editor',
    params: ofChannel,
    status: 201,
    answer: Delivery,
    errors: [...manage, 'bot_not_found', 'not_found', 'notification_channel_disabled', 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
