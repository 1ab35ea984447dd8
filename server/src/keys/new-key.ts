import { Fault } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import { makeSecret } from '../access/secrets.ts'
import { randomId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { KeyKind, KeyRecord, KeyUse } from '../storage/keys.ts'

export const neverUsed: KeyUse = { lastCallAt: null, callsToday: 0 }

export function newKey(kind: KeyKind, bot: BotRecord, name: string, manager: Manager, now: number) {
  const { secret, hash, lastFour } = makeSecret(kind)
  const record: KeyRecord = {
    botId: bot.id,
    id: randomId('key'),
    kind,
    name,
    hash,
    lastFour,
    createdBy: manager.name,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    replacedAt: null,
    dailyLimit: null,
  }
  return { secret, record }
}

/** Only the instance owner may set limits: refuse others rather than silently dropping the field. */
export function requireOwnerFor(manager: Manager, dailyLimit: number | null | undefined) {
  if (dailyLimit !== undefined && manager.kind !== 'instance_owner') throw new Fault('role_required')
}
