// What the browser stores for one bot: in localStorage, or only in memory if storage is blocked. No cookies.
import type { HandoverStatus } from '@docent/contract'

export interface StoredState {
  session?: string | undefined
  token?: string | undefined
  open?: boolean
  draft?: string
  /** Messages not confirmed by the server. */
  unsent?: string[]
  /** The id of the newest message, so that other tabs notice when they are outdated. */
  last?: string | undefined
  unread?: number
  handover?: HandoverStatus
  askedAt?: number | undefined
  hasLead?: boolean
  /** Proactive messages already shown. Older versions stored a single one. */
  nudged?: string | string[]
  muted?: boolean
  /** Whether the conversation is a logged-in user's. */
  known?: boolean
}

export type Store = ReturnType<typeof makeStore>

export function makeStore(botId: string) {
  const name = `docent:${botId}`
  let memory: StoredState | undefined

  function get(): StoredState {
    if (memory) return memory
    try {
      return JSON.parse(localStorage.getItem(name) || '{}')
    } catch {
      return {}
    }
  }

  function set(change: StoredState) {
    const next = { ...get(), ...change }
    try {
      localStorage.setItem(name, JSON.stringify(next))
    } catch {
      memory = next
    }
  }

  return { get, set, isOurs: (event: StorageEvent) => event.key === name }
}
