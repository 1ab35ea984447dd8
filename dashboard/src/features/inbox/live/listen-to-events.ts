// The event stream of a workspace's inbox. Reconnects with increasing delays.
import { DocentError, type InboxEvent } from '@docent/sdk'
import { client } from '../../../client.ts'

export type ConnectionState = 'connecting' | 'live' | 'broken'

export interface Handlers {
  onEvent: (event: Exclude<InboxEvent, { type: 'alive' }>) => void
  onState: (state: ConnectionState) => void
}

// The server sends something every 25 seconds, so a longer silence means that the connection is dead.
const SILENCE_MS = 60_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Returns a function that stops it. */
export function listenToEvents(workspaceId: string, { onEvent, onState }: Handlers): () => void {
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
