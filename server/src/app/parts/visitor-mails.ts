// Email to visitors: unseen replies, and transcripts.
import type { CountWithin } from '../../access/rate-limits.ts'
import type { Config } from '../../config.ts'
import { makeRequestTranscript, makeSendVisitorMails } from '../../conversations/visitor-mails.ts'
import { type Part, repeatEverySecond } from '../../lifecycle.ts'
import type { SendMail } from '../../mail.ts'
import type { Queries } from '../../storage/database.ts'
import type { Storage } from '../../storage/storage.ts'

/** Replies within this time share one email, and a visitor who returns in the meantime gets none. */
const GATHER_MS = 90_000

interface Deps {
  storage: Storage
  config: Pick<Config, 'role'>
  /** Null: email is not configured. */
  sendMail: SendMail | null
  countWithin: CountWithin
  clock: () => number
  onError: (error: unknown) => void
}

export function createVisitorMailsPart({ storage, config, sendMail, countWithin, clock, onError }: Deps) {
  const { bots, inbox, messages, visitorMails, transaction } = storage
  const findBot = async (botId: string) => {
    const workspaceId = await bots.findWorkspaceId(botId)
    return workspaceId === undefined ? undefined : bots.find(workspaceId, botId)
  }
  const work = sendMail && makeSendVisitorMails({ visitorMails, messages, inbox, findBot, sendMail, clock, onError })
  const part: Part = work && config.role !== 'web' ? repeatEverySecond(work, onError) : {}
  return {
    ...part,
    transcripts: makeRequestTranscript({
      visitorMails,
      transaction,
      countWithin,
      canSendMail: sendMail !== null,
      clock,
    }),

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
