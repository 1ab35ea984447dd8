import { Fault, type Overlap, overlaps } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import { describeKey, findActiveKey, type KeyDeps } from './find-key.ts'
import { inheritMirror } from './key-mirror.ts'
import { neverUsed, newKey } from './new-key.ts'

/** Both keys work during the overlap. */
export const DEFAULT_OVERLAP: Overlap = '24h'

export async function rotateKey(
  deps: KeyDeps,
  call: ManagerCall,
  ids: { botId: string; keyId: string },
  overlap: Overlap = DEFAULT_OVERLAP,
) {
  const { keys, webhooks, chatKeys, audit, clock } = deps
  const { bot, key: old } = await findActiveKey(deps, call.caller, ids)
  const { secret, record } = newKey('chat', bot, old.name, call.caller, clock())
  // The expiry its owner set; `replace` checks that the old key has not already been replaced.
  record.expiresAt = old.expiresAt
  record.dailyLimit = old.dailyLimit
  const mirror = await inheritMirror(deps, old, record)
  const together = mirror ? [webhooks.insertion(mirror)] : []
  if (!(await keys.replace(old.id, clock() + overlaps[overlap], record, together))) throw new Fault('key_not_active')
  chatKeys.forget()
  await audit.record(call, bot.workspaceId, 'key.rotated', `${titleOf(old)} → ${record.id}`)
  return { key: await describeKey(deps, bot, { ...record, ...neverUsed, mirror }), secret }
}
