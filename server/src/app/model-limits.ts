// Daily limits on model calls, and the alerts when one is reached.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createModelCallLimits } from '../conversations/language-models/model-call-limits.ts'
import { createNotifyModelLimit } from '../conversations/language-models/notify-model-limit.ts'
import type { SendMail } from '../mail.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'

interface Deps {
  storage: Pick<Storage, 'modelCallDays' | 'members'>
  config: Pick<Config, 'modelCallsPerDay' | 'baseUrl'>
  logger: Logger
  metrics: Pick<Metrics, 'count'>
  /** Null: email is not configured. */
  sendMail: SendMail | null
  clock: () => number
  onError: (error: unknown) => void
}

export function createModelLimits({ storage, config, logger, metrics, sendMail, clock, onError }: Deps) {
  const limits = createModelCallLimits({
    modelCallDays: storage.modelCallDays,
    workspaceLimit: config.modelCallsPerDay,
    onReached: (reached) => {
      const { bot, limit, of } = reached
      logger.warn({ bot: bot.id, limit, of }, 'daily model call limit reached')
      const tell = createNotifyModelLimit({ members: storage.members, sendMail, baseUrl: config.baseUrl })
      tell(reached).catch(onError)
    },
    clock,
  })
  return {
    ...limits,
    async countCall(bot: BotRecord): Promise<boolean> {
      const admitted = await limits.countCall(bot)
      if (!admitted) metrics.count('docent_quota_rejections_total', { quota: 'model_calls' })
      return admitted
    },
  }
}
