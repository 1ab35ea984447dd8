// Sends due emails to visitors, with a few retries: replies they have not seen, and transcripts.
import { Fault } from '@docent/contract'
import { type CountWithin, networkOf } from '../access/rate-limits.ts'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { plainText } from '../language/plain-text.ts'
import { type Part, repeatEverySecond } from '../lifecycle.ts'
import type { OutgoingMail, SendMail } from '../mail.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { Queries } from '../storage/database.ts'
import type { InboxRecord } from '../storage/inbox.ts'
import type { MessageRecord } from '../storage/messages.ts'
import type { VisitorMail, VisitorMailKind } from '../storage/visitors.ts'
import words from './visitor-mail-texts.json' with { type: 'json' }

const AT_ONCE = 20
const LEASE_MS = 120_000
/** The longest time one email can take. */
const LONGEST_MS = 40_000
const RETRY_DELAYS_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000]
/** The newest of a conversation. */
const MAX_MESSAGES = 200

/** Replies within this time share one email, and a visitor who returns in the meantime gets none. */
const GATHER_MS = 90_000

export function openVisitorMails(context: Context, countWithin: CountWithin) {
  const { storage, config, sendMail, onError } = context
  const { visitorMails } = storage
  const work = sendMail && makeSendVisitorMails(context, sendMail)
  const part: Part = work && config.role !== 'web' ? repeatEverySecond(work, onError) : {}

  return {
    ...part,
    transcripts: makeRequestTranscript(context, countWithin),

    async onReply(tx: Queries, botId: string, conversationId: string, at: number) {
      const mail = { botId, conversationId, kind: 'replies' as const, since: at, until: at, address: null }
      if (sendMail) await visitorMails.schedule(tx, mail, at + GATHER_MS)
    },

    /** The visitor has received replies up to a time. */
    onSeen(botId: string, conversationId: string, until: number) {
      if (sendMail) visitorMails.settle(botId, conversationId, 'replies', until).catch(onError)
    },
  }
}

function makeSendVisitorMails({ storage, clock, onError }: Context, sendMail: SendMail): () => Promise<void> {
  const { bots, visitorMails, messages, inbox } = storage

  /** Null when there is nothing to send, or no recipient. */
  async function compose(mail: VisitorMail): Promise<OutgoingMail | null> {
    const { botId, conversationId, kind, since, until, address } = mail
    const conversation = await inbox.find(botId, conversationId, { readerId: null, now: clock() })
    const bot = await bots.findById(botId)
    const visitorId = conversation?.visitor?.id
    const to = visitorId ? await visitorMails.addressOf(botId, visitorId) : null
    const { replies, transcripts } = bot?.widget.visitorEmail ?? {}
    if (!conversation || !bot || !to || !(kind === 'replies' ? replies : transcripts)) return null
    if (address !== null && address !== to) return null
    const isIncluded = ({ role, createdAt }: MessageRecord) =>
      createdAt <= until && (kind === 'transcript' || (role === 'agent' && createdAt >= since))
    const verifiedMessages = await messages.list(botId, conversationId, MAX_MESSAGES, undefined, 'verified')
    const mailMessages = verifiedMessages.filter(isIncluded)
    return mailMessages.length > 0 ? composeVisitorMail({ kind, to, bot, conversation, messages: mailMessages }) : null
  }

  async function send(mail: VisitorMail) {
    const { botId, conversationId, kind, until, attempts } = mail
    try {
      const visitorMail = await compose(mail)
      if (visitorMail) await sendMail(visitorMail)
    } catch (error) {
      onError(error)
      const delay = RETRY_DELAYS_MS[attempts - 1]
      if (delay !== undefined) return visitorMails.delay(mail, clock() + delay)
    }
    await visitorMails.settle(botId, conversationId, kind, until)
  }

  return async () => {
    const now = clock()
    for (const mail of await visitorMails.lease(now, now + LEASE_MS, AT_ONCE)) {
      // The rest is due again when the lease ends, perhaps on another node.
      if (clock() > now + LEASE_MS - LONGEST_MS) return
      await send(mail)
    }
  }
}

