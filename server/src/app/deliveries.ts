// Wires what delivers webhooks, and the routes that say where to.
import type { Logger } from 'pino'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/chat-keys.ts'
import type { FindBot } from '../access/managers.ts'
import type { Config } from '../config.ts'
import { deliveryAttempter } from '../events/deliveries/attempt-delivery.ts'
import { deliverer } from '../events/deliveries/deliver.ts'
import { deliveryWorker } from '../events/deliveries/delivery-worker.ts'
import { arrivalRecorder } from '../events/deliveries/record-arrivals.ts'
import { workerWaker } from '../events/deliveries/wake-workers.ts'
import { testSender } from '../events/webhooks/send-test.ts'
import { webhookSwitch } from '../events/webhooks/switch-webhook.ts'
import { webhookSecrets } from '../events/webhooks/webhook-secrets.ts'
import type { Route } from '../http/route.ts'
import { deliveryRoutes } from '../http/routes/bots/deliveries.ts'
import { keyRoutes } from '../http/routes/bots/keys.ts'
import { webhookRoutes } from '../http/routes/bots/webhooks.ts'
import { randomId } from '../ids.ts'
import type { Metrics } from '../metrics.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SealedText } from '../sealed-text.ts'
import type { Storage } from '../storage/storage.ts'

const CHANNEL = 'docent_deliveries'
const GRACE_MS = 3000

interface Parts {
  storage: Pick<Storage, 'keys' | 'webhooks' | 'workspaces' | 'deliveries' | 'deliveryQueue' | 'signal' | 'onSignal'>
  outbound: Pick<Outbound, 'post' | 'close' | 'urlProblem'>
  sealed: SealedText
  config: Pick<Config, 'webhookTimeoutMs' | 'databaseUrl' | 'role'>
  logger: Logger
  metrics: Metrics
  clock: () => number
  onError: (error: unknown) => void
}

interface Callers {
  findBot: FindBot
  chatKeys: ChatKeys
  audit: Audit
}

export function wireDelivering({ storage, outbound, sealed, config, logger, metrics, clock, onError }: Parts) {
  const { webhooks, deliveries, deliveryQueue: queue } = storage
  const timeoutMs = config.webhookTimeoutMs
  const secrets = webhookSecrets(sealed)
  const switchWebhook = webhookSwitch({ webhooks, queue, deliveries, clock })
  const arrivals = arrivalRecorder(queue.recordArrivals, onError)
  const { deliver, forget } = deliverer({
    webhooks,
    queue,
    arrivals,
    switchWebhook,
    secrets,
    attempt: deliveryAttempter({ post: outbound.post, timeoutMs, clock }),
    clock,
    random: Math.random,
    onAttempt: (succeeded) => metrics.count('docent_webhook_attempts_total', `succeeded="${succeeded}"`),
    onDisabled: ({ id, botId }, reason) => logger.warn({ webhook: id, bot: botId, reason }, 'webhook disabled'),
  })
  const alone = config.databaseUrl === null
  const settle = arrivals.flush
  const worker = deliveryWorker({ queue, deliver, settle, timeoutMs, name: randomId('req'), alone, clock, onError })
  const works = config.role !== 'web'
  const forgetWebhook = (webhookId: string) => {
    forget(webhookId)
    worker.endRest(webhookId)
  }
  const onEvents = works ? worker.wake : workerWaker((botId) => storage.signal(CHANNEL, botId), onError)
  return {
    keepPlace: worker.keepPlace,
    /** Something was written for endpoints of a bot. */
    onEvents,
    routes(route: Route, { findBot, chatKeys, audit }: Callers) {
      const { keys, workspaces } = storage
      const common = { webhooks, secrets, switchWebhook, urlProblem: outbound.urlProblem, findBot, audit, clock }
      keyRoutes(route, { ...common, keys, workspaces, chatKeys, onWebhookChanged: forgetWebhook })
      const onChanged = (webhookId: string) => {
        forgetWebhook(webhookId)
        chatKeys.forget()
      }
      const sendTest = testSender({ deliveries, onEvents, clock })
      webhookRoutes(route, { ...common, deliveries, sendTest, onChanged })
      deliveryRoutes(route, { deliveries, webhooks, findBot, onEvents, clock })
    },
    async start() {
      if (!works) return
      await worker.start()
      // From nodes that do not deliver themselves.
      if (!alone) await storage.onSignal(CHANNEL, worker.wake)
    },
    stop: () => worker.stop(GRACE_MS, outbound.close),
  }
}
