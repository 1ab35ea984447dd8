import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { hostTitle, namedFields } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { findWebhook, type WebhookDeps, type WebhookIds } from './find-webhook.ts'
import { requireCallableUrl } from './require-callable-url.ts'

const ROUTE = 'PATCH /api/manage/v1/bots/{botId}/webhooks/{webhookId}'

export async function updateWebhook(
  deps: WebhookDeps,
  call: ManagerCall,
  ids: WebhookIds,
  input: BodyOf<Routes[typeof ROUTE]>,
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
  await audit.record(call, workspaceId, 'webhook.changed', `${hostTitle(after)}: ${namedFields(ROUTE, input)}`)
  return after
}
