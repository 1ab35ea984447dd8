// Records successful deliveries in batches: committing each would cost more than sending it. After a crash, unrecorded
// ones are sent again under the same ids.
import type { Arrival } from '../../storage/delivery-queue.ts'

const GATHERED_MS = 100
// Larger batches measured no faster, and would live long enough to leave the young generation.
const MAX_AT_ONCE = 16

export type ArrivalLog = ReturnType<typeof createArrivalLog>

/** Deliveries that cannot be recorded are reported to `onError` and delivered again. */
export function createArrivalLog(record: (arrivals: Arrival[]) => Promise<void>, onError: (error: unknown) => void) {
  const writing = new Set<Promise<void>>()
  let gathered: Arrival[] = []
  let timer: NodeJS.Timeout | undefined

  function write() {
    clearTimeout(timer)
    timer = undefined
    if (gathered.length === 0) return
    const written = record(gathered)
      .catch(onError)
      .finally(() => writing.delete(written))
    writing.add(written)
    gathered = []
  }

  return {
    add(arrival: Arrival) {
      gathered.push(arrival)
      if (gathered.length === MAX_AT_ONCE) write()
      else timer ??= setTimeout(write, GATHERED_MS)
    },

    /** Resolves when everything added is recorded or reported to `onError`. */
    async flush() {
      write()
      await Promise.all(writing)
    },
  }
}
