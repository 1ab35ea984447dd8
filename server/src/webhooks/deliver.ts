// One delivery, from looking up its endpoint to recording the outcome: delivered, retried later, or failed. An endpoint
// that reports it is gone, or fails for days, is disabled.
import { LISTENER_URL } from '@docent/contract'
import { makeTtlCache } from '../caching.ts'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import type { Arrival, LeasedDelivery } from '../storage/delivery-queue.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'
import { type Attempt, makeAttemptDelivery, makeAttemptNotification } from './attempt-delivery.ts'
import { signingKey, type WebhookSecrets } from './signing.ts'
import { DISABLE_AFTER_MS, type SwitchWebhook } from './switch-webhook.ts'

/** Longer than the longest retry delay: a failure after that starts a new streak. */
const STREAK_ENDS_AFTER_MS = 2 * DAY_MS
const FAILURE_RECORDED_EVERY_MS = DAY_MS / 24
/** How soon a change made on another node takes effect. */
const CACHE_MS = 1000
const CACHE_ENTRIES = 5000

interface Neighbours {
  arrivals: Pick<ArrivalLog, 'add'>
  switchWebhook: Pick<SwitchWebhook, 'withdraw' | 'disableFor'>
  secrets: WebhookSecrets
}

export interface Outcome {
  succeeded: boolean
  durationMs: number
  /** Pause requested with Retry-After. */
  pauseMs: number
}

/** Null if the endpoint was removed or disabled. */
export type Deliver = (endpoint: { webhookId: string }, delivery: LeasedDelivery) => Promise<Outcome | null>

export function makeDeliver(context: Context, { arrivals, switchWebhook, secrets }: Neighbours) {
  const { storage, logger, metrics, clock } = context
  const { webhooks, deliveryQueue: queue } = storage
  const attemptDelivery = makeAttemptDelivery(context)
  const attemptNotification = makeAttemptNotification(context)
  const endpoints = makeTtlCache<{ webhook: WebhookRecord; attempt: (delivery: LeasedDelivery) => Promise<Attempt> }>({
    ttlMs: CACHE_MS,
    maxEntries: CACHE_ENTRIES,
    clock,
  })

  async function load(botId: string, webhookId: string) {
    const webhook = await webhooks.find(botId, webhookId)
    if (!webhook || webhook.disabledAt !== null) return undefined
    const { kind, url } = webhook
    if (url === LISTENER_URL) return { webhook, attempt: logOnly }
    if (kind === 'webhook') {
      const target = { url, keys: secrets.open(webhook, clock()).map(signingKey) }
      return { webhook, attempt: (delivery: LeasedDelivery) => attemptDelivery(delivery, target) }
    }
    const address = secrets.openTarget(webhookId, webhook.secret)
    return {
      webhook,
      attempt: async (delivery: LeasedDelivery) => {
        if (!address) throw new Error('the channel target cannot be decrypted with this SECRET_KEY')
        return attemptNotification(delivery, { kind, address })
      },
    }
  }

  async function logOnly(): Promise<Attempt> {
    return { record: { at: clock(), durationMs: 0, status: null, error: null, answer: '' }, askedDelayMs: null }
  }

  async function noteSuccess(webhook: WebhookRecord) {
    webhook.failingSince = null
    webhook.failedAt = null
    await webhooks.recordSuccess(webhook.botId, webhook.id)
  }

  async function noteFailure(webhook: WebhookRecord, isGone: boolean, now: number) {
    const { botId, id, failedAt } = webhook
    if (failedAt === null || now - failedAt >= FAILURE_RECORDED_EVERY_MS) {
      webhook.failedAt = now
      if (failedAt === null || now - failedAt > STREAK_ENDS_AFTER_MS) webhook.failingSince = now
      await webhooks.recordFailure(botId, id, now, now - STREAK_ENDS_AFTER_MS)
    }
    const tooLong = now - (webhook.failingSince ?? now) >= DISABLE_AFTER_MS
    if (!isGone && !tooLong) return
    const reason = isGone ? 'gone' : 'failing'
    if (await switchWebhook.disableFor(webhook, reason))
      logger.warn({ webhook: webhook.id, bot: webhook.botId, reason }, 'webhook disabled')
    endpoints.delete(id)
  }

  return {
    async deliver({ webhookId }: { webhookId: string }, delivery: LeasedDelivery): Promise<Outcome | null> {
      const endpoint = await endpoints.read(webhookId, () => load(delivery.botId, webhookId))
      if (!endpoint) {
        await switchWebhook.withdraw(delivery.botId, webhookId)
        return null
      }
      const { record, askedDelayMs } = await endpoint.attempt(delivery)
      const now = clock()
      const { webhook } = endpoint
      const succeeded = record.error === null
      metrics.count('docent_webhook_attempts_total', { succeeded })
      metrics.observeSeconds('docent_webhook_attempt_seconds', { succeeded }, record.durationMs / 1000)
      if (succeeded) {
        arrivals.add({ botId: delivery.botId, id: delivery.id, attempt: record, now })
        if (webhook.failingSince !== null) await noteSuccess(webhook)
        return { succeeded, durationMs: record.durationMs, pauseMs: 0 }
      }
      const delay = retryDelayMs(delivery.attempts + 1, askedDelayMs, Math.random)
      const state = delay === null ? 'failed' : 'pending'
      await queue.recordFailure(delivery, record, { state, dueAt: now + (delay ?? 0), now })
      await noteFailure(webhook, record.status === 410, now)
      return { succeeded, durationMs: record.durationMs, pauseMs: askedDelayMs ?? 0 }
    },

    /** Call after a change on this node. */
    forget: endpoints.delete,
  }
}

// Records successful deliveries in batches: committing each would cost more than sending it. After a crash, unrecorded
// ones are sent again under the same ids.

const GATHERED_MS = 100
// Larger batches measured no faster, and would live long enough to leave the young generation.
const MAX_AT_ONCE = 16

type ArrivalLog = ReturnType<typeof makeArrivalLog>

/** Deliveries that cannot be recorded are reported to `onError` and delivered again. */
export function makeArrivalLog(record: (arrivals: Arrival[]) => Promise<void>, onError: (error: unknown) => void) {
  const writing = new Set<Promise<void>>()
  let arrivals: Arrival[] = []
  let timer: NodeJS.Timeout | undefined

  function write() {
    clearTimeout(timer)
    timer = undefined
    if (arrivals.length === 0) return
    const pendingWrite = record(arrivals)
      .catch(onError)
      .finally(() => writing.delete(pendingWrite))
    writing.add(pendingWrite)
    arrivals = []
  }

  return {
    add(arrival: Arrival) {
      arrivals.push(arrival)
      if (arrivals.length === MAX_AT_ONCE) write()
      else timer ??= setTimeout(write, GATHERED_MS)
    },

    /** Resolves when everything added is recorded or reported to `onError`. */
    async flush() {
      write()
      await Promise.all(writing)
    },
  }
}

// When a failed delivery is retried.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Plus or minus 20 %, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
const LONGEST_ASKED_MS = 24 * HOUR

/** Longest delay by number of attempts, starting at 0, unless the endpoint asked for more. */
export const LONGEST_DELAYS_MS = [0, ...RETRY_DELAYS_MS.map((delay) => delay * (1 + JITTER))]

/** Null after the last attempt. An endpoint may ask for a longer delay, not a shorter one. */
export function retryDelayMs(attempts: number, askedMs: number | null, random: () => number): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined) return null
  const spread = Math.round(delay * (1 + JITTER * (2 * random() - 1)))
  return Math.max(spread, Math.min(askedMs ?? 0, LONGEST_ASKED_MS))
}
