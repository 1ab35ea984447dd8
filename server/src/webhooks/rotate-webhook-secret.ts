import { hostTitle } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { DAY_MS } from '../days.ts'
import { makeWebhookSecret } from './deliveries/sign.ts'
import { findWebhook, type WebhookDeps, type WebhookIds } from './find-webhook.ts'

/** Both secrets sign for a day, so that the receiver has time to switch. */
const OVERLAP_MS = DAY_MS

export async function rotateWebhookSecret(deps: WebhookDeps, call: ManagerCall, ids: WebhookIds) {
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
