// A notification in the format of each tool. Visitors' text is always escaped: no links, mentions or markup.
import type { ChannelKind } from '@docent/contract'
import type { OutgoingMail } from '../mail.ts'
import { type Notification, type NotifiedItem, SHOWN_IN_CHAT } from './compose-notification.ts'

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
