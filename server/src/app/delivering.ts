// Wires what delivers webhooks.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { deliveryAttempter } from '../events/attempt-delivery.ts'
import { deliverer } from '../events/deliver.ts'
import { deliveryWorker } from '../events/delivery-worker.ts'
import { arrivalRecorder } from '../events/record-arrivals.ts'
import { webhookSwitch } from '../events/switch-webhook.ts'
import { workerWaker } from '../events/wake-workers.ts'
import { webhookSecrets } from '../events/webhook-secrets.ts'
import { randomId } from '../ids.ts'
import type { Metrics } from '../metrics.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SealedText } from '../sealed-text.ts'
import type { Storage } from '../storage/storage.ts'

const CHANNEL = 'docent_deliveries'
const GRACE_MS = 3000

interface Parts {
  storage: Pick<Storage, 'webhooks' | 'deliveries' | 'deliveryQueue' | 'signal' | 'onSignal'>
  outbound: Pick<Outbound, 'post' | 'close'>
  sealed: SealedText
  config: Pick<Config, 'webhookTimeoutMs' | 'databaseUrl' | 'role'>
  logger: Logger
  metrics: Metrics
  clock: () => number
  onError: (error: unknown) => void
}

export function wireDelivering({ storage, outbound, sealed, config, logger, metrics, clock, onError }: Parts) {
  const { webhooks, deliveryQueue: queue } = storage
  const timeoutMs = config.webhookTimeoutMs
  const secrets = webhookSecrets(sealed)
  const switchWebhook = webhookSwitch({ webhooks, queue, deliveries: storage.deliveries, clock })
  const { deliver, forget } = deliverer({
    webhooks,
    queue,
    recordArrival: arrivalRecorder(queue.recordArrivals),
    switchWebhook,
    secrets,
    attempt: deliveryAttempter({ post: outbound.post, timeoutMs, clock }),
    clock,
    random: Math.random,
    onAttempt: (succeeded) => metrics.count('docent_webhook_attempts_total', `succeeded="${succeeded}"`),
    onDisabled: ({ id, botId }, reason) => logger.warn({ webhook: id, bot: botId, reason }, 'webhook disabled'),
  })
  const alone = config.databaseUrl === null
  const worker = deliveryWorker({ queue, deliver, timeoutMs, name: randomId('req'), alone, clock, onError })
  const works = config.role !== 'web'
  return {
    secrets,
    switchWebhook,
    forgetWebhook: forget,
    keepPlace: worker.keepPlace,
    /** Something was written for endpoints of a bot. */
    onEvents: works ? worker.wake : workerWaker((botId) => storage.signal(CHANNEL, botId), onError),
    async start() {
      if (!works) return
      await worker.start()
      // From nodes that do not deliver themselves.
      if (!alone) await storage.onSignal(CHANNEL, worker.wake)
    },
    stop: () => worker.stop(GRACE_MS, outbound.close),
  }
}
