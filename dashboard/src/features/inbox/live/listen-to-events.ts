// The event stream of a workspace's inbox. Reconnects with increasing delays.
import { DocentError, type InboxEvent } from '@docent/sdk'
import { client } from '../../../client.ts'

export type ConnectionState = 'connecting' | 'live' | 'broken'

interface Handlers {
  onEvent: (event: Exclude<InboxEvent, { type: 'alive' }>) => void
  onState: (state: ConnectionState) => void
}

// The server sends something every 25 seconds, so a longer silence means that the connection is dead.
const SILENCE_MS = 60_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Returns a function that stops it. */
function listenToEvents(workspaceId: string, { onEvent, onState }: Handlers): () => void {
  const stopping = new AbortController()

  async function listenOnce(onAlive: () => void) {
    const connection = new AbortController()
    const end = () => connection.abort()
    stopping.signal.addEventListener('abort', end)
    // Offline browsers may keep a dead connection open for minutes.
    addEventListener('offline', end)
    let silence = setTimeout(end, SILENCE_MS)
    try {
      for await (const event of client.workspaceEvents(workspaceId, { signal: connection.signal })) {
        clearTimeout(silence)
        silence = setTimeout(end, SILENCE_MS)
        onAlive()
        if (event.type !== 'alive') onEvent(event)
      }
    } finally {
      clearTimeout(silence)
      stopping.signal.removeEventListener('abort', end)
      removeEventListener('offline', end)
    }
  }

  async function listen() {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      let isConnected = false
      try {
        await listenOnce(() => {
          if (!isConnected) onState('live')
          isConnected = true
          failures = 0
        })
      } catch (error) {
        // Retrying does not help without permission.
        if (error instanceof DocentError && [401, 403, 404].includes(error.status)) return onState('broken')
      }
      if (stopping.signal.aborted) return
      onState('broken')
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS), stopping.signal)
    }
  }

  void listen()
  return () => stopping.abort()
}

/**
 * Ends early when the network is back. The length is random, so that not all clients reconnect at once after a restart.
 */
function pause(lengthMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, lengthMs * (0.75 + Math.random() / 2))
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}

type ChannelMessage =
  | { type: 'event'; event: Parameters<Handlers['onEvent']>[0] }
  | { type: 'state'; state: ConnectionState }
  | { type: 'who' }

/**
 * One event stream for all tabs: browsers allow only a few connections per server, and each tab would occupy one. The
 * tab that holds the lock listens and forwards the events. Returns a function that stops it.
 */
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
