import { type BodyOf, Fault, type Routes, WEBHOOKS_PER_BOT } from '@docent/contract'
import { hostTitle } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import type { WebhookDeps } from './find-webhook.ts'
import { newWebhook } from './new-webhook.ts'
import { requireCallableUrl } from './require-callable-url.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/webhooks']>

/** The only response that contains the secret. */
export async function createWebhook(
  { webhooks, secrets, findBot, urlProblem, audit, clock }: WebhookDeps,
  call: ManagerCall,
  botId: string,
  input: Input,
) {
  const bot = await findBot(call.caller, botId)
  await requireCallableUrl(input.url, 'url', urlProblem)
  const { record, secret } = newWebhook(bot.id, null, input.url, secrets, clock())
  record.eventTypes = input.event_types ?? null
  if (!(await webhooks.insert(record, WEBHOOKS_PER_BOT))) throw new Fault('too_many_webhooks')
  await audit.record(call, bot.workspaceId, 'webhook.created', hostTitle(record))
  return { record, secret }
}
