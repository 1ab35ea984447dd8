import { type Delivery, type DeliveryAttempt, Fault, INTEGRATION_EVENT_TYPES, type Webhook } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import type { AttemptRecord, DeliveryDetails, DeliveryRecord } from '../storage/deliveries.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { sentHeaders } from '../webhooks/attempt-delivery.ts'
import { replayDelivery, replayFailedDeliveries } from '../webhooks/deliveries.ts'
import type { Webhooks } from '../webhooks/open-webhooks.ts'
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
} from '../webhooks/webhooks.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

const MAX_COUNTED = 10_000

export function webhookRoutes(route: Route, deps: Webhooks) {
  const shape = async (webhook: WebhookRecord): Promise<Webhook> =>
    toWebhook(webhook, await deps.deliveries.countPending(webhook.id, MAX_COUNTED), deps.clock())

  route('POST /api/manage/v1/bots/{botId}/webhooks', async ({ params, body, ...call }) => {
    const { record, secret } = await createWebhook(deps, call, params.botId, body)
    return { ...(await shape(record)), secret }
  })

  route('GET /api/manage/v1/bots/{botId}/webhooks', async ({ caller, params, query }) => {
    const bot = await deps.findBot(caller, params.botId)
    return page(query, (after, limit) => deps.webhooks.list(bot.id, after, limit), shape)
  })

  route('GET /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ caller, params }) =>
    shape((await findWebhook(deps, caller, params)).webhook),
  )

  route('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ params, body, ...call }) =>
    shape(await updateWebhook(deps, call, params, body)),
  )

  route('DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ params, ...call }) => {
    await deleteWebhook(deps, call, params)
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test', async ({ caller, params }) => {
    const { webhook } = await findWebhook(deps, caller, params)
    return toDelivery(await sendTestEvent(deps, webhook))
  })

  route('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/rotate-secret', async ({ params, ...call }) => {
    const { secret, previousUntil } = await rotateWebhookSecret(deps, call, params)
    return { secret, previous_secret_until: timestamp(previousUntil) }
  })
}

function toWebhook(webhook: WebhookRecord, pending: number, now: number): Webhook {
  const { previousUntil } = webhook
  return {
    id: webhook.id,
    kind: webhook.keyId === null ? 'integration' : 'mirror',
    key_id: webhook.keyId,
    url: webhook.url,
    event_types: webhook.keyId === null ? (webhook.eventTypes ?? [...INTEGRATION_EVENT_TYPES]) : ['chat.mirrored'],
    state: webhook.disabledAt !== null ? 'disabled' : webhook.failingSince !== null ? 'failing' : 'active',
    failing_since: timestampOrNull(webhook.failingSince),
    disabled_at: timestampOrNull(webhook.disabledAt),
    disabled_reason: webhook.disabledReason,
    pending,
    previous_secret_until: previousUntil !== null && previousUntil > now ? timestamp(previousUntil) : null,
    created_at: timestamp(webhook.createdAt),
  }
}

const SHOWN_ATTEMPTS = 20

export function deliveryRoutes(route: Route, deps: Webhooks) {
  const { deliveries, findBot } = deps

  async function deliveryOf(manager: Manager, params: { botId: string; deliveryId: string }) {
    const bot = await findBot(manager, params.botId)
    const delivery = await deliveries.find(bot.id, params.deliveryId)
    if (!delivery) throw new Fault('not_found')
    return { bot, delivery }
  }

  const detailsOf = async (records: DeliveryRecord[]) =>
    records[0]
      ? deliveries.describe(
          records[0].botId,
          records.map(({ id }) => id),
        )
      : new Map<string, DeliveryDetails>()

  const describe = async (delivery: DeliveryRecord) =>
    toDelivery(delivery, (await detailsOf([delivery])).get(delivery.id))

  route('GET /api/manage/v1/bots/{botId}/deliveries', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    const filter = { webhookId: query.webhook_id, state: query.state, eventType: query.event_type }
    const isDown = query.sort !== 'created_at'
    const deliveryPage = await page(
      query,
      (after, limit) => deliveries.list(bot.id, filter, { text: query.q?.trim(), after, isDown, limit }),
      (delivery) => delivery,
    )
    const details = await detailsOf(deliveryPage.items)
    return { ...deliveryPage, items: deliveryPage.items.map((each) => toDelivery(each, details.get(each.id))) }
  })

  route('GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}', async ({ caller, params }) => {
    const { delivery } = await deliveryOf(caller, params)
    return {
      ...(await describe(delivery)),
      body: delivery.payload,
      log: delivery.log.slice(-SHOWN_ATTEMPTS).map((attempt) => toAttempt(attempt, delivery)),
    }
  })

  route('POST /api/manage/v1/bots/{botId}/deliveries/{deliveryId}/replay', async ({ caller, params }) => {
    const { bot, delivery } = await deliveryOf(caller, params)
    await replayDelivery(deps, bot, delivery)
    return describe((await deliveryOf(caller, params)).delivery)
  })

  route('POST /api/manage/v1/bots/{botId}/deliveries/replay', async ({ caller, params, body }) => {
    const bot = await findBot(caller, params.botId)
    return { replayed: await replayFailedDeliveries(deps, bot.id, Date.parse(body.since), body.webhook_id) }
  })
}

export function toDelivery(delivery: DeliveryRecord, details?: DeliveryDetails): Delivery {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    state: delivery.state,
    attempts: delivery.attempts,
    status: details?.status ?? null,
    url: details?.url ?? null,
    key: details?.key ?? null,
    created_at: timestamp(delivery.createdAt),
    next_attempt_at: delivery.state === 'pending' ? timestampOrNull(delivery.dueAt) : null,
    finished_at: timestampOrNull(delivery.finishedAt),
  }
}

function toAttempt(attempt: AttemptRecord, { eventId, eventType }: DeliveryRecord): DeliveryAttempt {
  const headers = { ...sentHeaders(eventId, attempt.at), 'webhook-signature': 'v1,…' }
  return {
    at: timestamp(attempt.at),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
    headers: eventType === 'notification' ? {} : headers,
  }
}
