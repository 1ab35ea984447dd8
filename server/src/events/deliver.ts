// One delivery from its endpoint's address to the record of what came of it: done, due again, or given up. An endpoint
// that says it is gone, or fails for days, is switched off.
import type { DeliveryQueue, TakenDelivery } from '../storage/delivery-queue.ts'
import type { DisabledReason, WebhookRecord, WebhooksTable } from '../storage/webhooks.ts'
import type { Attempt, AttemptDelivery } from './attempt-delivery.ts'
import { retryDelayMs } from './retry-delay.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

const GIVEN_UP_AFTER_MS = 5 * 86_400_000
/** A change made on another node holds within this long. */
const REMEMBERED_MS = 1000
const MOST_REMEMBERED = 5000

interface Deps {
  webhooks: Pick<WebhooksTable, 'find' | 'mark' | 'disable'>
  queue: Pick<DeliveryQueue, 'record' | 'giveUp'>
  secrets: WebhookSecrets
  attempt: AttemptDelivery
  clock: () => number
  random: () => number
  onAttempt: (succeeded: boolean) => void
  onDisabled: (webhook: WebhookRecord, reason: DisabledReason) => void
}

export function deliverer({ webhooks, queue, secrets, attempt, clock, random, onAttempt, onDisabled }: Deps) {
  const remembered = new Map<string, { webhook: WebhookRecord; secrets: string[]; until: number }>()

  async function endpointOf(botId: string, webhookId: string) {
    const now = clock()
    const known = remembered.get(webhookId)
    if (known && known.until > now && known.until - now <= REMEMBERED_MS) return known
    const webhook = await webhooks.find(botId, webhookId)
    if (!webhook || webhook.disabledAt !== null) return undefined
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    const found = { webhook, secrets: secrets.open(webhook, now), until: now + REMEMBERED_MS }
    remembered.set(webhookId, found)
    return found
  }

  /** The first failure after a success, and the first success after a failure, are worth a note. */
  async function judge(webhook: WebhookRecord, result: Attempt) {
    const now = clock()
    const reason = result.status === 410 ? 'gone' : result.error !== null && tooLong(webhook, now) ? 'failing' : null
    if (reason) {
      await webhooks.disable(webhook.botId, webhook.id, reason, now)
      remembered.delete(webhook.id)
      onDisabled(webhook, reason)
    } else if ((result.error === null) === (webhook.failingSince !== null)) {
      webhook.failingSince = result.error === null ? null : now
      await webhooks.mark(webhook.botId, webhook.id, webhook.failingSince)
    }
  }

  return {
    async deliver({ webhookId }: { webhookId: string }, delivery: TakenDelivery) {
      const endpoint = await endpointOf(delivery.botId, webhookId)
      if (!endpoint) {
        await queue.giveUp(delivery.botId, webhookId, clock())
        return null
      }
      const { askedDelayMs, ...result } = await attempt(delivery, { ...endpoint.webhook, secrets: endpoint.secrets })
      const now = clock()
      const succeeded = result.error === null
      const delay = succeeded ? null : retryDelayMs(delivery.attempts + 1, askedDelayMs, random)
      const state = succeeded ? 'delivered' : delay === null ? 'failed' : 'pending'
      await queue.record(delivery, result, { state, dueAt: now + (delay ?? 0), now })
      onAttempt(succeeded)
      await judge(endpoint.webhook, { ...result, askedDelayMs })
      return { succeeded, durationMs: result.durationMs }
    },

    /** After a change on this node. */
    forget: (webhookId: string) => void remembered.delete(webhookId),
  }
}

function tooLong({ failingSince }: WebhookRecord, now: number): boolean {
  return failingSince !== null && now - failingSince >= GIVEN_UP_AFTER_MS
}
