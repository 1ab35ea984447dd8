// The daily quota of a key, and of its workspace where it has one: exact under concurrency, because one statement per limit
// counts and decides.
import { DEFAULT_DAILY_LIMIT, Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import { DAY_MS, utcDay } from '../days.ts'
import { StorageError } from '../storage/database.ts'
import type { PresentedKey } from '../storage/keys.ts'
import { invalidApiKey } from './keys.ts'

interface QuotaState {
  /** What to throw when the call is over a limit. */
  refusal: Fault | null
  headers: Record<string, string>
}

export type CountCall = (key: PresentedKey) => Promise<QuotaState>

const OF_WORKSPACE = 'The daily limit of this workspace is used up. It resets at midnight UTC.'

export function makeCountCall({ storage: { quotaDays }, metrics, clock }: Context): CountCall {
  return async (key) => {
    const now = clock()
    const limit = key.dailyLimit ?? DEFAULT_DAILY_LIMIT
    const calls = await quotaDays.count(key.botId, key.id, utcDay(now), limit, now).catch((error) => {
      // The bot was deleted on another node while its key was cached here.
      if (error instanceof StorageError && error.kind === 'foreign_key') throw invalidApiKey()
      throw error
    })
    const { workspaceId, workspaceLimit } = key
    const isWithinWorkspace =
      calls === null ||
      workspaceLimit === null ||
      (await quotaDays.countOfWorkspace(workspaceId, utcDay(now), workspaceLimit))
    // Only admitted calls count.
    if (!isWithinWorkspace) await quotaDays.release(key.botId, key.id, utcDay(now))
    const isAdmitted = calls !== null && isWithinWorkspace
    if (!isAdmitted) metrics.count('docent_quota_rejections_total', { quota: 'chat_calls' })
    const remaining = isAdmitted ? limit - calls : 0
    const resetAt = (utcDay(now) + 1) * DAY_MS
    const secondsLeft = Math.ceil((resetAt - now) / 1000)
    return {
      refusal: isAdmitted
        ? null
        : new Fault('daily_quota_exceeded', isWithinWorkspace ? {} : { message: OF_WORKSPACE }),
      headers: {
        'ratelimit-policy': `"daily";q=${limit};w=86400`,
        ratelimit: `"daily";r=${remaining};t=${secondsLeft}`,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(resetAt / 1000),
        ...(isAdmitted ? {} : { 'retry-after': String(secondsLeft) }),
      },
    }
  }
}
