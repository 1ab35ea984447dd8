import type { NotificationChannel } from '@docent/contract'
import { changeTitle } from '../access/audit.ts'
import type { ChannelRecord } from '../storage/notifications.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import {
  createChannel,
  deleteChannel,
  findChannel,
  sendTestNotification,
  shownTarget,
  updateChannel,
} from '../webhooks/channels.ts'
import type { Webhooks } from '../webhooks/open-webhooks.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'
import { toDelivery } from './webhooks.ts'

export function notificationRoutes(route: Route, deps: Webhooks) {
  const { channels, items, secrets, findBot, clock } = deps

  async function shape(channel: ChannelRecord): Promise<NotificationChannel> {
    const { botId, id, target } = channel
    return toChannel(channel, secrets.openTarget(id, target), await items.count(botId, id, clock()))
  }

  route('POST /api/manage/v1/bots/{botId}/notification-channels', async ({ caller, params, body, setAuditTarget }) => {
    const channel = await createChannel(deps, caller, params.botId, body)
    setAuditTarget(titleOf(channel))
    return shape(channel)
  })

  route('GET /api/manage/v1/bots/{botId}/notification-channels', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => channels.list(bot.id, after, limit), shape)
  })

  route('GET /api/manage/v1/bots/{botId}/notification-channels/{channelId}', async ({ caller, params }) =>
    shape((await findChannel(deps, caller, params)).channel),
  )

  route(
    'PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}',
    async ({ caller, params, body, setAuditTarget }) => {
      const { channel: before } = await findChannel(deps, caller, params)
      const channel = await updateChannel(deps, caller, params, body)
      setAuditTarget(changeTitle(titleOf(channel), settingsOf(before), settingsOf(channel)))
      return shape(channel)
    },
  )

  route(
    'DELETE /api/manage/v1/bots/{botId}/notification-channels/{channelId}',
    async ({ caller, params, setAuditTarget }) => {
      setAuditTarget(titleOf(await deleteChannel(deps, caller, params)))
      return undefined
    },
  )

  route('POST /api/manage/v1/bots/{botId}/notification-channels/{channelId}/test', async ({ caller, params }) =>
    toDelivery(await sendTestNotification(deps, caller, params)),
  )

  function settingsOf({ id, kind, target, eventTypes, waitingMinutes, settings, disabledAt }: ChannelRecord) {
    const { name, timezone, quietHours, digestAt, includeDetails } = settings
    return {
      name,
      enabled: disabledAt === null,
      [kind === 'email' ? 'recipients' : 'url']: secrets.openTarget(id, target),
      event_types: eventTypes,
      waiting_minutes: waitingMinutes,
      digest_at: digestAt,
      quiet_hours: quietHours,
      timezone,
      include_details: includeDetails,
    }
  }
}

function titleOf({ id, settings }: ChannelRecord): string {
  return `${settings.name} (${id})`
}

function toChannel(channel: ChannelRecord, target: string | undefined, heldCount: number): NotificationChannel {
  const { settings } = channel
  return {
    id: channel.id,
    kind: channel.kind,
    name: settings.name,
    event_types: channel.eventTypes,
    waiting_minutes: channel.waitingMinutes,
    timezone: settings.timezone,
    quiet_hours: settings.quietHours,
    digest_at: settings.digestAt,
    include_details: settings.includeDetails,
    ...shownTarget(channel.kind, target),
    state: channel.disabledAt !== null ? 'disabled' : channel.failingSince !== null ? 'failing' : 'active',
    failing_since: timestampOrNull(channel.failingSince),
    disabled_reason: channel.disabledReason,
    held: heldCount,
    last_sent_at: timestampOrNull(channel.notifiedAt),
    created_at: timestamp(channel.createdAt),
  }
}
