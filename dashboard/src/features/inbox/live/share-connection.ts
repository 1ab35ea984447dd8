// One event stream for all tabs: browsers allow only a few connections per server, and each tab would occupy one. The
// tab that holds the lock listens and forwards the events.
import { type ConnectionState, type Handlers, listenToEvents } from './listen-to-events.ts'

type Passed =
  | { type: 'event'; event: Parameters<Handlers['onEvent']>[0] }
  | { type: 'state'; state: ConnectionState }
  | { type: 'who' }

/** Returns a function that stops it. */
export function shareConnection(workspaceId: string, handlers: Handlers): () => void {
  // Locks need HTTPS. Without them, each tab has its own stream.
  if (!navigator.locks) return listenToEvents(workspaceId, handlers)
  const name = `docent-inbox-${workspaceId}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  const pass = (passed: Passed) => channel.postMessage(passed)
  let held: ConnectionState | null = null

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.type === 'who') return held && pass({ type: 'state', state: held })
    if (data.type === 'state') handlers.onState(data.state)
    else handlers.onEvent(data.event)
  }
  pass({ type: 'who' })

  const hold = () =>
    new Promise<void>((resolve) => {
      held = 'connecting'
      const stop = listenToEvents(workspaceId, {
        onEvent: (event) => {
          handlers.onEvent(event)
          pass({ type: 'event', event })
        },
        onState: (state) => {
          held = state
          handlers.onState(state)
          pass({ type: 'state', state })
        },
      })
      leaving.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  navigator.locks.request(name, { signal: leaving.signal }, hold).catch(() => {
    // Aborted while waiting for the lock.
  })
  return () => {
    leaving.abort()
    channel.close()
  }
}
