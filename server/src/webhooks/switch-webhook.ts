// Disables or removes endpoints: first the endpoint, then its queue, in batches. A call answered meanwhile may still
// queue a delivery; the worker withdraws it.

import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { inBatches } from '../storage/statements.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'

/** Of continuous failure. */
export const DISABLE_AFTER_MS = 5 * DAY_MS

export type SwitchWebhook = ReturnType<typeof makeSwitchWebhook>

export function makeSwitchWebhook({ storage, clock }: Context) {
  const { webhooks, deliveries, deliveryQueue: queue } = storage
  const giveUp = (botId: string, id: string) => inBatches((most) => queue.giveUp(botId, id, clock(), most))
  const removeLog = (botId: string, id: string) => inBatches((most) => deliveries.removeOf(botId, id, most))

  return {
    /** Clears an endpoint's queue: deliveries fail if it is disabled and are deleted if it is removed. */
    async withdraw(botId: string, id: string) {
      const webhook = await webhooks.find(botId, id)
      await (webhook ? giveUp(botId, id) : removeLog(botId, id))
    },

    async disable({ botId, id }: Pick<WebhookRecord, 'botId' | 'id'>) {
      await webhooks.disable(botId, id, 'manual', clock())
      await giveUp(botId, id)
    },

    /** Returns false if meanwhile its address changed or a delivery succeeded. */
    async disableFor(webhook: WebhookRecord, reason: 'gone' | 'failing') {
      const now = clock()
      const isOff = await webhooks.disableFor(webhook, reason, now, now - DISABLE_AFTER_MS)
      if (isOff) await giveUp(webhook.botId, webhook.id)
      return isOff
    },

    async remove({ botId, id }: Pick<WebhookRecord, 'botId' | 'id'>) {
      await webhooks.remove(botId, id)
      await removeLog(botId, id)
    },
  }
}
