// Ten codes of 80 random bits for a lost authenticator; random enough that a plain hash suffices.
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'
import { base32 } from './totp.ts'

const CODES = 10

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'))
}

/** Ignores case and separators. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
}
