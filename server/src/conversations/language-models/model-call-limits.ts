// Daily limits of language model calls, per bot and per workspace. Above them the built-in composer answers, and the
// owners are told, once a day.
import { utcDay } from '../../days.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { ModelCallCount, ModelCallDaysTable } from '../../storage/model-usage.ts'

const DAYS_KEPT = 7

type LimitedBot = Pick<BotRecord, 'id' | 'workspaceId' | 'name' | 'languageModel'>

export interface ReachedLimit {
  bot: LimitedBot
  limit: number
  /** Whose limit was reached. */
  of: 'bot' | 'workspace'
}

interface Deps {
  modelCallDays: Pick<ModelCallDaysTable, 'count' | 'undoCount' | 'countRefusal' | 'calls' | 'forget'>
  /** Applies to each workspace. */
  workspaceLimit: number
  /** Called once a day for each limit. */
  onReached: (reached: ReachedLimit) => void
  clock: () => number
}

export type ModelCallLimits = ReturnType<typeof createModelCallLimits>

export function createModelCallLimits({ modelCallDays, workspaceLimit, onReached, clock }: Deps) {
  function countsOf({ id, workspaceId }: LimitedBot): { own: ModelCallCount; shared: ModelCallCount } {
    const day = utcDay(clock())
    return { own: { workspaceId, botId: id, day }, shared: { workspaceId, botId: '', day } }
  }

  async function refuse(count: ModelCallCount, reached: ReachedLimit): Promise<false> {
    if (await modelCallDays.countRefusal(count)) onReached(reached)
    return false
  }

  return {
    /** Counts a call if it is within the limits; returns whether it is. */
    async countCall(bot: LimitedBot): Promise<boolean> {
      const { own, shared } = countsOf(bot)
      const limit = bot.languageModel?.dailyCalls ?? null
      // The bot's limit first: its refused calls must not use up the shared one.
      if (!(await modelCallDays.count(own, limit))) return refuse(own, { bot, limit: limit ?? 0, of: 'bot' })
      if (await modelCallDays.count(shared, workspaceLimit)) return true
      await modelCallDays.undoCount(own)
      return refuse(shared, { bot, limit: workspaceLimit, of: 'workspace' })
    },

    /** Deletes counts of past days. */
    forget: () => modelCallDays.forget(utcDay(clock()) - DAYS_KEPT),

    async today(bot: LimitedBot) {
      const { own, shared } = countsOf(bot)
      const limit = bot.languageModel?.dailyCalls ?? null
      const calls = await modelCallDays.calls(own)
      const workspaceCalls = await modelCallDays.calls(shared)
      const isReached = (limit !== null && calls >= limit) || workspaceCalls >= workspaceLimit
      return { calls, limit, workspaceCalls, workspaceLimit, isReached }
    },
  }
}
