// Webhook delivery, and the routes of keys, webhooks and deliveries.
import type { Logger } from 'pino'
import type { Audit } from '../../access/audit.ts'
import type { ChatKeys } from '../../access/keys.ts'
import type { FindBot } from '../../access/managers.ts'
import { makeRateLimits } from '../../access/rate-limits.ts'
import type { Config } from '../../config.ts'
import { keyRoutes } from '../../http/keys.ts'
import type { Route } from '../../http/server/route.ts'
import { deliveryRoutes, webhookRoutes } from '../../http/webhooks.ts'
import { randomId } from '../../ids.ts'
import type { SendMail } from '../../mail.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { SealedText } from '../../sealed-text.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Span, Trace } from '../../telemetry/tracer.ts'
import { makeAttemptDelivery } from '../../webhooks/attempt-delivery.ts'
import { makeAttemptNotification } from '../../webhooks/attempt-notification.ts'
import { type Deliver, makeArrivalLog, makeDeliver } from '../../webhooks/deliver.ts'
import { makeWakeWorkers, openDeliveryWorker } from '../../webhooks/delivery-worker.ts'
import { makeWebhookSecrets } from '../../webhooks/signing.ts'
import { makeSwitchWebhook } from '../../webhooks/switch-webhook.ts'
import { makeSendTest } from '../../webhooks/webhooks.ts'

const CHANNEL = 'docent_deliveries'
const GRACE_MS = 3000

interface Deps {
  storage: Pick<
    Storage,
    'keys' | 'webhooks' | 'workspaces' | 'deliveries' | 'deliveryQueue' | 'throttles' | 'signal' | 'onSignal'
  >
  outbound: Pick<Outbound, 'post' | 'close' | 'urlProblem'>
  sealed: SealedText
  /** Null: email is not configured. */
  sendMail: SendMail | null
  config: Pick<Config, 'webhookTimeoutMs' | 'databaseUrl' | 'role'>
  logger: Logger
  metrics: Metrics
  trace: Trace
  clock: () => number
  onError: (error: unknown) => void
}

interface Callers {
  findBot: FindBot
  chatKeys: ChatKeys
  audit: Audit
}

export function createDeliveriesPart(deps: Deps) {
  const { storage, outbound, sealed, sendMail, config, logger, metrics, trace, clock, onError } = deps
  const { webhooks, deliveries, deliveryQueue: queue } = storage
  const timeoutMs = config.webhookTimeoutMs
  const secrets = makeWebhookSecrets(sealed)
  const switchWebhook = makeSwitchWebhook({ webhooks, queue, deliveries, clock })
  const arrivals = makeArrivalLog(queue.recordArrivals, onError)
  const { deliver, forget } = makeDeliver({
    webhooks,
    queue,
    arrivals,
    switchWebhook,
    secrets,
    attempt: makeAttemptDelivery({ post: outbound.post, timeoutMs, clock }),
    attemptNotification: makeAttemptNotification({ post: outbound.post, sendMail, timeoutMs, clock }),
    clock,
    random: Math.random,
    onAttempt: (succeeded, durationMs) => {
      metrics.count('docent_webhook_attempts_total', { succeeded })
      metrics.observeSeconds('docent_webhook_attempt_seconds', { succeeded }, durationMs / 1000)
    },
    onDisabled: ({ id, botId }, reason) => logger.warn({ webhook: id, bot: botId, reason }, 'webhook disabled'),
  })
  const alone = config.databaseUrl === null
  const countWithin = makeRateLimits({ throttles: alone ? null : storage.throttles, clock })
  const settle = arrivals.flush
  const worker = openDeliveryWorker({
    queue,
    deliver: tracedDeliver(deliver, trace),
    settle,
    timeoutMs,
    name: randomId('req'),
    alone,
    clock,
    onError,
  })
  const works = config.role !== 'web'
  const forgetWebhook = (webhookId: string) => {
    forget(webhookId)
    worker.endPause(webhookId)
  }
  const onEvents = works ? worker.wake : makeWakeWorkers((botId) => storage.signal(CHANNEL, botId), onError)
  return {
    /** Called when events of a bot were written. */
    onEvents,
    /** For notification channels, which share the queue. */
    queue: { secrets, switchWebhook, urlProblem: outbound.urlProblem, onChanged: forgetWebhook, countWithin, onEvents },
    routes(route: Route, { findBot, chatKeys, audit }: Callers) {
      const { keys, workspaces } = storage
      const common = { webhooks, secrets, switchWebhook, urlProblem: outbound.urlProblem, findBot, audit, clock }
      keyRoutes(route, { ...common, keys, workspaces, chatKeys, onWebhookChanged: forgetWebhook })
      const onChanged = (webhookId: string) => {
        forgetWebhook(webhookId)
        chatKeys.forget()
      }
      const sendTest = makeSendTest({ deliveries, onEvents, clock })
      webhookRoutes(route, { ...common, deliveries, sendTest, onChanged })
      deliveryRoutes(route, { deliveries, webhooks, findBot, countWithin, onEvents, clock })
    },
    async start() {
      if (!works) return
      await worker.start()
      // Wake-ups from nodes that do not deliver themselves.
      if (!alone) await storage.onSignal(CHANNEL, worker.wake)
    },
    /** Closes outbound connections, so stop it after everything that uses them. */
    stop: () => worker.stop(GRACE_MS, outbound.close),
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
