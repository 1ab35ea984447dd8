// Keeps the event stream open while it is needed, and reconnects after failures.
import { toServerError } from './server.ts'

const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000

interface Options {
  isWanted: () => boolean
  listen: (signal: AbortSignal, onAlive: () => void) => Promise<void>
  /** The server rejected the session, so retrying is pointless. */
  onRejected: () => void
}

export function makeLiveUpdates({ isWanted, listen, onRejected }: Options) {
  let current: AbortController | undefined
  let failures = 0

  async function connect(controller: AbortController) {
    const { signal } = controller
    while (!signal.aborted) {
      let waitMs = 0
      try {
        await listen(signal, () => {
          failures = 0
        })
      } catch (error) {
        const { status, retryAfterMs } = toServerError(error)
        waitMs = retryAfterMs
        if (!signal.aborted && [401, 403, 404].includes(status)) {
          current = undefined
          return onRejected()
        }
      }
      waitMs = Math.max(waitMs, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.5 + Math.random() / 2))
      if (!signal.aborted) await pause(waitMs, signal)
    }
  }

  return {
    /** Call whenever `isWanted` may have changed. */
    update() {
      if (isWanted() === Boolean(current)) return
      current?.abort()
      current = isWanted() ? new AbortController() : undefined
      if (current) connect(current)
    },
    close: () => current?.abort(),
  }
}

/** Ends early when the network is back or the stream is no longer needed. */
function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Removes both listeners.
    const controller = new AbortController()
    const end = () => {
      controller.abort()
      resolve()
    }
    setTimeout(end, waitMs)
    addEventListener('online', end, controller)
    signal.addEventListener('abort', end, controller)
  })
}
