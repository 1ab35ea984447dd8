// One message about one or more events, and its form for each kind of channel.
import { type ChannelKind, type EventData, type NotificationType, screenPath } from '@docent/contract'
import type { OutgoingMail } from '../mail.ts'
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

interface NotifiedItem {
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
const SHOWN_IN_CHAT = 8

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

// A notification in the format of each tool. Visitors' text is always escaped: no links, mentions or markup.

/** For chat tools, which limit their messages; email has the full text. */
const LONGEST_VALUE = 300
const LONGEST_HEADING = 150

export function bodyFor(kind: Exclude<ChannelKind, 'email'>, notification: Notification): object {
  return formats[kind](notification)
}

export function mailFor(recipients: string[], notification: Notification): OutgoingMail {
  const { title, bot_name, text, items, labels, settings_url } = notification
  const parts = items.map((item) =>
    [
      ...(items.length > 1 ? [item.heading] : []),
      ...item.details.map(({ label, value }) => `${label}: ${value}`),
      `${labels.open}: ${item.url}`,
    ].join('\n'),
  )
  const [replyTo, ...others] = [...new Set(items.flatMap(({ reply_to }) => reply_to ?? []))]
  return {
    to: recipients,
    subject: `${title} (${bot_name})`.replace(/\s+/g, ' '),
    text: [title, ...(text ? [text] : []), ...parts, `--\n${labels.settings}: ${settings_url}`].join('\n\n'),
    // With a single lead, "Reply" writes to them.
    ...(replyTo && others.length === 0 ? { replyTo } : {}),
  }
}

const formats = {
  slack(notification: Notification) {
    const { title, bot_name, text, items, labels } = notification
    // Verbatim: Slack would make links and mentions of what visitors write.
    const section = (content: string) => ({ type: 'section', text: { type: 'mrkdwn', text: content, verbatim: true } })
    return {
      unfurl_links: false,
      unfurl_media: false,
      text: `${slackText(title)} (${slackText(bot_name)})`,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: shorten(`${title} · ${bot_name}`, LONGEST_HEADING) } },
        ...(text ? [section(slackText(text))] : []),
        ...items.slice(0, SHOWN_IN_CHAT).map((item) => {
          const lines = item.details.map(
            ({ label, value }) => `*${slackText(label)}:* ${slackText(shortenToLine(value))}`,
          )
          const heading = items.length > 1 ? [`*${slackText(shorten(item.heading, LONGEST_HEADING))}*`] : []
          return section([...heading, ...lines, `<${item.url}|${slackText(labels.open)}>`].join('\n'))
        }),
        ...(isLong(items) ? [section(slackText(labels.more))] : []),
      ],
    }
  },

  /** An adaptive card, as the Workflows app expects it. */
  teams(notification: Notification) {
    const { title, bot_name, text, items, labels } = notification
    const block = (content: string, more: object = {}) => ({ type: 'TextBlock', text: content, wrap: true, ...more })
    const shownItems = items.slice(0, SHOWN_IN_CHAT)
    const bold = { weight: 'Bolder' }
    const content = {
      type: 'AdaptiveCard',
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      version: '1.4',
      body: [
        block(markdownText(`${title} · ${bot_name}`), { ...bold, size: 'Medium' }),
        ...(text ? [block(markdownText(text))] : []),
        ...shownItems.flatMap((item) => [
          ...(items.length > 1 ? [block(markdownText(item.heading), { ...bold, separator: true })] : []),
          ...(item.details.length > 0
            ? [
                {
                  type: 'FactSet',
                  facts: item.details.map((each) => ({
                    title: markdownText(each.label),
                    value: markdownText(shortenToLine(each.value)),
                  })),
                },
              ]
            : []),
          ...(items.length > 1 ? [block(`[${labels.open}](${item.url})`)] : []),
        ]),
        ...(isLong(items) ? [block(labels.more)] : []),
      ],
      actions: shownItems.length === 1 ? [{ type: 'Action.OpenUrl', title: labels.open, url: shownItems[0]?.url }] : [],
    }
    return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
  },

  discord(notification: Notification) {
    const { title, bot_name, text, items, labels } = notification
    const lines = [`**${markdownText(shorten(`${title} · ${bot_name}`, LONGEST_HEADING))}**`, ...(text ? [text] : [])]
    return {
      content: [...lines, ...(isLong(items) ? [labels.more] : [])].join('\n'),
      embeds: items.slice(0, SHOWN_IN_CHAT).map((item) => ({
        title: shorten(item.heading, LONGEST_HEADING),
        url: item.url,
        timestamp: item.timestamp,
        description: item.details
          .slice(0, 6)
          .map(({ label, value }) => `**${markdownText(label)}:** ${markdownText(shortenToLine(value, 80))}`)
          .join('\n'),
      })),
      allowed_mentions: { parse: [] },
    }
  },

  /** Mattermost, Rocket.Chat and Google Chat show `text`; the rest is for programs. */
  generic({ labels, ...notification }: Notification) {
    const { title, bot_name, text, items } = notification
    const parts = items
      .slice(0, SHOWN_IN_CHAT)
      .map((item) =>
        [
          ...(items.length > 1 ? [item.heading] : []),
          ...item.details.map(({ label, value }) => `${label}: ${shortenToLine(value)}`),
          item.url,
        ].join('\n'),
      )
    const all = [`${title} (${bot_name})`, ...(text ? [text] : []), ...parts, ...(isLong(items) ? [labels.more] : [])]
    return { ...notification, text: all.join('\n\n') }
  },
} satisfies Record<Exclude<ChannelKind, 'email'>, (notification: Notification) => object>

function isLong(items: NotifiedItem[]): boolean {
  return items.length > SHOWN_IN_CHAT
}

/** On one line. */
function shortenToLine(value: string, most = LONGEST_VALUE): string {
  return shorten(value.replace(/\s+/g, ' ').trim(), most)
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}

function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function markdownText(text: string): string {
  return text.replace(/[\\`*_~[\]()<>#|@]/g, '\\$&')
}
