import { Fault } from '@docent/contract'
import { inBatches } from '../../storage/in-batches.ts'
import type { DeliveriesTable } from '../../storage/webhooks/deliveries.ts'
import type { DeliveryRecord } from '../../storage/webhooks/delivery-rows.ts'
import type { WebhooksTable } from '../../storage/webhooks/webhooks.ts'

export interface ReplayDeps {
  deliveries: DeliveriesTable
  webhooks: Pick<WebhooksTable, 'find'>
  onEvents: (botId: string) => void
  clock: () => number
}

export async function replayDelivery(
  { deliveries, webhooks, onEvents, clock }: ReplayDeps,
  { botId, id, webhookId }: DeliveryRecord,
) {
  const webhook = await webhooks.find(botId, webhookId)
  if (!webhook) throw new Fault('not_found')
  if (webhook.disabledAt !== null) throw new Fault('webhook_disabled')
  await deliveries.replay(botId, id, clock())
  onEvents(botId)
}

/** Of one webhook, or of all. Returns how many. */
export async function replayFailedDeliveries(
  { deliveries, onEvents, clock }: ReplayDeps,
  botId: string,
  since: number,
  webhookId: string | undefined,
): Promise<number> {
  const replayed = await inBatches((most) => deliveries.replayFailed(botId, since, webhookId, clock(), most))
  if (replayed > 0) onEvents(botId)
  return replayed
}
