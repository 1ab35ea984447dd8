// Authenticates the chat API: finds the key behind a bearer token.
import { Fault } from '@docent/contract'
import { makeTtlCache } from '../caching.ts'
import type { KeysTable, PresentedKey } from '../storage/keys.ts'
import { bearerToken, hashSecret, isWellFormedSecret } from './secrets.ts'

// Long enough to save a busy key its lookups, short enough that a revocation elsewhere applies within a second.
const CACHE_MS = 800
const CACHE_ENTRIES = 10_000

export interface ChatKeys {
  /** The caller's valid key; all others get the same fault. */
  authenticate(authorization: string | undefined): Promise<PresentedKey>
  /** Clears the cache, after a change on this node. */
  forget(): void
}

export function openChatKeys(keys: KeysTable, clock: () => number): ChatKeys {
  const cache = makeTtlCache<PresentedKey>({ ttlMs: CACHE_MS, maxEntries: CACHE_ENTRIES, clock })

  return {
    async authenticate(authorization) {
      const secret = bearerToken(authorization)
      if (secret && isWellFormedSecret('chat', secret)) {
        const hash = hashSecret(secret)
        const key = await cache.read(hash, () => keys.findPresented('chat', hash))
        if (key && isActive(key, clock())) return key
      }
      throw invalidApiKey()
    },
    forget: cache.clear,
  }
}

export function invalidApiKey(): Fault {
  return new Fault('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } })
}

export function isActive(key: PresentedKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now)
}

export interface SyncKeys {
  /** The caller's valid key; all others get the same fault. */
  authenticate(header: string | string[] | undefined): Promise<PresentedKey>
}

export function openSyncKeys(keys: Pick<KeysTable, 'findPresented'>, clock: () => number): SyncKeys {
  return {
    async authenticate(header) {
      const secret = typeof header === 'string' ? header.trim() : ''
      if (isWellFormedSecret('sync', secret)) {
        const key = await keys.findPresented('sync', hashSecret(secret))
        if (key && isActive(key, clock())) return key
      }
      throw new Fault('invalid_sync_key')
    },
  }
}
