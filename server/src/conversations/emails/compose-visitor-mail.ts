// Composes an email to a visitor: agents' replies, or the whole conversation.
import type { OutgoingMail } from '../../mail.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { InboxRecord } from '../../storage/inbox.ts'
import type { MessageRecord } from '../../storage/messages.ts'
import type { VisitorMailKind } from '../../storage/visitors.ts'
import { plainText } from '../plain-text.ts'
import { visitorWords } from './visitor-words.ts'

interface MailInput {
  kind: VisitorMailKind
  to: string
  bot: Pick<BotRecord, 'name' | 'language' | 'siteUrl' | 'widget'>
  conversation: Pick<InboxRecord, 'language' | 'pageUrl'>
  messages: MessageRecord[]
}

export function composeVisitorMail({ kind, to, bot, conversation, messages }: MailInput): OutgoingMail {
  const words = visitorWords(conversation.language ?? bot.language)
  const name = bot.widget.look.title ?? bot.name
  const { reply_to: replyTo } = bot.widget.visitorEmail
  const say = (sentence: string) => sentence.replace('{name}', () => name)
  const said = messages.map(({ role, text, agentName }) => {
    const who = role === 'user' ? words.you : role === 'agent' ? (agentName ?? name) : name
    // Only the bot's replies are Markdown.
    return `${who}:\n${role === 'assistant' ? plainText(text, { links: true }) : text}`
  })
  const page = ownPage(bot, conversation.pageUrl)
  return {
    to,
    subject: say(kind === 'replies' ? words.replySubject : words.transcriptSubject).replace(/\s+/g, ' '),
    text: [
      ...said,
      ...(page ? [`${words.goOn}: ${page}`] : []),
      ...(replyTo ? [words.canReply] : []),
      `--\n${say(words.why)}`,
    ].join('\n\n'),
    ...(replyTo ? { replyTo } : {}),
  }
}

/** Links only to the company's own sites: the page URL is unverified, and the recipient may be a third party. */
function ownPage({ siteUrl, widget }: MailInput['bot'], pageUrl: string | null): string | null {
  if (!pageUrl || !URL.canParse(pageUrl)) return siteUrl
  const { origin } = new URL(pageUrl)
  const own = [...widget.allowedOrigins, ...(siteUrl && URL.canParse(siteUrl) ? [new URL(siteUrl).origin] : [])]
  return own.includes(origin) ? pageUrl : siteUrl
}
