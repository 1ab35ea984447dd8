// Ten codes of 80 random bits for who has lost the authenticator; as random as keys, so a plain hash keeps them.
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'
import { base32 } from './totp.ts'

const CODES = 10

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'))
}

/** However it was typed. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^a-z2-7]/g, ''))
}
