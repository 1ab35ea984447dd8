// Verifies that a webhook comes from Docent, unchanged and recent (Standard Webhooks). Works wherever Web Crypto does.

export interface VerifyOptions {
  /** The raw body, not parsed and serialised again. */
  body: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…`; several during rotation. */
  secret: string | string[]
  /** Maximum clock difference. */
  toleranceSeconds?: number
  now?: number
}

/** For the receiver's own log: do not tell the sender the reason. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** Returns the event if one of the secrets signed it; throws otherwise. */
export async function verifyWebhook<Event = unknown>(options: VerifyOptions): Promise<Event> {
  const { body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  const header = (name: string) => readHeader(options.headers, name)
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A webhook header is missing.')
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('The timestamp is not a number.')
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The timestamp is too far from now.')

  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const givenSignatures = signatures
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? (bytesOf(part.slice(3)) ?? []) : []))
  for (const one of [secret].flat()) {
    const key = await importKey(one)
    // Web Crypto's `verify` compares in constant time.
    for (const signature of givenSignatures)
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return JSON.parse(body)
  }
  throw new WebhookVerificationError('No signature fits.')
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined
  if (!bytes?.length) throw new WebhookVerificationError('The secret must be one that begins with "whsec_".')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function readHeader(headers: VerifyOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name] ?? headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? '']
  return Array.isArray(value) ? value[0] : value
}
