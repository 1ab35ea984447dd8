// One event stream for all tabs: browsers allow only a few connections per server, and each tab would occupy one. The
// tab that holds the lock listens and forwards the events.
import { type ConnectionState, type Handlers, listenToEvents } from './listen-to-events.ts'

type ChannelMessage =
  | { type: 'event'; event: Parameters<Handlers['onEvent']>[0] }
  | { type: 'state'; state: ConnectionState }
  | { type: 'who' }

/** Returns a function that stops it. */
export function shareConnection(workspaceId: string, handlers: Handlers): () => void {
  // Locks need HTTPS. Without them, each tab has its own stream.
  if (!navigator.locks) return listenToEvents(workspaceId, handlers)
  const name = `docent-inbox-${workspaceId}`
  const channel = new BroadcastChannel(name)
  const stopping = new AbortController()
  const broadcast = (message: ChannelMessage) => channel.postMessage(message)
  let ownState: ConnectionState | null = null

  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    if (data.type === 'who') return ownState && broadcast({ type: 'state', state: ownState })
    if (data.type === 'state') handlers.onState(data.state)
    else handlers.onEvent(data.event)
  }
  broadcast({ type: 'who' })

  const listenWithLock = () =>
    new Promise<void>((resolve) => {
      ownState = 'connecting'
      const stop = listenToEvents(workspaceId, {
        onEvent: (event) => {
          handlers.onEvent(event)
          broadcast({ type: 'event', event })
        },
        onState: (state) => {
          ownState = state
          handlers.onState(state)
          broadcast({ type: 'state', state })
        },
      })
      stopping.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  navigator.locks.request(name, { signal: stopping.signal }, listenWithLock).catch(() => {
    // Aborted while waiting for the lock.
  })
  return () => {
    stopping.abort()
    channel.close()
  }
}
