import { integrationEventTypes, type Webhook } from '@docent/contract'
import type { DeliveriesTable } from '../../../storage/deliveries.ts'
import type { WebhookRecord } from '../../../storage/webhooks.ts'
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateWebhookSecret,
  type SendTest,
  updateWebhook,
  type WebhookDeps,
} from '../../../webhooks/webhooks.ts'
import { page } from '../../paging.ts'
import type { Route } from '../../route.ts'
import { timestamp, timestampOrNull } from '../../times.ts'
import { toDelivery } from './deliveries.ts'

const MAX_COUNTED = 10_000

interface Deps extends WebhookDeps {
  deliveries: Pick<DeliveriesTable, 'countPending'>
  sendTest: SendTest
}

export function webhookRoutes(route: Route, deps: Deps) {
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
    return toDelivery(await deps.sendTest(webhook))
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
    event_types: webhook.keyId === null ? (webhook.eventTypes ?? [...integrationEventTypes]) : ['chat.mirrored'],
    state: webhook.disabledAt !== null ? 'disabled' : webhook.failingSince !== null ? 'failing' : 'active',
    failing_since: timestampOrNull(webhook.failingSince),
    disabled_at: timestampOrNull(webhook.disabledAt),
    disabled_reason: webhook.disabledReason,
    pending,
    previous_secret_until: previousUntil !== null && previousUntil > now ? timestamp(previousUntil) : null,
    created_at: timestamp(webhook.createdAt),
  }
}
