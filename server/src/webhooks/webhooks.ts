// The verbs on webhooks.
import { type BodyOf, Fault, LISTENER_URL, type Routes, WEBHOOKS_PER_BOT } from '@docent/contract'
import { type Audit, hostTitle, namedFields } from '../access/audit.ts'
import type { FindBot, Manager, ManagerCall } from '../access/managers.ts'
import type { CountWithin } from '../access/rate-limits.ts'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { randomId, timedId } from '../ids.ts'
import type { UrlProblem } from '../outbound/outbound.ts'
import { deliveryId } from '../storage/deliveries.ts'
import type { Storage } from '../storage/storage.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'
import { timestamp } from '../timestamps.ts'
import type { OnEvents } from './delivery-worker.ts'
import { makeWebhookSecret, type WebhookSecrets } from './signing.ts'
import type { SwitchWebhook } from './switch-webhook.ts'

/** What the verbs on webhooks, deliveries and notification channels work with. */
export interface WebhooksContext extends Pick<Storage, 'webhooks' | 'deliveries'>, Pick<Context, 'clock'> {
  channels: Storage['notificationChannels']
  items: Storage['notificationItems']
  secrets: WebhookSecrets
  switchWebhook: SwitchWebhook
  findBot: FindBot
  countWithin: CountWithin
  audit: Audit
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  canSendMail: boolean
  baseUrl: string
  /** Called when events of a bot were written. */
  onEvents: OnEvents
  /** Called when a webhook or channel was changed. */
  onChanged: (webhookId: string) => void
}

interface WebhookIds {
  botId: string
  webhookId: string
}

export async function findWebhook({ webhooks, findBot }: WebhooksContext, manager: Manager, ids: WebhookIds) {
  const { id, workspaceId } = await findBot(manager, ids.botId)
  const webhook = await webhooks.find(id, ids.webhookId)
  if (webhook?.kind !== 'webhook') throw new Fault('not_found')
  return { workspaceId, webhook }
}

type NewWebhookInput = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/webhooks']>

/** The only response that contains the secret. */
export async function createWebhook(
  { webhooks, secrets, findBot, urlProblem, audit, clock }: WebhooksContext,
  call: ManagerCall,
  botId: string,
  input: NewWebhookInput,
) {
  const bot = await findBot(call.caller, botId)
  if (input.url !== LISTENER_URL) await requireCallableUrl(input.url, 'url', urlProblem)
  const { record, secret } = newWebhook(bot.id, null, input.url, secrets, clock())
  record.eventTypes = input.event_types ?? null
  if (!(await webhooks.insert(record, WEBHOOKS_PER_BOT))) throw new Fault('too_many_webhooks')
  await audit.record(call, bot.workspaceId, 'webhook.created', hostTitle(record))
  return { record, secret }
}

export async function updateWebhook(
  deps: WebhooksContext,
  call: ManagerCall,
  ids: WebhookIds,
  input: BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}']>,
) {
  const { webhooks, switchWebhook, urlProblem, onChanged, audit } = deps
  const { workspaceId, webhook } = await findWebhook(deps, call.caller, ids)
  const { botId, id, keyId } = webhook
  if (input.event_types && keyId !== null) {
    const message = 'Event types cannot be set for the mirror of an API key.'
    throw new Fault('validation_failed', { details: [{ path: 'event_types', message }] })
  }
  if (input.url !== undefined) await requireCallableUrl(input.url, 'url', urlProblem)
  await webhooks.update(botId, id, { url: input.url, eventTypes: input.event_types })
  if (input.enabled === true) await webhooks.enable(botId, id)
  if (input.enabled === false) await switchWebhook.disable(webhook)
  onChanged(id)
  const { webhook: after } = await findWebhook(deps, call.caller, ids)
  const fields = namedFields('PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}', input)
  await audit.record(call, workspaceId, 'webhook.changed', `${hostTitle(after)}: ${fields}`)
  return after
}

/** Both secrets sign for a day, so that the receiver has time to switch. */
const OVERLAP_MS = DAY_MS

export async function rotateWebhookSecret(deps: WebhooksContext, call: ManagerCall, ids: WebhookIds) {
  const { webhooks, secrets, onChanged, audit, clock } = deps
  const { workspaceId, webhook } = await findWebhook(deps, call.caller, ids)
  const { botId, id } = webhook
  const secret = makeWebhookSecret()
  const previousUntil = clock() + OVERLAP_MS
  await webhooks.rotate(botId, id, secrets.seal(id, secret), previousUntil)
  onChanged(id)
  await audit.record(call, workspaceId, 'webhook.secret_rotated', hostTitle(webhook))
  return { secret, previousUntil }
}

export async function deleteWebhook(deps: WebhooksContext, call: ManagerCall, ids: WebhookIds): Promise<void> {
  const { workspaceId, webhook } = await findWebhook(deps, call.caller, ids)
  await deps.switchWebhook.remove(webhook)
  deps.onChanged(webhook.id)
  await deps.audit.record(call, workspaceId, 'webhook.deleted', hostTitle(webhook))
}

/** A test event, queued and delivered like any other. */
export async function sendTestEvent(
  { deliveries, onEvents, clock }: WebhooksContext,
  { botId, id: webhookId, disabledAt }: WebhookRecord,
) {
  if (disabledAt !== null) throw new Fault('webhook_disabled')
  const now = clock()
  const id = timedId('evt', now)
  const payload = JSON.stringify({
    id,
    event_type: 'webhook.test',
    timestamp: timestamp(now),
    bot_id: botId,
    session_id: null,
    conversation_id: null,
    data: { message: 'This is a test event. No action is needed.' },
  })
  const event = { botId, id, type: 'webhook.test' as const, payload, createdAt: now, about: null }
  await deliveries.write([deliveries.toWebhook(event, webhookId)])
  onEvents(botId)
  const delivery = await deliveries.find(botId, deliveryId(id, webhookId))
  if (!delivery) throw new Fault('not_found')
  return delivery
}

/** `keyId`: the key whose calls it mirrors, or null for an integration. */
export function newWebhook(botId: string, keyId: string | null, url: string, secrets: WebhookSecrets, now: number) {
  const id = randomId('whk')
  const secret = makeWebhookSecret()
  const record: WebhookRecord = {
    botId,
    id,
    kind: 'webhook',
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

export async function requireCallableUrl(url: string, path: string, urlProblem: UrlProblem) {
  const message = await urlProblem(url)
  if (message) throw new Fault('validation_failed', { details: [{ path, message }] })
}
