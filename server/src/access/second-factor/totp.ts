// Time-based one-time codes (RFC 6238) as authenticator apps use them: SHA-1, six digits, 30 seconds.
import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The matching step, current or adjacent to allow for clock skew. Null: no match. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | null {
  const current = Math.floor(now / STEP_MS)
  const given = Buffer.from(code)
  let matching: number | null = null
  for (const step of [current - 1, current, current + 1]) {
    const wanted = Buffer.from(totpCode(secret, step))
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) matching = step
  }
  return matching
}

export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function base32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31]
    value &= 31
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}
