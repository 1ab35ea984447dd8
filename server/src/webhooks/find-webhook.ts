// Shared dependencies and lookup of the operations on webhooks.
import { Fault } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { FindBot, Manager } from '../access/managers.ts'
import type { WebhooksTable } from '../storage/webhooks.ts'
import type { SwitchWebhook } from './switch-webhook.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface WebhookDeps {
  webhooks: WebhooksTable
  secrets: WebhookSecrets
  switchWebhook: SwitchWebhook
  findBot: FindBot
  /** Why a URL may not be called, or null. */
  urlProblem: (url: string) => Promise<string | null>
  onChanged: (webhookId: string) => void
  audit: Audit
  clock: () => number
}

export interface WebhookIds {
  botId: string
  webhookId: string
}

export async function findWebhook(
  { webhooks, findBot }: Pick<WebhookDeps, 'webhooks' | 'findBot'>,
  manager: Manager,
  ids: WebhookIds,
) {
  const { id, workspaceId } = await findBot(manager, ids.botId)
  const webhook = await webhooks.find(id, ids.webhookId)
  if (webhook?.kind !== 'webhook') throw new Fault('not_found')
  return { workspaceId, webhook }
}
