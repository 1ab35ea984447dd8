// Credentials: a prefix for secret scanners, 32 random base62 characters, and a checksum that refuses
// mistyped ones without a query. Only their SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Fault } from '@docent/contract'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const secretPrefixes = {
  chat: 'dct_chat_',
  sync: 'dct_sync_',
  manage: 'dct_manage_',
  visitor: 'dct_visitor_',
  identity: 'dct_identity_',
} as const
type SecretKind = keyof typeof secretPrefixes

interface NewSecret {
  secret: string
  hash: string
  lastFour: string
}

export function makeSecret(kind: SecretKind): NewSecret {
  const body = secretPrefixes[kind] + randomBase62(32)
  const secret = body + checksum(body)
  return { secret, hash: hashSecret(secret), lastFour: secret.slice(-4) }
}

export function isWellFormedSecret(kind: SecretKind, secret: string): boolean {
  const prefix = secretPrefixes[kind]
  if (secret.length !== prefix.length + 38 || !secret.startsWith(prefix)) return false
  return checksum(secret.slice(0, -6)) === secret.slice(-6)
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let index = 0; index < 6; index++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(count: number): string {
  let digits = ''
  while (digits.length < count) {
    // Bytes from 248 on would bias towards the first characters.
    for (const byte of randomBytes(count)) if (byte < 248 && digits.length < count) digits += BASE62[byte % 62]
  }
  return digits
}

/** The token of an `Authorization: Bearer …` header; the scheme's case does not matter. */
export function bearerToken(authorization: string | undefined): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

// RFC 3339 has four-digit years.
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Undefined: not given. Null: never expires. Refuses a past expiry, or one that RFC 3339 cannot express. */
export function parseExpiry(text: string | null | undefined, now: number): number | null | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : text
  if (typeof time !== 'number' || (time > now && time <= LAST)) return time
  const message = time > LAST ? 'Use a time before the year 10000.' : 'Use a time in the future.'
  throw new Fault('validation_failed', { details: [{ path: 'expires_at', message }] })
}

export function makeLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashSecret(token) }
}
