// Tells the owners of a workspace by e-mail that a daily limit of model calls is reached.
import type { MembersTable } from '../storage/members.ts'
import type { ReachedLimit } from './model-call-limits.ts'

const MEMBERS_LOOKED_AT = 200

interface OutgoingMail {
  to: string
  subject: string
  text: string
}

interface Deps {
  members: Pick<MembersTable, 'list'>
  /** Null: no e-mail is sent. */
  sendMail: ((mail: OutgoingMail) => Promise<void>) | null
  baseUrl: string
}

export function createTellModelLimit({ members, sendMail, baseUrl }: Deps) {
  return async (reached: ReachedLimit) => {
    if (!sendMail) return
    const all = await members.list(reached.bot.workspaceId, '', MEMBERS_LOOKED_AT)
    for (const { role, email } of all) if (role === 'owner') await sendMail(limitMail(email, reached, baseUrl))
  }
}

function limitMail(to: string, { bot, limit, of }: ReachedLimit, baseUrl: string): OutgoingMail {
  const whose = of === 'bot' ? `The bot “${bot.name}”` : 'Your workspace'
  return {
    to,
    subject: `Daily limit of language model calls reached: ${bot.name}`.replace(/[\r\n]+/g, ' '),
    text: [
      `${whose} has reached its daily limit of ${limit} language model calls.`,
      'Until midnight UTC, answers are quoted from your content instead of written by the model.',
      `${of === 'bot' ? 'You can change the limit here' : 'Whoever runs this instance can raise it. The usage is here'}: ${baseUrl}/bots/${bot.id}/settings/model`,
    ].join('\n\n'),
  }
}
