import { type Overlap, overlaps } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import type { KeyDeps } from './find-key.ts'
import { newKey } from './new-key.ts'
import { DEFAULT_OVERLAP } from './rotate-key.ts'

export async function rotateSyncKey(
  { keys, findBot, audit, clock }: KeyDeps,
  call: ManagerCall,
  botId: string,
  overlap: Overlap = DEFAULT_OVERLAP,
) {
  const bot = await findBot(call.caller, botId)
  const { secret, record } = newKey('sync', bot, 'product sync', call.caller, clock())
  await keys.replaceSyncKeys(clock() + overlaps[overlap], record)
  await audit.record(call, bot.workspaceId, 'sync_key.rotated', titleOf(bot))
  return { secret, record }
}
