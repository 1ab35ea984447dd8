// Sends due emails to visitors, with a few retries: replies they have not seen, and transcripts.
import type { OutgoingMail } from '../../mail.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { InboxTable } from '../../storage/inbox.ts'
import type { MessageRecord, MessagesTable } from '../../storage/messages.ts'
import type { VisitorMail, VisitorMailsTable } from '../../storage/visitors.ts'
import { composeVisitorMail } from './compose-visitor-mail.ts'

const AT_ONCE = 20
const LEASE_MS = 120_000
/** The longest time one email can take. */
const LONGEST_MS = 40_000
const retryDelaysMs = [60_000, 600_000, 3_600_000, 6 * 3_600_000]
/** The newest of a conversation. */
const MAX_MESSAGES = 200

interface Deps {
  visitorMails: VisitorMailsTable
  messages: Pick<MessagesTable, 'list'>
  inbox: Pick<InboxTable, 'find'>
  findBot: (botId: string) => Promise<BotRecord | undefined>
  sendMail: (mail: OutgoingMail) => Promise<void>
  clock: () => number
  onError: (error: unknown) => void
}

export function createSendVisitorMails(deps: Deps): () => Promise<void> {
  const { visitorMails, messages, inbox, findBot, sendMail, clock, onError } = deps

  /** Null when there is nothing to send, or no recipient. */
  async function compose(mail: VisitorMail): Promise<OutgoingMail | null> {
    const { botId, conversationId, kind, since, until, address } = mail
    const conversation = await inbox.find(botId, conversationId, { readerId: null, now: clock() })
    const bot = await findBot(botId)
    const visitorId = conversation?.visitor?.id
    const to = visitorId ? await visitorMails.addressOf(botId, visitorId) : null
    const { replies, transcripts } = bot?.widget.visitorEmail ?? {}
    if (!conversation || !bot || !to || !(kind === 'replies' ? replies : transcripts)) return null
    if (address !== null && address !== to) return null
    const isIncluded = ({ role, createdAt }: MessageRecord) =>
      createdAt <= until && (kind === 'transcript' || (role === 'agent' && createdAt >= since))
    const listed = await messages.list(botId, conversationId, MAX_MESSAGES, undefined, 'verified')
    const included = listed.filter(isIncluded)
    return included.length > 0 ? composeVisitorMail({ kind, to, bot, conversation, messages: included }) : null
  }

  async function send(mail: VisitorMail) {
    const { botId, conversationId, kind, until, attempts } = mail
    try {
      const composed = await compose(mail)
      if (composed) await sendMail(composed)
    } catch (error) {
      onError(error)
      const delay = retryDelaysMs[attempts - 1]
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
