// Notifies a bot's team of leads and waiting visitors, with its routes.
import type { FindBot } from '../../access/managers.ts'
import type { Config } from '../../config.ts'
import { notificationRoutes } from '../../http/notifications.ts'
import type { Route } from '../../http/server/route.ts'
import { type Part, repeatEverySecond } from '../../lifecycle.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ChannelDeps } from '../../webhooks/channels.ts'
import { makeGatherNotifications } from '../../webhooks/gather-notifications.ts'

interface Deps {
  storage: Storage
  config: Pick<Config, 'baseUrl' | 'role' | 'smtp'>
  /** The delivery queue that sends the notifications. */
  queue: Pick<ChannelDeps, 'secrets' | 'switchWebhook' | 'urlProblem' | 'countWithin' | 'onChanged' | 'onEvents'>
  clock: () => number
  onError: (error: unknown) => void
}

export function createNotificationsPart({ storage, config, queue, clock, onError }: Deps) {
  const { bots, deliveries, notificationChannels: channels, notificationItems: items, webhooks } = storage
  const { transaction } = storage
  const { baseUrl } = config
  const gather = makeGatherNotifications({
    ...{ items, channels, deliveries, transaction, baseUrl, clock, onError },
    ...{ onEvents: queue.onEvents, countWithin: queue.countWithin },
    findBot: async (botId) => {
      const workspaceId = await bots.findWorkspaceId(botId)
      return workspaceId === undefined ? undefined : bots.find(workspaceId, botId)
    },
  })
  const part: Part = config.role === 'web' ? {} : repeatEverySecond(gather, onError)
  return {
    ...part,
    routes(route: Route, findBot: FindBot) {
      notificationRoutes(route, {
        ...{ ...queue, channels, items, webhooks, deliveries, findBot, baseUrl, clock },
        canSendMail: config.smtp !== null,
      })
    },
  }
}
