// Writes a call for the mirror of its key. Where the worker of this node has a place for it, it is written as taken and
// handed over from memory, which spares finding and taking it; else it waits its turn in the queue.
import type { Statement } from '../../storage/database.ts'
import type { DeliveriesTable, EventRecord, Taking } from '../../storage/webhooks/deliveries.ts'
import { type MirroredCall, mirroredCall } from './mirror-call.ts'

interface KeptPlace extends Taking {
  begin(event: EventRecord): void
  release(): void
}

export interface Mirroring {
  /** To be written together with what it mirrors. */
  statement: Statement
  onWritten(): void
  onFailed(): void
}

/** Null for a key without a mirror. */
export type MirrorCall = (call: MirroredCall) => Mirroring | null

interface Deps {
  deliveries: Pick<DeliveriesTable, 'to'>
  /** Null when there is no room for it now. */
  keepPlace: (botId: string, webhookId: string) => KeptPlace | null
  onEvents: (botId: string) => void
  clock: () => number
}

export function mirrorWriter({ deliveries, keepPlace, onEvents, clock }: Deps): MirrorCall {
  return (call) => {
    const { botId, mirrorId } = call.key
    if (mirrorId === null) return null
    const event = mirroredCall(call, clock())
    const place = keepPlace(botId, mirrorId)
    return {
      statement: deliveries.to(event, mirrorId, place),
      onWritten: () => (place ? place.begin(event) : onEvents(botId)),
      onFailed: () => place?.release(),
    }
  }
}
