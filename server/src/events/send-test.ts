// A test event, written like every other and so delivered on the same way.
import { timedId } from '../ids.ts'
import { type DeliveriesTable, deliveryId } from '../storage/deliveries.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'

interface Deps {
  deliveries: Pick<DeliveriesTable, 'to' | 'write' | 'find'>
  onEvents: (botId: string) => void
  clock: () => number
}

export type SendTest = ReturnType<typeof testSender>

export function testSender({ deliveries, onEvents, clock }: Deps) {
  return async ({ botId, id: webhookId }: WebhookRecord) => {
    const now = clock()
    const id = timedId('evt', now)
    const payload = JSON.stringify({
      id,
      event_type: 'webhook.test',
      timestamp: new Date(now).toISOString(),
      bot_id: botId,
      session_id: null,
      conversation_id: null,
      data: { message: 'This is a test event. No action is needed.' },
    })
    const event = { botId, id, type: 'webhook.test' as const, payload, createdAt: now, about: null }
    await deliveries.write([deliveries.to(event, webhookId)])
    onEvents(botId)
    return deliveries.find(botId, deliveryId(id, webhookId))
  }
}
