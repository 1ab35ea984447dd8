// Shared dependencies and lookup of the operations on notification channels.
import { Fault } from '@docent/contract'
import type { FindBot, Manager } from '../../access/managers.ts'
import type { CountWithin } from '../../access/rate-limits.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { NotificationChannelsTable, NotificationItemsTable } from '../../storage/notifications.ts'
import type { WebhooksTable } from '../../storage/webhooks.ts'
import type { SwitchWebhook } from '../switch-webhook.ts'
import type { WebhookSecrets } from '../webhook-secrets.ts'

export interface ChannelDeps {
  channels: NotificationChannelsTable
  items: Pick<NotificationItemsTable, 'count' | 'removeOf'>
  webhooks: Pick<WebhooksTable, 'enable'>
  deliveries: Pick<DeliveriesTable, 'to' | 'write' | 'find'>
  secrets: WebhookSecrets
  switchWebhook: Pick<SwitchWebhook, 'disable' | 'remove'>
  findBot: FindBot
  /** Why a URL may not be called, or null. */
  urlProblem: (url: string) => Promise<string | null>
  countWithin: CountWithin
  canSendMail: boolean
  baseUrl: string
  onChanged: (channelId: string) => void
  onEvents: (botId: string) => void
  clock: () => number
}

export interface ChannelIds {
  botId: string
  channelId: string
}

export async function findChannel(
  { channels, findBot }: Pick<ChannelDeps, 'channels' | 'findBot'>,
  manager: Manager,
  ids: ChannelIds,
) {
  const bot = await findBot(manager, ids.botId)
  const channel = await channels.find(bot.id, ids.channelId)
  if (!channel) throw new Fault('not_found')
  return { bot, channel }
}
