// One delivery attempt: sent, signed or in the form of its channel, and its result described for the log.

import type { ChannelKind } from '@docent/contract'
import type { Context } from '../context.ts'
import type { OutgoingMail } from '../mail.ts'
import { RefusedUrl } from '../outbound/guard.ts'
import { type Post, PostTimeout } from '../outbound/post.ts'
import { retryAfterMs } from '../retry-after.ts'
import type { AttemptRecord } from '../storage/deliveries.ts'
import type { LeasedDelivery } from '../storage/delivery-queue.ts'
import { VERSION } from '../version.ts'
import { bodyFor, mailFor, type Notification } from './notification.ts'
import { type SigningKey, signatures } from './signing.ts'

const CLOSED_BY_US = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']
const USER_AGENT = `Docent-Webhooks/${VERSION}`
const KEPT_BYTES = 16 * 1024

export interface Attempt {
  record: AttemptRecord
  /** Delay requested with Retry-After. */
  askedDelayMs: number | null
}

interface Target {
  url: string
  keys: SigningKey[]
}

type Sending = Pick<Context, 'outbound' | 'config' | 'clock'>

export function makeAttemptDelivery({ outbound: { post }, config: { webhookTimeoutMs: timeoutMs }, clock }: Sending) {
  return async ({ eventId, payload }: LeasedDelivery, { url, keys }: Target): Promise<Attempt> => {
    if (keys.length === 0) throw new Error('the webhook secret cannot be decrypted with this SECRET_KEY')
    const at = clock()
    const headers = sentHeaders(eventId, at)
    const body = Buffer.from(payload)
    headers['webhook-signature'] = signatures(keys, eventId, seconds(at), body)
    return attemptPost(post, { url, headers, body, timeoutMs, at })
  }
}

interface PostedRequest {
  url: string
  headers: Record<string, string>
  body: Buffer
  timeoutMs: number
  at: number
}

/** Throws only if we closed the connection ourselves. */
async function attemptPost(post: Post, { url, headers, body, timeoutMs, at }: PostedRequest): Promise<Attempt> {
  const start = performance.now()
  try {
    const {
      status,
      headers: responseHeaders,
      excerpt,
    } = await post(url, headers, body, { timeoutMs, keptBytes: KEPT_BYTES })
    const encoding = responseHeaders['content-encoding']
    const answer = encoding ? `(compressed: ${encoding})` : excerpt
    const record = { at, durationMs: elapsed(start), status, error: failureOf(status), answer }
    return { record, askedDelayMs: retryAfterMs(responseHeaders['retry-after'], at) }
  } catch (error) {
    if (CLOSED_BY_US.includes((error as { code?: string }).code ?? '')) throw error
    const failure = explain(error, timeoutMs)
    return { record: { at, durationMs: elapsed(start), status: null, error: failure, answer: '' }, askedDelayMs: null }
  }
}

/** Headers of every attempt, besides the signature. */
export function sentHeaders(eventId: string, at: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds(at)),
  }
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Responded with ${status}. Redirects are not followed.`
  return `Responded with ${status}.`
}

function explain(error: unknown, timeoutMs: number): string {
  if (error instanceof PostTimeout) return `No response within ${timeoutMs / 1000} seconds.`
  if (error instanceof RefusedUrl) return error.message
  const { code = 'no error code' } = error as { code?: string }
  return SENTENCES[code] ?? `The connection failed (${code}).`
}

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
  ENOTFOUND: 'The host name could not be resolved.',
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

function elapsed(start: number): number {
  return Math.round(performance.now() - start)
}

// One attempt to send a notification: an email, or a request to an incoming webhook.

interface ChannelTarget {
  kind: ChannelKind
  /** A URL, or email addresses separated by commas. */
  address: string
}

export function makeAttemptNotification({ outbound, sendMail, config, clock }: Sending & Pick<Context, 'sendMail'>) {
  const { webhookTimeoutMs: timeoutMs } = config

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

  return ({ id, payload }: LeasedDelivery, { kind, address }: ChannelTarget): Promise<Attempt> => {
    const notification = JSON.parse(payload) as Notification
    // A mail that timed out may have been sent anyway, so a retry keeps its id.
    if (kind === 'email') return attemptMail({ ...mailFor(address.split(','), notification), id })
    const body = Buffer.from(JSON.stringify(bodyFor(kind, notification)))
    const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
    return attemptPost(outbound.post, { url: address, headers, body, timeoutMs, at: clock() })
  }
}
