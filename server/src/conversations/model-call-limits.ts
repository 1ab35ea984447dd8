// Daily limits of language model calls, per bot and per workspace. Above them the built-in composer answers, and the
// owners are told, once a day.
import { screenPath } from '@docent/contract'
import { modelLimitMail } from '../access/mails.ts'
import type { Context } from '../context.ts'
import { utcDay } from '../days.ts'
import type { SendMail } from '../mail.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { MembersTable } from '../storage/members.ts'
import type { ModelCallCount } from '../storage/model-usage.ts'
import type { Storage } from '../storage/storage.ts'

const DAYS_KEPT = 7

type LimitedBot = Pick<BotRecord, 'id' | 'workspaceId' | 'name' | 'languageModel'>

interface ReachedLimit {
  bot: LimitedBot
  limit: number
  /** Whose limit was reached. */
  of: 'bot' | 'workspace'
}

type Deps = Pick<Context, 'config' | 'logger' | 'metrics' | 'sendMail' | 'clock' | 'onError'> & {
  storage: Pick<Storage, 'modelCallDays' | 'members'>
}

export type ModelCallLimits = ReturnType<typeof openModelCallLimits>

export function openModelCallLimits({ storage, config, logger, metrics, sendMail, clock, onError }: Deps) {
  const { modelCallDays } = storage
  const { modelCallsPerDay: workspaceLimit, baseUrl } = config

  function countsOf({ id, workspaceId }: LimitedBot): { own: ModelCallCount; shared: ModelCallCount } {
    const day = utcDay(clock())
    return { own: { workspaceId, botId: id, day }, shared: { workspaceId, botId: '', day } }
  }

  async function refuse(count: ModelCallCount, reachedLimit: ReachedLimit): Promise<false> {
    metrics.count('docent_quota_rejections_total', { quota: 'model_calls' })
    // True once a day.
    if (await modelCallDays.countRefusal(count)) {
      const { bot, limit, of } = reachedLimit
      logger.warn({ bot: bot.id, limit, of }, 'daily model call limit reached')
      notifyOwners(reachedLimit, { members: storage.members, sendMail, baseUrl }).catch(onError)
    }
    return false
  }

  return {
    /** Counts a call if it is within the limits; returns whether it is. */
    async countModelCall(bot: LimitedBot): Promise<boolean> {
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

interface NotifyDeps {
  members: Pick<MembersTable, 'listOwners'>
  /** Null: email is not configured. */
  sendMail: SendMail | null
  baseUrl: string
}

/** Reports every owner who could not be told. */
export async function notifyOwners(reachedLimit: ReachedLimit, { members, sendMail, baseUrl }: NotifyDeps) {
  if (!sendMail) return
  const owners = await members.listOwners(reachedLimit.bot.workspaceId)
  const link = baseUrl + screenPath('languageModel', { botId: reachedLimit.bot.id })
  const results = await Promise.allSettled(owners.map((owner) => sendMail(modelLimitMail(owner, reachedLimit, link))))
  const errors = results.flatMap((mail) => (mail.status === 'rejected' ? [mail.reason] : []))
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${owners.length} owners could not be notified of a limit`)
}
