// Keeps the event stream open while it is needed, and reconnects after failures.
import { refusalOf } from './server.ts'

const FIRST_MS = 1000
const LONGEST_MS = 30_000

interface Line {
  isWanted: () => boolean
  listen: (signal: AbortSignal, onAlive: () => void) => Promise<void>
  /** The server rejected the session, so retrying is pointless. */
  onShut: () => void
}

export function keepLive({ isWanted, listen, onShut }: Line) {
  let current: AbortController | undefined
  let failures = 0

  async function hold(controller: AbortController) {
    const { signal } = controller
    while (!signal.aborted) {
      let waitMs = 0
      try {
        await listen(signal, () => {
          failures = 0
        })
      } catch (error) {
        const { status, retryAfterMs } = refusalOf(error)
        waitMs = retryAfterMs
        if (!signal.aborted && [401, 403, 404].includes(status)) {
          current = undefined
          return onShut()
        }
      }
      waitMs = Math.max(waitMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** failures++) * (0.5 + Math.random() / 2))
      if (!signal.aborted) await pause(waitMs, signal)
    }
  }

  return {
    /** Call whenever `isWanted` may have changed. */
    update() {
      if (isWanted() === Boolean(current)) return
      current?.abort()
      current = isWanted() ? new AbortController() : undefined
      if (current) hold(current)
    },
    close: () => current?.abort(),
  }
}

/** Ends early when the network is back or the stream is no longer needed. */
function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Removes both listeners.
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      resolve()
    }
    setTimeout(end, waitMs)
    addEventListener('online', end, ended)
    signal.addEventListener('abort', end, ended)
  })
}
