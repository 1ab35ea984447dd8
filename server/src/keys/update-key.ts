import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { namedFields, titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { parseExpiry } from '../access/parse-expiry.ts'
import { requireCallableUrl } from '../webhooks/webhooks.ts'
import { describeKey, findActiveKey, findKey, type KeyDeps } from './find-key.ts'
import { setMirror } from './key-mirror.ts'
import { requireOwnerFor } from './new-key.ts'

const ROUTE = 'PATCH /api/manage/v1/bots/{botId}/keys/{keyId}'

export async function updateKey(
  deps: KeyDeps,
  call: ManagerCall,
  ids: { botId: string; keyId: string },
  input: BodyOf<Routes[typeof ROUTE]>,
) {
  const { keys, chatKeys, audit, urlProblem, clock } = deps
  const { bot, key } = await findActiveKey(deps, call.caller, ids)
  requireOwnerFor(call.caller, input.daily_limit)
  if (input.webhook_url) await requireCallableUrl(input.webhook_url, 'webhook_url', urlProblem)
  const changed = await keys.update(bot.id, key.id, {
    name: input.name?.trim(),
    expiresAt: parseExpiry(input.expires_at, clock()),
    dailyLimit: input.daily_limit,
  })
  if (!changed) throw new Fault('key_not_active')
  const webhookSecret = input.webhook_url === undefined ? undefined : await setMirror(deps, key, input.webhook_url)
  chatKeys.forget()
  await audit.record(call, bot.workspaceId, 'key.changed', `${titleOf(key)}: ${namedFields(ROUTE, input)}`)
  const after = await findKey(deps, call.caller, ids)
  return { key: await describeKey(deps, bot, after.key), webhookSecret }
}
