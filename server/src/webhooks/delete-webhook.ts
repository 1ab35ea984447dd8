import { hostTitle } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { findWebhook, type WebhookDeps, type WebhookIds } from './find-webhook.ts'

export async function deleteWebhook(deps: WebhookDeps, call: ManagerCall, ids: WebhookIds): Promise<void> {
  const { workspaceId, webhook } = await findWebhook(deps, call.caller, ids)
  await deps.switchWebhook.remove(webhook)
  deps.onChanged(webhook.id)
  await deps.audit.record(call, workspaceId, 'webhook.deleted', hostTitle(webhook))
}
