import { Fault } from '@docent/contract'
import type { BotRecord } from '../storage/bots.ts'
import type { DeliveryRecord } from '../storage/deliveries.ts'
import { inBatches } from '../storage/statements.ts'
import { manualSendLimits } from './channels.ts'
import type { WebhooksContext } from './webhooks.ts'

export async function replayDelivery(
  { deliveries, webhooks, countWithin, onEvents, clock }: WebhooksContext,
  bot: Pick<BotRecord, 'id' | 'workspaceId'>,
  { id, webhookId }: DeliveryRecord,
) {
  const webhook = await webhooks.find(bot.id, webhookId)
  if (!webhook) throw new Fault('not_found')
  if (webhook.disabledAt !== null) throw new Fault('webhook_disabled')
  if (webhook.kind !== 'webhook') await countWithin(manualSendLimits(bot, webhook.kind))
  await deliveries.replay(bot.id, id, clock())
  onEvents(bot.id)
}

/** Replays one webhook's failed deliveries, or all; never those of notification channels. Returns how many. */
export async function replayFailedDeliveries(
  { deliveries, onEvents, clock }: WebhooksContext,
  botId: string,
  since: number,
  webhookId: string | undefined,
): Promise<number> {
  const replayedCount = await inBatches((most) => deliveries.replayFailed(botId, since, webhookId, clock(), most))
  if (replayedCount > 0) onEvents(botId)
  return replayedCount
}
