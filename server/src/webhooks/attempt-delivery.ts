// One delivery attempt: signed, sent, and its result described for the log.
import { RefusedUrl } from '../outbound/guard.ts'
import { type Post, PostTimeout } from '../outbound/post.ts'
import { retryAfterMs } from '../retry-after.ts'
import type { AttemptRecord } from '../storage/deliveries.ts'
import type { LeasedDelivery } from '../storage/delivery-queue.ts'
import { VERSION } from '../version.ts'
import { type SigningKey, signatures } from './signing.ts'

const CLOSED_BY_US = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']
export const USER_AGENT = `Docent-Webhooks/${VERSION}`
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

export type AttemptDelivery = (delivery: LeasedDelivery, target: Target) => Promise<Attempt>

interface Deps {
  post: Post
  timeoutMs: number
  clock: () => number
}

export function makeAttemptDelivery({ post, timeoutMs, clock }: Deps): AttemptDelivery {
  return async ({ eventId, payload }, { url, keys }) => {
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
export async function attemptPost(post: Post, { url, headers, body, timeoutMs, at }: PostedRequest): Promise<Attempt> {
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
