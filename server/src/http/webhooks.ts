import { Fault, integrationEventTypes, WEBHOOKS_PER_BOT, type Webhook } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { FindBot, Manager } from '../access/managers.ts'
import type { SendTest } from '../events/send-test.ts'
import { makeWebhookSecret } from '../events/sign.ts'
import type { SwitchWebhook } from '../events/switch-webhook.ts'
import type { WebhookSecrets } from '../events/webhook-secrets.ts'
import { randomId } from '../ids.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { WebhookRecord, WebhooksTable } from '../storage/webhooks.ts'
import { namedFields } from './audit.ts'
import { toDelivery } from './deliveries.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { timestamp, timestampOrNull } from './times.ts'

const COUNTED = 10_000
const BOTH_SIGN_MS = 86_400_000

interface Deps {
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  secrets: WebhookSecrets
  switchWebhook: SwitchWebhook
  sendTest: SendTest
  findBot: FindBot
  /** Why a URL may not be called, or null. */
  refusal: (url: string) => Promise<string | null>
  onChanged: (webhookId: string) => void
  audit: Audit
  clock: () => number
}

export function webhookRoutes(route: Route, deps: Deps) {
  const { webhooks, deliveries, secrets, switchWebhook, sendTest, findBot, refusal, onChanged, audit, clock } = deps

  async function webhookOf(manager: Manager, { botId, webhookId }: { botId: string; webhookId: string }) {
    const { id, workspaceId } = await findBot(manager, botId)
    const webhook = await webhooks.find(id, webhookId)
    if (!webhook) throw new Fault('not_found')
    return { workspaceId, webhook }
  }

  const shape = async (webhook: WebhookRecord): Promise<Webhook> =>
    toWebhook(webhook, await deliveries.countPending(webhook.id, COUNTED), clock())

  route('POST /api/manage/v1/bots/{botId}/webhooks', async ({ caller, params, body, request }) => {
    const bot = await findBot(caller, params.botId)
    await requireAllowed(body.url, 'url', refusal)
    const { record, secret } = newWebhook(bot.id, null, body.url, secrets, clock())
    record.eventTypes = body.event_types ?? null
    if (!(await webhooks.insert(record, WEBHOOKS_PER_BOT))) throw new Fault('too_many_webhooks')
    await audit.did({ caller, request }, bot.workspaceId, 'webhook.created', titled(record))
    return { ...(await shape(record)), secret }
  })

  route('GET /api/manage/v1/bots/{botId}/webhooks', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => webhooks.list(bot.id, after, limit), shape)
  })

  route('GET /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ caller, params }) =>
    shape((await webhookOf(caller, params)).webhook),
  )

  route('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ caller, params, body, request }) => {
    const { workspaceId, webhook } = await webhookOf(caller, params)
    const { botId, id, keyId } = webhook
    if (body.event_types && keyId !== null) {
      const message = 'Event types cannot be set for the mirror of an API key.'
      throw new Fault('validation_failed', { details: [{ path: 'event_types', message }] })
    }
    if (body.url !== undefined) await requireAllowed(body.url, 'url', refusal)
    await webhooks.update(botId, id, { url: body.url, eventTypes: body.event_types })
    if (body.enabled === true) await webhooks.enable(botId, id)
    if (body.enabled === false) await switchWebhook.off(webhook)
    onChanged(id)
    const { webhook: after } = await webhookOf(caller, params)
    const fields = namedFields('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', body)
    await audit.did({ caller, request }, workspaceId, 'webhook.changed', `${titled(after)}: ${fields}`)
    return shape(after)
  })

  route('DELETE /api/manage/v1/bots/{botId}/webhooks/{webhookId}', async ({ caller, params, request }) => {
    const { workspaceId, webhook } = await webhookOf(caller, params)
    await switchWebhook.remove(webhook)
    onChanged(webhook.id)
    await audit.did({ caller, request }, workspaceId, 'webhook.deleted', titled(webhook))
    return undefined
  })

  route('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/test', async ({ caller, params }) => {
    const { webhook } = await webhookOf(caller, params)
    if (webhook.disabledAt !== null) throw new Fault('webhook_disabled')
    const written = await sendTest(webhook)
    if (!written) throw new Fault('not_found')
    return toDelivery(written)
  })

  route('POST /api/manage/v1/bots/{botId}/webhooks/{webhookId}/rotate-secret', async ({ caller, params, request }) => {
    const { workspaceId, webhook } = await webhookOf(caller, params)
    const { botId, id } = webhook
    const secret = makeWebhookSecret()
    const until = clock() + BOTH_SIGN_MS
    await webhooks.rotate(botId, id, secrets.seal(id, secret), until)
    onChanged(id)
    await audit.did({ caller, request }, workspaceId, 'webhook.secret_rotated', titled(webhook))
    return { secret, previous_secret_until: timestamp(until) }
  })
}

/** Without the path, where some put a secret. */
function titled({ id, url }: WebhookRecord): string {
  return `${URL.canParse(url) ? new URL(url).host : 'webhook'} (${id})`
}

export async function requireAllowed(url: string, path: string, refusal: Deps['refusal']) {
  const message = await refusal(url)
  if (message) throw new Fault('validation_failed', { details: [{ path, message }] })
}

export function newWebhook(botId: string, keyId: string | null, url: string, secrets: WebhookSecrets, now: number) {
  const id = randomId('whk')
  const secret = makeWebhookSecret()
  const record: WebhookRecord = {
    botId,
    id,
    keyId,
    url,
    eventTypes: null,
    secret: secrets.seal(id, secret),
    previousSecret: null,
    previousUntil: null,
    failingSince: null,
    failedAt: null,
    disabledAt: null,
    disabledReason: null,
    createdAt: now,
  }
  return { record, secret }
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
