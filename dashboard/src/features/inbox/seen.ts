// Which conversations this browser has shown in their present state.
import type { ConversationSummary } from '@docent/contract'
import { useSyncExternalStore } from 'react'

interface Seen {
  /** Nothing before the first visit is new. */
  since: string
  at: Record<string, string>
}

const STORED = 'docent-seen'
const MOST_KEPT = 300
const listeners = new Set<() => void>()
let seen = stored()

export function useSeen(): Seen {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => seen,
  )
}

export function markSeen({ id, updated_at }: Pick<ConversationSummary, 'id' | 'updated_at'>) {
  if ((seen.at[id] ?? '') >= updated_at) return
  const { [id]: _, ...others } = seen.at
  const kept = Object.entries(others).slice(1 - MOST_KEPT)
  seen = { ...seen, at: Object.fromEntries([...kept, [id, updated_at]]) }
  localStorage.setItem(STORED, JSON.stringify(seen))
  for (const listener of listeners) listener()
}

/** A visitor wrote to a person, and nobody here has looked. What the bot answers needs nobody. */
export function isUnread({ id, handover, last_message, updated_at }: ConversationSummary, { since, at }: Seen) {
  const isOpen = handover.status === 'requested' || handover.status === 'active'
  return isOpen && last_message?.role === 'visitor' && updated_at > (at[id] ?? since)
}

function stored(): Seen {
  const fresh = { since: new Date().toISOString(), at: {} }
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Seen | null
    if (kept) return kept
  } catch {
    // Not ours, or broken: begin anew.
  }
  localStorage.setItem(STORED, JSON.stringify(fresh))
  return fresh
}
