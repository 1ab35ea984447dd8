import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { describeKey, findKey, type KeyDeps } from './find-key.ts'

export async function revokeKey(deps: KeyDeps, call: ManagerCall, ids: { botId: string; keyId: string }) {
  const { keys, chatKeys, audit, clock } = deps
  const { bot, key } = await findKey(deps, call.caller, ids)
  await keys.revoke(bot.id, key.id, clock())
  chatKeys.forget()
  await audit.record(call, bot.workspaceId, 'key.revoked', titleOf(key))
  return describeKey(deps, bot, { ...key, revokedAt: key.revokedAt ?? clock() })
}
