// What waits, taken in turn by whom it is for: whoever brings much holds up only himself. Bounded in bytes.
interface Waiting {
  fairTo: string
  sizeBytes: number
}

export interface FairQueue<T> {
  /** False when there is no room. One is always taken in, whatever its size. */
  add(item: T): boolean
  take(): T | null
  takeAll(): T[]
}

export function fairQueue<T extends Waiting>(limitBytes: number): FairQueue<T> {
  // In the order in which they have their turn.
  const lines = new Map<string, T[]>()
  let waitingBytes = 0

  function take(): T | null {
    const [first] = lines
    if (!first) return null
    const [key, line] = first
    const item = line.shift() ?? null
    lines.delete(key)
    if (line.length > 0) lines.set(key, line)
    waitingBytes -= item?.sizeBytes ?? 0
    return item
  }

  return {
    add(item) {
      if (lines.size > 0 && waitingBytes + item.sizeBytes > limitBytes) return false
      const line = lines.get(item.fairTo)
      if (line) line.push(item)
      else lines.set(item.fairTo, [item])
      waitingBytes += item.sizeBytes
      return true
    },
    take,
    takeAll() {
      const all = [...lines.values()].flat()
      lines.clear()
      waitingBytes = 0
      return all
    },
  }
}
