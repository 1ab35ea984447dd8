// One live line for all tabs of a browser: it opens only a handful of connections to a server, and each tab would take
// one for good. The tab that holds the lock listens, and passes on what it hears.
import { type Ears, hearEvents, type LineState } from './hear-events.ts'

type Passed =
  | { type: 'event'; event: Parameters<Ears['onEvent']>[0] }
  | { type: 'state'; state: LineState }
  | { type: 'who' }

/** Tells how to stop. */
export function shareLine(botId: string, ears: Ears): () => void {
  // Pages without TLS have no locks; there, each tab has its own line.
  if (!navigator.locks) return hearEvents(botId, ears)
  const name = `docent-inbox-${botId}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  const pass = (passed: Passed) => channel.postMessage(passed)
  let held: LineState | null = null

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.type === 'who') return held && pass({ type: 'state', state: held })
    if (data.type === 'state') ears.onState(data.state)
    else ears.onEvent(data.event)
  }
  pass({ type: 'who' })

  const hold = () =>
    new Promise<void>((resolve) => {
      held = 'connecting'
      const stop = hearEvents(botId, {
        onEvent: (event) => {
          ears.onEvent(event)
          pass({ type: 'event', event })
        },
        onState: (state) => {
          held = state
          ears.onState(state)
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
