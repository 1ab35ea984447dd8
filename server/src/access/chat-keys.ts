// Who calls the chat API: finds the key behind a bearer token.
import { Fault } from '@docent/contract'
import type { KeysTable, PresentedKey } from '../storage/keys/keys.ts'
import { bearerToken } from './bearer.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'

// Long enough to spare a busy key its look-up, short enough that a revocation elsewhere holds within a second.
const CACHE_MS = 800
const CACHE_ENTRIES = 10_000

export interface ChatKeys {
  /** The key of a valid caller; every other caller gets one and the same fault. */
  authenticate(authorization: string | undefined): Promise<PresentedKey>
  /** Drops what is remembered, after a change on this node. */
  forget(): void
}

export function createChatKeys(keys: KeysTable, clock: () => number): ChatKeys {
  const remembered = new Map<string, { key: PresentedKey; until: number }>()
  let generation = 0

  async function find(hash: string): Promise<PresentedKey | undefined> {
    const now = clock()
    const entry = remembered.get(hash)
    // Not longer either, when the clock was set back: a revocation elsewhere would not be seen.
    if (entry && entry.until > now && entry.until - now <= CACHE_MS) return entry.key
    const asked = generation
    const key = await keys.findPresented('chat', hash)
    // What was read before a change must not be remembered after it.
    if (key && asked === generation) {
      if (remembered.size >= CACHE_ENTRIES) remembered.clear()
      remembered.set(hash, { key, until: now + CACHE_MS })
    }
    return key
  }

  return {
    async authenticate(authorization) {
      const secret = bearerToken(authorization)
      if (secret && isWellFormedSecret('chat', secret)) {
        const key = await find(hashSecret(secret))
        if (key && isActive(key, clock())) return key
      }
      throw invalidApiKey()
    },
    forget() {
      generation++
      remembered.clear()
    },
  }
}

export function invalidApiKey(): Fault {
  return new Fault('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } })
}

export function isActive(key: PresentedKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now)
}
