// Combines a channel's waiting items into one message when quiet hours and digest allow, and queues its delivery.
// Stateless: everything is re-evaluated on each run, so that changed settings apply at once.
import { type CountWithin, RateLimited } from '../access/rate-limits.ts'
import { timedId } from '../ids.ts'
import { isWithin, lastTimeAt } from '../local-time.ts'
import type { BotRecord, BotsTable } from '../storage/bots.ts'
import type { Queries } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type {
  ChannelRecord,
  NotificationChannelsTable,
  NotificationItemsTable,
  WaitingChannel,
} from '../storage/notifications.ts'
import { workspaceMailLimit } from './channels.ts'
import type { OnEvents } from './delivery-worker.ts'
import { composeNotification } from './notification.ts'

const MAX_AT_ONCE = 50
/** After an email, later items are collected for this long. */
const BETWEEN_MAILS_MS = 60_000

interface Deps {
  items: NotificationItemsTable
  channels: Pick<NotificationChannelsTable, 'find' | 'recordSent'>
  deliveries: Pick<DeliveriesTable, 'toWebhook'>
  findBot: BotsTable['findById']
  countWithin: CountWithin
  transaction: <T>(work: (tx: Queries) => Promise<T>) => Promise<T>
  onEvents: OnEvents
  baseUrl: string
  clock: () => number
  onError: (error: unknown) => void
}

export function makeGatherNotifications(deps: Deps): () => Promise<void> {
  const { items, channels, deliveries, findBot, countWithin, transaction, onEvents, baseUrl, clock, onError } = deps

  async function send(channel: ChannelRecord, bot: BotRecord, now: number) {
    const { botId, id: channelId, settings } = channel
    const id = timedId('evt', now)
    const wasSent = await transaction(async (tx) => {
      const dueItems = await items.take(tx, botId, channelId, now, MAX_AT_ONCE)
      if (dueItems.length === 0) return false
      const { includeDetails } = settings
      const payload = JSON.stringify(composeNotification({ id, bot, items: dueItems, includeDetails, baseUrl, now }))
      const conversationIds = [...new Set(dueItems.map(({ conversationId }) => conversationId))]
      const about = conversationIds.length === 1 ? (conversationIds[0] ?? null) : null
      const { sql, values } = deliveries.toWebhook(
        { botId, id, type: 'notification', payload, createdAt: now, about },
        channelId,
      )
      await tx.query(sql, values)
      await channels.recordSent(tx, botId, channelId, now)
      return true
    })
    if (wasSent) onEvents(botId)
  }

  async function gather({ botId, channelId, since }: WaitingChannel, now: number) {
    const channel = await channels.find(botId, channelId)
    const bot = channel && channel.disabledAt === null ? await findBot(botId) : undefined
    if (!channel || !bot) await items.removeOf(botId, channelId)
    else if (isTime(channel, since, now) && (await mayMail(channel, bot))) await send(channel, bot, now)
  }

  /** Beyond the workspace's limit, items wait and are sent together later. */
  async function mayMail({ kind }: ChannelRecord, { workspaceId }: BotRecord): Promise<boolean> {
    if (kind !== 'email') return true
    try {
      await countWithin([workspaceMailLimit(workspaceId)])
      return true
    } catch (error) {
      if (error instanceof RateLimited) return false
      throw error
    }
  }

  return async () => {
    const now = clock()
    // One failing channel must not block the others.
    for (const due of await items.listDue(now)) await gather(due, now).catch(onError)
  }
}

/** `since`: time of the oldest waiting item. */
function isTime({ kind, settings, notifiedAt }: ChannelRecord, since: number, now: number): boolean {
  const { digestAt, quietHours, timezone } = settings
  if (digestAt !== null) return since < lastTimeAt(digestAt, timezone, now)
  if (isWithin(quietHours, timezone, now)) return false
  return kind !== 'email' || notifiedAt === null || notifiedAt > now || now - notifiedAt >= BETWEEN_MAILS_MS
}
