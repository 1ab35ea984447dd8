// Emails a visitor their conversation, only to the address they left and rate-limited: it may be somebody else's.
import { Fault } from '@docent/contract'
import { networkOf } from '../../access/network-of.ts'
import type { CountWithin } from '../../access/rate-limits.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { Queries } from '../../storage/database.ts'
import type { VisitorMailsTable } from '../../storage/visitors.ts'

const PER_CONVERSATION = { calls: 1, lengthMs: 600_000 }
const PER_NETWORK = { calls: 5, lengthMs: 3_600_000 }
const PER_ADDRESS = { calls: 3, lengthMs: 86_400_000 }

interface Deps {
  visitorMails: Pick<VisitorMailsTable, 'schedule' | 'addressOf'>
  transaction: <T>(work: (tx: Queries) => Promise<T>) => Promise<T>
  countWithin: CountWithin
  canSendMail: boolean
  clock: () => number
}

export type RequestTranscript = ReturnType<typeof createRequestTranscript>

export function createRequestTranscript({ visitorMails, transaction, countWithin, canSendMail, clock }: Deps) {
  const isOffered = ({ widget }: Pick<BotRecord, 'widget'>) => canSendMail && widget.visitorEmail.transcripts

  return {
    isOffered,

    /** Only for the visitor's own conversation. Returns the masked address. */
    async request(bot: BotRecord, conversation: { id: string; visitorId: string | null }, ip: string): Promise<string> {
      if (!isOffered(bot)) throw new Fault('not_found')
      const { id, visitorId } = conversation
      const address = visitorId ? await visitorMails.addressOf(bot.id, visitorId) : null
      if (!address) throw new Fault('no_email_address')
      await countWithin([
        { name: `transcript ${bot.id} ${id}`, limit: PER_CONVERSATION },
        { name: `transcripts from ${networkOf(ip)}`, limit: PER_NETWORK },
        { name: `transcripts to ${address.toLowerCase()}`, limit: PER_ADDRESS },
      ])
      const now = clock()
      const mail = { botId: bot.id, conversationId: id, kind: 'transcript' as const, since: 0, until: now, address }
      await transaction((tx) => visitorMails.schedule(tx, mail, now))
      return masked(address)
    },
  }
}

/** "ada@shop.example" → "a…@shop.example". */
function masked(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0]}…${address.slice(at)}`
}
