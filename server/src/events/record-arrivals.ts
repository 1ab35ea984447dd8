// What arrived is recorded several at once: a commit each would cost more than the sending. A crash before it sends them
// again, under the same ids.
import type { Arrival } from '../storage/delivery-queue.ts'

const GATHERED_MS = 20
const MOST_AT_ONCE = 16

/** Resolves when the record is durable. */
export type RecordArrival = (arrival: Arrival) => Promise<void>

interface Gathering {
  arrivals: Arrival[]
  recorded: Promise<void>
  write: () => void
}

export function arrivalRecorder(record: (arrivals: Arrival[]) => Promise<void>): RecordArrival {
  let open: Gathering | null = null

  function gather(): Gathering {
    const arrivals: Arrival[] = []
    const { promise: recorded, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(write, GATHERED_MS)
    function write() {
      clearTimeout(timer)
      open = null
      resolve(record(arrivals))
    }
    return { arrivals, recorded, write }
  }

  return (arrival) => {
    open ??= gather()
    const { arrivals, recorded, write } = open
    arrivals.push(arrival)
    if (arrivals.length === MOST_AT_ONCE) write()
    return recorded
  }
}
