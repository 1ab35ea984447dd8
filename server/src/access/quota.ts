// The daily quota of a key: exact under concurrency, because one statement counts and decides.
import { DEFAULT_DAILY_LIMIT } from '@docent/contract'
import { DAY_MS, utcDay } from '../days.ts'
import { StorageError } from '../storage/database.ts'
import type { PresentedKey } from '../storage/keys/keys.ts'
import type { QuotaDaysTable } from '../storage/keys/quota-days.ts'
import { invalidApiKey } from './chat-keys.ts'

export interface QuotaState {
  admitted: boolean
  headers: Record<string, string>
}

export type CountCall = (key: PresentedKey) => Promise<QuotaState>

interface Deps {
  quotaDays: QuotaDaysTable
  onRefused: () => void
  clock: () => number
}

export function createCountCall({ quotaDays, onRefused, clock }: Deps): CountCall {
  return async (key) => {
    const now = clock()
    const limit = key.dailyLimit ?? DEFAULT_DAILY_LIMIT
    const calls = await quotaDays.count(key.botId, key.id, utcDay(now), limit, now).catch((error) => {
      // The bot was deleted on another node while its key was cached here.
      if (error instanceof StorageError && error.kind === 'foreign_key') throw invalidApiKey()
      throw error
    })
    if (calls === null) onRefused()
    const left = calls === null ? 0 : limit - calls
    const resetAt = (utcDay(now) + 1) * DAY_MS
    const secondsLeft = Math.ceil((resetAt - now) / 1000)
    return {
      admitted: calls !== null,
      headers: {
        'ratelimit-policy': `"daily";q=${limit};w=86400`,
        ratelimit: `"daily";r=${left};t=${secondsLeft}`,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(resetAt / 1000),
        ...(calls === null ? { 'retry-after': String(secondsLeft) } : {}),
      },
    }
  }
}
