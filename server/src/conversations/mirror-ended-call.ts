// Mirrors a call that no turn was written for. A caller that goes on and on after its quota is used up would fill the
// database: of those calls, some of every minute are told.
import { StorageError } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { MirroredCall } from './mirror-call.ts'
import type { MirrorCall } from './mirror-writer.ts'

const OVER_QUOTA_A_MINUTE = 120
const MINUTE_MS = 60_000
const QUOTA_USED_UP = 429
const KEYS_REMEMBERED = 10_000

interface Deps {
  deliveries: Pick<DeliveriesTable, 'write'>
  mirrorCall: MirrorCall
  clock: () => number
}

export type MirrorEndedCall = (call: MirroredCall) => Promise<void>

export function endedCallMirror({ deliveries, mirrorCall, clock }: Deps): MirrorEndedCall {
  const told = new Map<string, { minute: number; calls: number }>()

  function isOneTooMany(keyId: string, minute: number): boolean {
    const known = told.get(keyId)
    const calls = known?.minute === minute ? known.calls + 1 : 1
    if (told.size >= KEYS_REMEMBERED) told.clear()
    told.set(keyId, { minute, calls })
    return calls > OVER_QUOTA_A_MINUTE
  }

  return async (call) => {
    const { key, status } = call
    if (key.mirrorId === null) return
    if (status === QUOTA_USED_UP && isOneTooMany(key.id, Math.floor(clock() / MINUTE_MS))) return
    const mirroring = mirrorCall(call)
    if (!mirroring) return
    try {
      await deliveries.write([mirroring.statement])
    } catch (error) {
      mirroring.onFailed()
      // The bot was deleted meanwhile, and its mirror with it.
      if (error instanceof StorageError && error.kind === 'foreign_key') return
      throw error
    }
    mirroring.onWritten()
  }
}
