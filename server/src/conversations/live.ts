// Live updates of conversations, sent to listeners on all nodes. Signals carry ids only; listeners read the data from
// the database.
import type { Context } from '../context.ts'

export type LiveSignal = {
  botId: string
  conversationId: string
} & (
  | { kind: 'message' | 'handover' | 'rating' | 'lead' | 'note' | 'change' }
  | { kind: 'seen'; by: 'visitor' | 'agent'; until: number }
  | { kind: 'typing'; by: 'visitor' | 'agent'; agentName?: string }
)

export const ALL = 'all'

type LiveListener = (signal: LiveSignal) => void

export interface Live {
  publish(signal: LiveSignal): void
  /** Listens to a conversation, a bot, or `ALL` bots. Returns a function that stops it. */
  subscribe(subject: string, listener: LiveListener): () => void
  start(): Promise<void>
}

const CHANNEL = 'docent_live'
// Batching time: in PostgreSQL every notification is a commit, and these are serialised.
const GATHER_MS = 10
// PostgreSQL limits notifications to 8,000 bytes.
const MAX_AT_ONCE = 30

export function openLive({ storage: { signal, onSignal }, onError }: Context): Live {
  const listeners = new Map<string, Set<LiveListener>>()
  let pendingSignals: LiveSignal[] = []
  let sending = Promise.resolve()

  function flush() {
    const all = pendingSignals
    pendingSignals = []
    for (let at = 0; at < all.length; at += MAX_AT_ONCE) {
      const text = JSON.stringify(all.slice(at, at + MAX_AT_ONCE))
      // One at a time, to keep their order.
      sending = sending.then(() => signal(CHANNEL, text)).catch(onError)
    }
  }

  function notify(subject: string, liveSignal: LiveSignal) {
    for (const listener of listeners.get(subject) ?? []) listener(liveSignal)
  }

  return {
    publish(liveSignal) {
      if (pendingSignals.length === 0) setTimeout(flush, GATHER_MS)
      pendingSignals.push(liveSignal)
    },

    subscribe(subject, listener) {
      const subjectListeners = listeners.get(subject) ?? new Set()
      listeners.set(subject, subjectListeners.add(listener))
      return () => {
        subjectListeners.delete(listener)
        if (subjectListeners.size === 0 && listeners.get(subject) === subjectListeners) listeners.delete(subject)
      }
    },

    start: () =>
      onSignal(CHANNEL, (text) => {
        for (const liveSignal of JSON.parse(text) as LiveSignal[]) {
          notify(liveSignal.conversationId, liveSignal)
          notify(liveSignal.botId, liveSignal)
          notify(ALL, liveSignal)
        }
      }),
  }
}
