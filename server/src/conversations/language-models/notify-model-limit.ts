// Emails a workspace's owners when a daily limit of model calls is reached.
import type { OutgoingMail, SendMail } from '../../mail.ts'
import type { MembersTable } from '../../storage/members.ts'
import type { ReachedLimit } from './model-call-limits.ts'

interface Deps {
  members: Pick<MembersTable, 'listOwners'>
  /** Null: email is not configured. */
  sendMail: SendMail | null
  baseUrl: string
}

export function createNotifyModelLimit({ members, sendMail, baseUrl }: Deps) {
  return async (reached: ReachedLimit) => {
    if (!sendMail) return
    const owners = await members.listOwners(reached.bot.workspaceId)
    const sent = await Promise.allSettled(owners.map(({ email }) => sendMail(limitMail(email, reached, baseUrl))))
    const errors = sent.flatMap((mail) => (mail.status === 'rejected' ? [mail.reason] : []))
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} of ${owners.length} owners could not be notified of a limit`)
  }
}

function limitMail(to: string, { bot, limit, of }: ReachedLimit, baseUrl: string): OutgoingMail {
  const whose = of === 'bot' ? `The bot “${bot.name}”` : 'Your workspace'
  return {
    to,
    subject: `Daily language model limit reached: ${bot.name}`.replace(/[\r\n]+/g, ' '),
    text: [
      `${whose} has reached its daily limit of ${limit} language model calls.`,
      'Until midnight UTC, answers are quoted from your content instead of being written by the model.',
      `${of === 'bot' ? 'Change the limit here' : 'The owner of this instance can raise it. See the usage here'}: ${baseUrl}/bots/${bot.id}/settings/model`,
    ].join('\n\n'),
  }
}
