// One attempt to send a notification: an email, or a request to an incoming webhook.
import type { ChannelKind } from '@docent/contract'
import type { OutgoingMail, SendMail } from '../mail.ts'
import type { Post } from '../outbound/post.ts'
import type { LeasedDelivery } from '../storage/delivery-queue.ts'
import { type Attempt, attemptPost, USER_AGENT } from './attempt-delivery.ts'
import type { Notification } from './compose-notification.ts'
import { bodyFor, mailFor } from './notification-formats.ts'

interface ChannelTarget {
  kind: ChannelKind
  /** A URL, or email addresses separated by commas. */
  address: string
}

interface Deps {
  post: Post
  /** Null if email is not configured. */
  sendMail: SendMail | null
  timeoutMs: number
  clock: () => number
}

export type AttemptNotification = (delivery: LeasedDelivery, target: ChannelTarget) => Promise<Attempt>

export function makeAttemptNotification({ post, sendMail, timeoutMs, clock }: Deps): AttemptNotification {
  async function attemptMail(mail: OutgoingMail): Promise<Attempt> {
    const at = clock()
    const startTime = performance.now()
    const error = await sendWithin(mail)
    const durationMs = Math.round(performance.now() - startTime)
    return { record: { at, durationMs, status: null, error, answer: '' }, askedDelayMs: null }
  }

  async function sendWithin(mail: OutgoingMail): Promise<string | null> {
    if (!sendMail) return 'This instance cannot send email.'
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, `The mail server did not respond within ${timeoutMs / 1000} seconds.`)
    })
    const sending = sendMail(mail).then(
      () => null,
      (error: Error) => error.message,
    )
    return Promise.race([sending, late]).finally(() => clearTimeout(timer))
  }

  return ({ id, payload }, { kind, address }) => {
    const notification = JSON.parse(payload) as Notification
    // A mail that timed out may have been sent anyway, so a retry keeps its id.
    if (kind === 'email') return attemptMail({ ...mailFor(address.split(','), notification), id })
    const body = Buffer.from(JSON.stringify(bodyFor(kind, notification)))
    const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
    return attemptPost(post, { url: address, headers, body, timeoutMs, at: clock() })
  }
}
