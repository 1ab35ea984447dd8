// Public bot lookup by id. Cached briefly, so that a flood costs no queries.
import { makeTtlCache } from '../caching.ts'
import type { BotRecord, BotsTable } from '../storage/bots.ts'

const CACHE_MS = 800
const CACHE_ENTRIES = 10_000

export interface PublicBots {
  /** Up to a second old: fine for appearance, origins and limits, not for answering. */
  find(botId: string): Promise<BotRecord | undefined>
  forget(): void
}

export function openPublicBots(bots: Pick<BotsTable, 'findById'>, clock: () => number): PublicBots {
  const cache = makeTtlCache<BotRecord>({ ttlMs: CACHE_MS, maxEntries: CACHE_ENTRIES, clock, keepsMisses: true })

  return {
    find: (botId) => cache.read(botId, () => bots.findById(botId)),
    forget: cache.clear,
  }
}
