// Opens the module: the queue of deliveries with its worker, and what the verbs on webhooks and channels work with.
import type { Access } from '../access/open-access.ts'
import type { Context } from '../context.ts'
import { randomId } from '../ids.ts'
import { repeatEverySecond } from '../lifecycle.ts'
import type { Span, Trace } from '../telemetry/tracing.ts'
import { type Deliver, makeArrivalLog, makeDeliver } from './deliver.ts'
import { makeWakeWorkers, type OnEvents, openDeliveryWorker } from './delivery-worker.ts'
import { makeGatherNotifications } from './gather-notifications.ts'
import { makeWebhookSecrets } from './signing.ts'
import { makeSwitchWebhook } from './switch-webhook.ts'
import type { WebhooksContext } from './webhooks.ts'

const CHANNEL = 'docent_deliveries'
const GRACE_MS = 3000

type Neighbours = Pick<Access, 'findBot' | 'chatKeys' | 'audit' | 'countWithin'>

/** The receiver of every verb on webhooks, deliveries and notification channels. */
export interface Webhooks extends WebhooksContext {
  start(): Promise<void>
  /** Closes outbound connections, so stop it after everything that uses them. */
  stop(): Promise<void>
}

export function openWebhooks(context: Context, { findBot, chatKeys, audit, countWithin }: Neighbours): Webhooks {
  const { storage, outbound, sealed, sendMail, config, trace, clock, onError } = context
  const { bots, webhooks, deliveries, deliveryQueue: queue, transaction } = storage
  const { notificationChannels: channels, notificationItems: items } = storage
  const { baseUrl, webhookTimeoutMs: timeoutMs } = config
  const alone = config.databaseUrl === null
  const works = config.role !== 'web'

  const secrets = makeWebhookSecrets(sealed)
  const switchWebhook = makeSwitchWebhook(context)
  const arrivals = makeArrivalLog(queue.recordArrivals, onError)
  const { deliver, forget } = makeDeliver(context, { arrivals, switchWebhook, secrets })
  const worker = openDeliveryWorker({
    queue,
    deliver: tracedDeliver(deliver, trace),
    settle: arrivals.flush,
    timeoutMs,
    name: randomId('req'),
    alone,
    clock,
    onError,
  })
  const onEvents: OnEvents = works ? worker.wake : makeWakeWorkers((botId) => storage.signal(CHANNEL, botId), onError)
  const gatherNotifications = makeGatherNotifications({
    items,
    channels,
    deliveries,
    transaction,
    countWithin,
    onEvents,
    baseUrl,
    clock,
    onError,
    findBot: bots.findById,
  })
  const gathering = repeatEverySecond(gatherNotifications, onError)

  return {
    webhooks,
    deliveries,
    channels,
    items,
    secrets,
    switchWebhook,
    findBot,
    countWithin,
    urlProblem: outbound.urlProblem,
    canSendMail: sendMail !== null,
    baseUrl,
    audit,
    clock,
    onEvents,
    onChanged(webhookId) {
      forget(webhookId)
      worker.endPause(webhookId)
      // A key is cached together with the webhook that mirrors its calls.
      chatKeys.forget()
    },

    async start() {
      if (!works) return
      await worker.start()
      // Wake-ups from nodes that do not deliver themselves.
      if (!alone) await storage.onSignal(CHANNEL, worker.wake)
      gathering.start()
    },

    async stop() {
      await gathering.stop()
      await worker.stop(GRACE_MS, outbound.close)
    },
  }
}

function tracedDeliver(deliver: Deliver, trace: Trace): Deliver {
  return (endpoint, delivery) => {
    const { botId, eventId, attempts } = delivery
    const attributes = {
      'docent.bot_id': botId,
      'docent.webhook_id': endpoint.webhookId,
      'docent.event_id': eventId,
      'docent.attempt': attempts + 1,
    }
    const attempt = async (span: Span) => {
      const outcome = await deliver(endpoint, delivery)
      if (outcome && !outcome.succeeded) span.fail('not delivered')
      return outcome
    }
    return trace('deliver webhook', attributes, attempt, 'client')
  }
}
