// One live line for all tabs of a browser: it opens only a handful of connections to a server, and each tab would take
// one for good. The tab that holds the lock listens, and passes on what it hears.
import { type ConnectionState, type Handlers, listenToEvents } from './listen-to-events.ts'

type Passed =
  | { type: 'event'; event: Parameters<Handlers['onEvent']>[0] }
  | { type: 'state'; state: ConnectionState }
  | { type: 'who' }

/** Tells how to stop. */
export function shareConnection(workspaceId: string, handlers: Handlers): () => void {
  // Pages without TLS have no locks; there, each tab has its own line.
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
    // Left before it was our turn.
  })
  return () => {
    leaving.abort()
    channel.close()
  }
}
