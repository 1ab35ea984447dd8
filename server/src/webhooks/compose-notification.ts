// One message about one or more events, the same for every kind of channel.
import { type EventData, type NotificationType, screenPath } from '@docent/contract'
import type { NotificationItem } from '../storage/notifications.ts'
import { timestamp } from '../timestamps.ts'
import { notificationWords } from './notification-texts.ts'

export interface Notification {
  id: string
  event_type: 'notification'
  timestamp: string
  bot_id: string
  bot_name: string
  title: string
  /** Shown below the title if there are no items. */
  text: string | null
  items: NotifiedItem[]
  settings_url: string
  /** Used by the formats, in the language of the message. */
  labels: { open: string; settings: string; more: string }
}

export interface NotifiedItem {
  event_type: NotificationType
  conversation_id: string
  timestamp: string
  heading: string
  details: { label: string; value: string }[]
  /** Where replies to an email go. */
  reply_to: string | null
  url: string
}

interface NotificationInput {
  id: string
  bot: { id: string; name: string; language: string }
  items: NotificationItem[]
  includeDetails: boolean
  baseUrl: string
  now: number
}

type Words = ReturnType<typeof notificationWords>

/** Without items, it is a test. */
export function composeNotification({ id, bot, items, includeDetails, baseUrl, now }: NotificationInput): Notification {
  const words = notificationWords(bot.language)
  const notifiedItems = items.map((item) =>
    toNotifiedItem(item, { words, botId: bot.id, includeDetails, baseUrl, now }),
  )
  const [only] = notifiedItems
  const title =
    notifiedItems.length === 0
      ? words.test
      : notifiedItems.length === 1 && only
        ? only.heading
        : words.several(countTypes(items))
  return {
    id,
    event_type: 'notification',
    timestamp: timestamp(now),
    bot_id: bot.id,
    bot_name: bot.name,
    title,
    items: notifiedItems,
    text: notifiedItems.length === 0 ? words.testAbout : null,
    settings_url: baseUrl + screenPath('notifications', { botId: bot.id }),
    labels: {
      open: words.open,
      settings: words.settings,
      more: words.more(Math.max(0, notifiedItems.length - SHOWN_IN_CHAT)),
    },
  }
}

/** Chat tools limit the size of a message. */
export const SHOWN_IN_CHAT = 8

interface Context {
  words: Words
  botId: string
  includeDetails: boolean
  baseUrl: string
  now: number
}

function toNotifiedItem(item: NotificationItem, { words, botId, includeDetails, baseUrl, now }: Context): NotifiedItem {
  const { data } = JSON.parse(item.payload) as { data: EventData['lead.created'] | EventData['handover.requested'] }
  const lead = 'lead' in data ? data.lead : null
  const minutes = Math.max(1, Math.floor((now - item.createdAt) / 60_000))
  const who = includeDetails && lead ? (lead.name ?? lead.email ?? lead.phone) : null
  return {
    event_type: item.type,
    conversation_id: item.conversationId,
    timestamp: timestamp(item.createdAt),
    heading: words.heading[item.type]({ who, minutes }),
    details: includeDetails ? detailsOf(data, words) : [],
    reply_to: includeDetails ? (lead?.email ?? null) : null,
    url: baseUrl + screenPath('botInbox', { botId, conversationId: item.conversationId }),
  }
}

function detailsOf(data: EventData['lead.created'] | EventData['handover.requested'], { label, reason }: Words) {
  const pairs: [string, string | null][] =
    'lead' in data
      ? [
          [label.name, data.lead.name],
          [label.email, data.lead.email],
          [label.phone, data.lead.phone],
          [label.message, data.lead.message],
          ...Object.entries(data.lead.fields),
          [label.page, data.lead.page_url],
        ]
      : [
          [label.reason, reason[data.reason]],
          [label.message, data.message],
          ...(data.answers ?? []).map((answer): [string, string] => [answer.label, answer.value]),
        ]
  return pairs.flatMap(([name, value]) => (value ? [{ label: name, value }] : []))
}

function countTypes(items: NotificationItem[]): Record<NotificationType, number> {
  const counts = { 'lead.created': 0, 'handover.requested': 0, 'handover.waiting': 0 }
  for (const { type } of items) counts[type]++
  return counts
}
