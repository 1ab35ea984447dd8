import type { BodyOf, Routes } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { parseExpiry } from '../access/parse-expiry.ts'
import { describeKey, type KeyDeps } from './find-key.ts'
import { newMirror } from './key-mirror.ts'
import { neverUsed, newKey, requireOwnerFor } from './new-key.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/keys']>

/** Returns the secrets, only this once. */
export async function createKey(deps: KeyDeps, call: ManagerCall, botId: string, input: Input) {
  const { keys, webhooks, findBot, audit, clock } = deps
  const bot = await findBot(call.caller, botId)
  requireOwnerFor(call.caller, input.daily_limit)
  const { secret, record } = newKey('chat', bot, input.name.trim(), call.caller, clock())
  record.expiresAt = parseExpiry(input.expires_at, clock()) ?? null
  record.dailyLimit = input.daily_limit ?? null
  const mirror = input.webhook_url ? await newMirror(deps, record, input.webhook_url) : null
  await keys.insert(record, mirror ? [webhooks.insertion(mirror.record)] : [])
  await audit.record(call, bot.workspaceId, 'key.created', titleOf(record))
  const key = await describeKey(deps, bot, { ...record, ...neverUsed, mirror: mirror?.record ?? null })
  return { key, secret, webhookSecret: mirror?.secret }
}
