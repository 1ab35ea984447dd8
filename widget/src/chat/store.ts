// What a visitor's browser keeps for one bot: no cookie, and nothing but memory where storage is forbidden.
import type { HandoverStatus } from '@docent/contract'

export interface Kept {
  session?: string | undefined
  token?: string | undefined
  open?: boolean
  draft?: string
  /** Written, but not known to have reached the server. */
  unsent?: string[]
  /** The newest message, so that other tabs notice that theirs are old. */
  last?: string | undefined
  unread?: number
  handover?: HandoverStatus
  askedAt?: number | undefined
  hasLead?: boolean
  /** The proactive messages that were shown already; once there was only one. */
  nudged?: string | string[]
  /** No sound, please. */
  muted?: boolean
}

export type Store = ReturnType<typeof openStore>

export function openStore(botId: string) {
  const name = `docent:${botId}`
  let memory: Kept | undefined

  function get(): Kept {
    if (memory) return memory
    try {
      return JSON.parse(localStorage.getItem(name) || '{}')
    } catch {
      return {}
    }
  }

  function set(change: Kept) {
    const next = { ...get(), ...change }
    try {
      localStorage.setItem(name, JSON.stringify(next))
    } catch {
      memory = next
    }
  }

  return { get, set, isOurs: (event: StorageEvent) => event.key === name }
}