// Composes an email to a visitor: agents' replies, or the whole conversation.

interface MailInput {
  kind: VisitorMailKind
  to: string
  bot: Pick<BotRecord, 'name' | 'language' | 'siteUrl' | 'widget'>
  conversation: Pick<InboxRecord, 'language' | 'pageUrl'>
  messages: MessageRecord[]
}

function composeVisitorMail({ kind, to, bot, conversation, messages }: MailInput): OutgoingMail {
  const words = visitorWords(conversation.language ?? bot.language)
  const name = bot.widget.look.title ?? bot.name
  const { reply_to: replyTo } = bot.widget.visitorEmail
  const say = (sentence: string) => sentence.replace('{name}', () => name)
  const transcript = messages.map(({ role, text, agentName }) => {
    const who = role === 'user' ? words.you : role === 'agent' ? (agentName ?? name) : name
    // Only the bot's replies are Markdown.
    return `${who}:\n${role === 'assistant' ? plainText(text, { links: true }) : text}`
  })
  const page = ownPage(bot, conversation.pageUrl)
  return {
    to,
    subject: say(kind === 'replies' ? words.replySubject : words.transcriptSubject).replace(/\s+/g, ' '),
    text: [
      ...transcript,
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
  const ownOrigins = [...widget.allowedOrigins, ...(siteUrl && URL.canParse(siteUrl) ? [new URL(siteUrl).origin] : [])]
  return ownOrigins.includes(origin) ? pageUrl : siteUrl
}

// Emails a visitor their conversation, only to the address they left and rate-limited: it may be somebody else's.

const PER_CONVERSATION = { calls: 1, windowMs: 600_000 }
const PER_NETWORK = { calls: 5, windowMs: 3_600_000 }
const PER_ADDRESS = { calls: 3, windowMs: DAY_MS }

export type RequestTranscript = ReturnType<typeof makeRequestTranscript>

function makeRequestTranscript({ storage, sendMail, clock }: Context, countWithin: CountWithin) {
  const { visitorMails, transaction } = storage
  const isOffered = ({ widget }: Pick<BotRecord, 'widget'>) => sendMail !== null && widget.visitorEmail.transcripts

  return {
    isOffered,

    /** Whether it is offered and has a recipient. */
    canRequest: async (bot: BotRecord, visitorId: string) =>
      isOffered(bot) && (await visitorMails.addressOf(bot.id, visitorId)) !== null,

    /** Only for the visitor's own conversation. Returns the masked address. */
    async request(bot: BotRecord, conversation: { id: string; visitorId: string | null }, ip: string): Promise<string> {
      if (!isOffered(bot)) throw new Fault('not_found')
      const { id, visitorId } = conversation
      const address = visitorId ? await visitorMails.addressOf(bot.id, visitorId) : null
      if (!address) throw new Fault('no_email_address')
      await countWithin([
        { name: `transcript ${bot.id} ${id}`, ...PER_CONVERSATION },
        { name: `transcripts from ${networkOf(ip)}`, ...PER_NETWORK },
        { name: `transcripts to ${address.toLowerCase()}`, ...PER_ADDRESS },
      ])
      const now = clock()
      const mail = { botId: bot.id, conversationId: id, kind: 'transcript' as const, since: 0, until: now, address }
      await transaction((tx) => visitorMails.schedule(tx, mail, now))
      return maskAddress(address)
    },
  }
}

/** "ada@shop.example" → "a…@shop.example". */
function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0]}…${address.slice(at)}`
}

// Texts of emails to visitors, in the widget's languages.

type VisitorWords = (typeof words)['en']

export function visitorWords(language: string | null): VisitorWords {
  const primary = language?.toLowerCase().split(/[-_]/)[0] ?? ''
  return primary in words ? words[primary as keyof typeof words] : words.en
}

/** Whether the message comes from our transcript button. */
export function asksForTranscript(text: string): boolean {
  return buttons.has(text.trim())
}

const buttons = new Set(Object.values(words).map(({ button }) => button))
