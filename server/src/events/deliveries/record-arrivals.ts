// What arrived is recorded many at once: a commit each would cost more than the sending. A crash before it sends them
// again, under the same ids.
import type { Arrival } from '../../storage/webhooks/delivery-queue.ts'

const GATHERED_MS = 100
// More won nothing when measured, and would wait long enough to outlive the young generation.
const MOST_AT_ONCE = 16

export type ArrivalLog = ReturnType<typeof createArrivalLog>

/** What cannot be recorded goes to `onError` and is delivered again. */
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
      if (gathered.length === MOST_AT_ONCE) write()
      else timer ??= setTimeout(write, GATHERED_MS)
    },

    /** Resolves when everything added is recorded or reported to `onError`. */
    async flush() {
      write()
      await Promise.all(writing)
    },
  }
}
