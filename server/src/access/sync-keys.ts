// Authenticates product syncs by the key in `X-Service-Key`. Calls are rare, so nothing is cached.
import { Fault } from '@docent/contract'
import type { KeysTable, PresentedKey } from '../storage/keys.ts'
import { isActive } from './chat-keys.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'

export interface SyncKeys {
  /** The caller's valid key; all others get the same fault. */
  authenticate(header: string | string[] | undefined): Promise<PresentedKey>
}

export function createSyncKeys(keys: Pick<KeysTable, 'findPresented'>, clock: () => number): SyncKeys {
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
