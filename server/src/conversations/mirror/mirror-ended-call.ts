// Mirrors calls that wrote no turn. A client that keeps calling over its quota would flood database and receiver,
// so only the first calls of each minute are mirrored; the rest are counted into one event.
import { StorageError } from '../../storage/database.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { MirrorCall, MirroredCall } from './mirror-call.ts'

const OVER_QUOTA_PER_MINUTE = 120
const MINUTE_MS = 60_000
const QUOTA_USED_UP = 429
const KEYS_REMEMBERED = 10_000

interface Deps {
  deliveries: Pick<DeliveriesTable, 'write'>
  mirrorCall: MirrorCall
  onEvents: (botId: string) => void
  clock: () => number
}

/** The body is read only if the call is mirrored at all. */
export type EndedCall = Omit<MirroredCall, 'request'> & { readRequest: () => Promise<unknown> }

export interface EndedCallMirror {
  mirror(call: EndedCall): Promise<void>
  /** Writes how many calls were only counted, for past minutes or, at the end, for all. */
  flush(isLast?: boolean): Promise<void>
}

interface KeyMinute {
  minute: number
  calls: number
  /** Calls that were only counted: how many, and the last one. */
  suppressedCalls: number
  suppressed: MirroredCall | null
}

export function createEndedCallMirror({ deliveries, mirrorCall, onEvents, clock }: Deps): EndedCallMirror {
  const minutes = new Map<string, KeyMinute>()
  const thisMinute = () => Math.floor(clock() / MINUTE_MS)

  async function mirror({ readRequest, ...call }: EndedCall) {
    if (call.key.mirrorId === null) return
    if (call.status === QUOTA_USED_UP && (await isOneTooMany(call))) return
    await write({ ...call, request: await readRequest() })
  }

  async function isOneTooMany(call: Omit<MirroredCall, 'request'>): Promise<boolean> {
    const minute = thisMinute()
    let known = minutes.get(call.key.id)
    if (known && known.minute !== minute) {
      await writeSuppressed(call.key.id, known)
      known = minutes.get(call.key.id)
    }
    if (!known) {
      if (minutes.size >= KEYS_REMEMBERED) await flush(true)
      known = { minute, calls: 0, suppressedCalls: 0, suppressed: null }
      minutes.set(call.key.id, known)
    }
    known.calls++
    if (known.calls <= OVER_QUOTA_PER_MINUTE) return false
    known.suppressedCalls++
    known.suppressed = { ...call, request: undefined }
    return true
  }

  async function writeSuppressed(keyId: string, known: KeyMinute) {
    const { suppressedCalls, suppressed } = known
    minutes.delete(keyId)
    if (!suppressed) return
    try {
      await write({ ...suppressed, suppressed: suppressedCalls })
    } catch (error) {
      keepUnwritten(keyId, known)
      throw error
    }
  }

  /** The next flush retries. The key may have made calls meanwhile. */
  function keepUnwritten(keyId: string, known: KeyMinute) {
    const newer = minutes.get(keyId)
    if (!newer) {
      minutes.set(keyId, known)
      return
    }
    newer.suppressedCalls += known.suppressedCalls
    newer.suppressed ??= known.suppressed
  }

  async function write(call: MirroredCall) {
    const delivery = mirrorCall(call)
    if (!delivery) return
    try {
      await deliveries.write([delivery])
    } catch (error) {
      // The bot was deleted meanwhile, and its mirror with it.
      if (error instanceof StorageError && error.kind === 'foreign_key') return
      throw error
    }
    onEvents(call.key.botId)
  }

  async function flush(isLast = false) {
    const minute = thisMinute()
    for (const [keyId, known] of minutes) {
      if (!isLast && known.minute === minute) continue
      await writeSuppressed(keyId, known)
    }
  }

  return { mirror, flush }
}
